import { parsePackageRequest } from '../package-request.ts';
import type { FoundServer } from './found-server.ts';
import { splitWords } from './split-words.ts';

/** How a command is to be understood: wrappers taken off, and what else it amounts to. */
export interface ReadLauncher {
  readonly command: string;
  readonly args: readonly string[];
  /** variables that `env NAME=value ..` set */
  readonly env: readonly (readonly [string, string])[];
  /** the package it runs through npx, `npm exec`, `pnpm dlx` or `yarn dlx`; `from` is the index of its first own argument */
  readonly npm: { readonly package: string; readonly version: string | null; readonly from: number } | null;
  /** the endpoint that mcp-remote would connect to, with the headers it would send */
  readonly remote: { readonly url: string; readonly headers: readonly (readonly [string, string])[] } | null;
  readonly split: boolean;
  readonly unwrapped: boolean;
}

/** Programs that start MCP servers in public configurations; others are pointed out. */
export const KNOWN_LAUNCHERS: ReadonlySet<string> = new Set(['npx', 'npm', 'pnpm', 'yarn', 'bunx', 'bun', 'node', 'deno', 'tsx', 'uvx', 'uv', 'pipx', 'python', 'python3', 'py', 'docker', 'podman', 'java', 'dotnet', 'dnx', 'go', 'cargo', 'ruby', 'php', 'mise', 'nix']);

/** Name of a program without its folder and its ending. */
export const programOf = (command: string): string => command.split(/[\\/]/).at(-1)!.toLowerCase().replace(/\.(exe|cmd|bat|ps1)$/, '');

/** Index of the first word that is no flag; -1 where a flag changes what is run and is not known, or nothing follows. */
const afterFlags = (args: readonly string[], from: number, plain: ReadonlySet<string>): number => {
  let at = from;
  while (at < args.length && plain.has(args[at]!)) at += 1;
  if (args[at] === '--') at += 1;
  return at < args.length && !args[at]!.startsWith('-') ? at : -1;
};

const NPX_FLAGS: ReadonlySet<string> = new Set(['-y', '--yes', '-q', '--quiet', '--silent', '-s', '--prefer-online', '--prefer-offline', '--no-install=false', '--ignore-existing']);
const EXEC_FLAGS: ReadonlySet<string> = new Set([...NPX_FLAGS]);

const packageAt = (args: readonly string[], at: number): ReadLauncher['npm'] => {
  const word = args[at];
  if (at < 0 || word === undefined || word.includes('${')) return null;
  const parsed = parsePackageRequest({ package: word });
  if (!parsed.ok) return null;
  return { package: parsed.value.name, version: word.indexOf('@', 1) > 0 ? parsed.value.version : null, from: at + 1 };
};

const npmOf = (program: string, args: readonly string[]): ReadLauncher['npm'] => {
  if (program === 'npx') {
    // npx -p package its-bin: the same only where the bin is the package's own name
    const flag = args.findIndex((arg, at) => (arg === '-p' || arg === '--package' || arg.startsWith('--package=')) && args.slice(0, at).every((one) => NPX_FLAGS.has(one)));
    if (flag >= 0) {
      const inline = args[flag]!.startsWith('--package=');
      const spec = inline ? args[flag]!.slice(10) : args[flag + 1];
      const bin = afterFlags(args, flag + (inline ? 1 : 2), NPX_FLAGS);
      const found = spec === undefined ? null : packageAt([spec], 0);
      return found !== null && bin >= 0 && args[bin] === found.package.split('/').at(-1) ? { ...found, from: bin + 1 } : null;
    }
    return packageAt(args, afterFlags(args, 0, NPX_FLAGS));
  }
  if (program === 'npm' && (args[0] === 'exec' || args[0] === 'x')) {
    const at = afterFlags(args, 1, EXEC_FLAGS);
    const found = packageAt(args, at);
    return found === null ? null : { ...found, from: args[found.from] === '--' ? found.from + 1 : found.from };
  }
  if ((program === 'pnpm' || program === 'yarn') && args[0] === 'dlx') return packageAt(args, afterFlags(args, 1, NPX_FLAGS));
  if (program === 'pnpx') return packageAt(args, afterFlags(args, 0, NPX_FLAGS));
  return null;
};

/** mcp-remote bridges a remote server to standard input and output; Gantry speaks to it itself. Source: geelen/mcp-remote, README. */
const remoteOf = (args: readonly string[], env: readonly (readonly [string, string])[]): ReadLauncher['remote'] => {
  const values = new Map(env);
  const used = new Set<string>();
  let url: string | null = null;
  const headers: (readonly [string, string])[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!;
    if (arg === '--header') {
      const text = args[(at += 1)] ?? '';
      const colon = text.indexOf(':');
      if (colon < 1) return null;
      // it fills in its own environment here
      const value = text.slice(colon + 1).trim().replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (raw, name: string) => {
        const own = values.get(name);
        if (own !== undefined) used.add(name);
        return own ?? raw;
      });
      headers.push([text.slice(0, colon).trim(), value]);
    } else if (arg === '--transport') at += 1;
    else if (arg === '--allow-http' || arg === '--debug') continue;
    else if (/^https?:\/\//i.test(arg) && url === null) url = arg;
    else if (!/^\d{2,5}$/.test(arg)) return null;
  }
  return url === null || env.some(([name]) => !used.has(name)) ? null : { url, headers };
};

