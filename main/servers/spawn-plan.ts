import { extname } from 'node:path';

/** What is handed to the system: on Windows a batch file cannot be started directly, only through cmd.exe with its own quoting (C003, P10). */
export interface SpawnPlan {
  readonly file: string;
  readonly args: readonly string[];
  readonly windowsVerbatimArguments: boolean;
}

const META = /([()\][%!^"`<>&|;, *?])/g;
const escapeMeta = (text: string): string => text.replace(META, '^$1');

/**
 * One argument for a batch file: quoted for the program's own reader (backslashes before a quote doubled), then every character that cmd.exe reads is escaped;
 * twice for shims in node_modules/.bin, which cmd.exe reads a second time. After https://qntm.org/cmd and cross-spawn.
 */
export const quoteForBatch = (argument: string, twice: boolean): string => {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
  const once = escapeMeta(quoted);
  return twice ? escapeMeta(once) : once;
};

const isBatch = (file: string): boolean => ['.cmd', '.bat'].includes(extname(file).toLowerCase());
const isShim = (file: string): boolean => /node_modules[\\/].bin[\\/][^\\/]+\.cmd$/i.test(file);

/** `file` is an absolute, existing file. No shell is used anywhere else. */
export const planSpawn = (file: string, args: readonly string[], platform: NodeJS.Platform = process.platform, comspec = 'cmd.exe'): SpawnPlan => {
  if (platform !== 'win32' || !isBatch(file)) return { file, args, windowsVerbatimArguments: false };
  const line = [escapeMeta(file.replaceAll('/', '\\')), ...args.map((argument) => quoteForBatch(argument, isShim(file)))].join(' ');
  return { file: comspec, args: ['/d', '/s', '/c', `"${line}"`], windowsVerbatimArguments: true };
};

/** Characters that no quoting carries through cmd.exe: a line break ends the command, NUL ends any argument. Returns the offending index, or -1. */
export const unquotableArgument = (file: string, args: readonly string[], platform: NodeJS.Platform = process.platform): number =>
  args.findIndex((argument) => argument.includes('\0') || (platform === 'win32' && isBatch(file) && /[\r\n]/.test(argument)));
