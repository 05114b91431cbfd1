import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, extname, isAbsolute, join, resolve, sep } from 'node:path';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';

interface Search {
  readonly command: string;
  /** the value of PATH */
  readonly path: string;
  readonly cwd: string;
  readonly platform?: NodeJS.Platform;
  /** Windows: the value of PATHEXT */
  readonly pathext?: string;
}

const kindOf = (file: string): 'file' | 'other' | 'none' => {
  try {
    return statSync(file).isFile() ? 'file' : 'other';
  } catch {
    return 'none';
  }
};

const mayExecute = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** On Windows `start` means start.com, start.exe, start.cmd ...: in the order of PATHEXT; a name that has an extension is tried as it is first. */
export const namesToTry = (command: string, platform: NodeJS.Platform, pathext = '.COM;.EXE;.BAT;.CMD'): string[] => {
  if (platform !== 'win32') return [command];
  const extensions = pathext.split(';').filter((e) => e !== '');
  const withExtension = extensions.map((e) => command + e.toLowerCase());
  return extname(command) === '' ? withExtension : [command, ...withExtension];
};

/** A whole command line in the place of the command is the commonest cause of "not found". */
const remedyFor = (command: string): string => {
  const [program = '', ...rest] = command.trim().split(/\s+/);
  if (rest.length > 0) return `If the command is "${program}", give that alone and the rest as arguments; else set its absolute path.`;
  return program === command ? 'Install it, or set the absolute path of the command in this server\'s configuration.' : 'Take the spaces off the command.';
};

/**
 * The absolute file a command name stands for. Errors: `command_not_found` (details.searchedPath lists the folders), `command_not_permitted` (a file that may not be
 * executed, or a folder). A name with a separator is looked up from the working folder and never on PATH.
 */
export const findCommand = (search: Search): Result<string, Fault> => {
  const platform = search.platform ?? process.platform;
  const hasSeparator = search.command.includes('/') || search.command.includes(sep) || isAbsolute(search.command);
  const folders = hasSeparator ? [] : search.path.split(delimiter).filter((folder) => folder !== '' && isAbsolute(folder));
  const candidates = hasSeparator
    ? namesToTry(resolve(search.cwd, search.command), platform, search.pathext)
    : folders.flatMap((folder) => namesToTry(search.command, platform, search.pathext).map((name) => join(folder, name)));
  let unusable: string | null = null;
  for (const file of candidates) {
    const kind = kindOf(file);
    if (kind === 'file' && (platform === 'win32' || mayExecute(file))) return ok(file);
    if (kind !== 'none' && (kind === 'file' || hasSeparator)) unusable ??= file;
  }
  if (unusable !== null) {
    const isFolder = kindOf(unusable) === 'other';
    return err(
      fault('command_not_permitted', isFolder ? `${unusable} is a folder, not a program.` : `${unusable} exists but may not be executed.`, {
        remedy: isFolder ? 'Give the program inside it.' : `Make it executable (chmod +x "${unusable}"), or start its interpreter with it as an argument.`,
        details: { command: search.command, file: unusable },
      }),
    );
  }
  return err(
    fault('command_not_found', hasSeparator ? `The command ${search.command} does not exist.` : `The command ${search.command} was not found in any folder of PATH.`, {
      remedy: remedyFor(search.command),
      details: { command: search.command, searchedPath: hasSeparator ? candidates : folders },
    }),
  );
};