interface Unwrapped {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly (readonly [string, string])[];
}

/** `cmd /c program ..` is there only so that Windows finds a batch file. What needs cmd itself is left as it is. */
const withoutCmd = (args: readonly string[]): Unwrapped | null => {
  const c = args.findIndex((arg) => /^\/c$/i.test(arg));
  if (c < 0 || !args.slice(0, c).every((arg) => /^\/[dsq]$/i.test(arg))) return null;
  let rest = args.slice(c + 1);
  if (rest.length === 1 && /\s/.test(rest[0]!)) rest = [...splitWords(rest[0]!).words];
  if (rest.length === 0 || rest[0] === '' || rest.some((arg) => /[&|<>^%]/.test(arg)) || /^(start|call|set|cd|echo)$/i.test(rest[0]!)) return null;
  return { command: rest[0]!, args: rest.slice(1), env: [] };
};

/** `env NAME=value .. program ..`. With a flag it does more than set variables, and is left as it is. */
const withoutEnv = (args: readonly string[]): Unwrapped | null => {
  const env: (readonly [string, string])[] = [];
  let at = 0;
  for (; /^[A-Za-z_][A-Za-z0-9_]*=/.test(args[at] ?? ''); at += 1) env.push([args[at]!.slice(0, args[at]!.indexOf('=')), args[at]!.slice(args[at]!.indexOf('=') + 1)]);
  const program = args[at];
  return program === undefined || program.startsWith('-') ? null : { command: program, args: args.slice(at + 1), env };
};

/** Reads the command of a server. What cannot be read with certainty stays as it was written. */
export const readLauncher = (server: Pick<FoundServer, 'command' | 'args' | 'env'>): ReadLauncher => {
  let command = server.command ?? '';
  let args: readonly string[] = server.args;
  const env: (readonly [string, string])[] = [];
  let split = false;
  let unwrapped = false;
  const words = splitWords(command);
  // a whole command line in the place of the command: only where its first word is a known launcher, since paths hold spaces too
  if (words.words.length > 1 && !words.shell && words.openAt < 0 && !/[\\/]/.test(words.words[0]!) && (KNOWN_LAUNCHERS.has(programOf(words.words[0]!)) || ['cmd', 'env'].includes(programOf(words.words[0]!)))) {
    command = words.words[0]!;
    args = [...words.words.slice(1), ...args];
    split = true;
  }
  for (let layer = 0; layer < 4; layer += 1) {
    const program = programOf(command);
    const inner = program === 'cmd' ? withoutCmd(args) : program === 'env' ? withoutEnv(args) : null;
    if (inner === null) break;
    ({ command, args } = inner);
    env.push(...inner.env);
    unwrapped = true;
  }
  const npm = npmOf(programOf(command), args);
  const remote = npm?.package === 'mcp-remote' ? remoteOf(args.slice(npm.from), [...server.env, ...env]) : null;
  return { command, args, env, npm, remote, split, unwrapped };
};

/** A name for a server that has none. */
export const nameFor = (server: Pick<FoundServer, 'command' | 'url'>, read: ReadLauncher): string => {
  if (server.url !== null) {
    try {
      return new URL(server.url.replace(/\$\{[^}]*\}/g, 'x')).hostname;
    } catch {
      return 'server';
    }
  }
  if (read.npm !== null) return read.npm.package.replace(/^@[^/]+\//, '');
  const program = programOf(read.command);
  if (['uvx', 'pipx', 'bunx', 'dnx'].includes(program)) {
    const word = read.args.find((arg) => !arg.startsWith('-') && arg !== 'run');
    if (word !== undefined) return word.split(/[@=<>[]/)[0]!.split('/').at(-1)! || program;
  }
  if (program === 'docker' || program === 'podman') {
    const image = read.args.find((arg, at) => at > 0 && !arg.startsWith('-') && !/^(-e|--env|-v|--volume|--mount|-p|--network|--name|-w|-u|--user)$/.test(read.args[at - 1]!) && /^[a-z0-9][\w./-]*(:[\w.-]+)?(@sha256:[a-f0-9]+)?$/.test(arg) && arg !== 'run');
    if (image !== undefined) return image.split('@')[0]!.split('/').at(-1)!.split(':')[0]!;
  }
  const script = ['node', 'python', 'python3', 'tsx', 'deno', 'bun'].includes(program) ? read.args.find((arg) => /\.(m?[jt]s|cjs|py)$/.test(arg)) : undefined;
  return (script === undefined ? program : script.split(/[\\/]/).at(-1)!.replace(/\.\w+$/, '')) || 'server';
};
