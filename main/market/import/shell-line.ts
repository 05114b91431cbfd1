import { programOf } from './read-launcher.ts';
import { splitWords } from './split-words.ts';

const POSIX = new Set(['sh', 'bash', 'zsh', 'fish', 'dash', 'ksh', 'ash', 'mksh', 'csh', 'tcsh', 'nu', 'elvish', 'su', 'runuser', 'script', 'flock']);
const POWERSHELL = new Set(['powershell', 'pwsh']);
const SCRIPT_HOSTS = new Set(['osascript', 'wscript', 'cscript', 'mshta']);
const CONTAINERS = new Set(['docker', 'podman', 'nerdctl']);
const NPM = new Set(['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bunx']);

/** Programs that read command lines or scripts of their own. */
export const isShell = (program: string): boolean => POSIX.has(program) || POWERSHELL.has(program) || SCRIPT_HOSTS.has(program) || program === 'cmd';

/** The words that are started: a whole line in the place of the command is words. */
const wordsOf = (command: string, args: readonly string[]): readonly string[] => (/\s/.test(command) && !/[\\/]/.test(command.split(/\s/)[0]!.slice(1)) ? [...splitWords(command).words, ...args] : [command, ...args]);

/** `-c` in any company (`-lc`, `-euxc`): the next word is a line for that shell. */
const takesLine = (program: string, after: readonly string[]): boolean => {
  if (POSIX.has(program)) return after.some((word) => /^-[a-z]*c[a-z]*$/i.test(word) || /^--(command|init-command|session-command)(=|$)/.test(word));
  if (POWERSHELL.has(program)) return after.some((word) => /^[-/](c(o(m(m(a(n(d)?)?)?)?)?)?|e(c|n[a-z]*)?)$/i.test(word)) || (after[0] !== undefined && !/^[-/]/.test(after[0]));
  if (program === 'cmd') return after.some((word) => /^\/[ckr]/i.test(word));
  if (SCRIPT_HOSTS.has(program)) return after.some((word) => /^-[a-z]*e$/i.test(word)) || program === 'mshta';
  return false;
};

/**
 * Whether a launch hands a line to a shell, itself or through a program that starts another (`busybox sh -c`, `xargs sh -c`, `npx -c`, `ssh host line`).
 * A shell inside a container is the container's own.
 */
export const handsLineToShell = (command: string, args: readonly string[]): boolean => {
  const words = wordsOf(command, args);
  const first = programOf(words[0] ?? '');
  if (CONTAINERS.has(first)) return false;
  if (NPM.has(first) && words.slice(1).some((word) => /^(-c|--call|--shell-mode)(=|$)/.test(word))) return true;
  if (first === 'bun' && words[1] === 'exec') return true;
  if (first === 'ssh' && words.slice(1).filter((word) => !word.startsWith('-')).length > 1) return true;
  return words.some((word, at) => takesLine(programOf(word), words.slice(at + 1)));
};

const FETCHERS = new Set([...NPM, 'uvx', 'uv', 'pipx', 'deno', 'bun', 'go']);
const ELSEWHERE = /^(git\+|git:|git@|ssh:|file:|https?:|github:|gitlab:|bitbucket:|gist:)/i;

/** The place of the argument that has its package fetched from an address instead of a registry; null where none has. `npx user/repo` is one on GitHub. */
export const packageAddressAt = (command: string, args: readonly string[]): number | null => {
  const program = programOf(command);
  if (!FETCHERS.has(program)) return null;
  let named = false;
  for (const [at, arg] of args.entries()) {
    const before = args[at - 1] ?? '';
    const flagged = /^(-p|--package|--from|--with|--spec)$/.test(before) ? arg : /^--(?:package|from|with|spec)=(.+)$/.exec(arg)?.[1];
    if (flagged !== undefined) {
      if (ELSEWHERE.test(flagged.replace(/^[\w.-]+\s*@\s*(?=git\+|https?:)/i, ''))) return at;
      continue;
    }
    if (arg.startsWith('-') || named || /^(dlx|exec|x|run|tool|create)$/.test(arg)) continue;
    named = true;
    if (ELSEWHERE.test(arg) || (NPM.has(program) && /^[\w.-]+\/[\w.-]+(#.*)?$/.test(arg) && !arg.startsWith('.'))) return at;
  }
  return null;
};
