import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** What pacote and arborist take of the user's npm configuration. Holds credentials: never logged, never in evidence. */
export type RegistryOptions = Readonly<Record<string, unknown>>;

type Entries = Map<string, string | string[]>;

const unquote = (raw: string): string => {
  const value = raw.trim();
  const quoted = /^(["'])([\s\S]*)\1$/.exec(value);
  return quoted ? quoted[2]! : value.replace(/\s+[;#].*$/, '');
};

/** `${NAME}` and `${NAME?}` as npm reads them: an unset name stays as written, with `?` it becomes empty. */
const expand = (value: string, env: NodeJS.ProcessEnv): string =>
  value.replace(/(?<!\\)\$\{([^${}?]+)(\?)?\}/g, (whole, name: string, optional: string | undefined) => env[name] ?? (optional ? '' : whole));

/** One `.npmrc`: `key = value`, `key[] = value`, `;` and `#` comments. Later lines win. */
export const parseNpmrc = (text: string, env: NodeJS.ProcessEnv): Entries => {
  const entries: Entries = new Map();
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*([^;#=\s][^=]*?)\s*(?:=\s*([\s\S]*))?$/.exec(line);
    if (!match || line.trimStart().startsWith('[')) continue;
    const key = expand(match[1]!, env);
    const value = match[2] === undefined ? 'true' : expand(unquote(match[2]), env);
    if (!key.endsWith('[]')) entries.set(key, value);
    else {
      const before = entries.get(key.slice(0, -2));
      entries.set(key.slice(0, -2), [...(Array.isArray(before) ? before : []), value]);
    }
  }
  return entries;
};

const readFile = (path: string, env: NodeJS.ProcessEnv): Entries => {
  try {
    return parseNpmrc(readFileSync(path, 'utf8'), env);
  } catch {
    return new Map();
  }
};

/** `npm_config_fetch_retries` -> `fetch-retries`; keys that begin with `//` or `@` keep their form. */
const fromEnvironment = (env: NodeJS.ProcessEnv): Entries => {
  const entries: Entries = new Map();
  for (const [name, value] of Object.entries(env)) {
    const match = /^npm_config_(.+)$/i.exec(name);
    if (!match || !value) continue;
    const key = match[1]!;
    entries.set(/^(?:\/\/|@)/.test(key) ? key : key.toLowerCase().replace(/(?!^)_/g, '-'), value);
  }
  return entries;
};

/** Where npm keeps its global configuration on this platform; npm itself is not asked, it need not be there. */
const globalFiles = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform): readonly string[] => {
  const prefix = env['npm_config_prefix'] ?? env['PREFIX'];
  if (prefix) return [join(prefix, 'etc', 'npmrc')];
  if (platform === 'win32') return env['APPDATA'] ? [join(env['APPDATA'], 'npm', 'etc', 'npmrc')] : [];
  return ['/etc/npmrc', '/usr/etc/npmrc', '/usr/local/etc/npmrc', '/opt/homebrew/etc/npmrc'];
};

const asNumber = (value: string | string[] | undefined): number | undefined => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : NaN;
  return Number.isFinite(number) && number >= 0 ? number : undefined;
};

const readCa = (path: string): string[] | undefined => {
  try {
    return readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? undefined;
  } catch {
    return undefined;
  }
};

const safeHome = (): string => {
  try {
    return homedir();
  } catch {
    return '';
  }
};

/**
 * The user's npm configuration as far as it says where and how to fetch: registry (absent: the public one, which pacote knows), scoped registries, credentials, proxy, certificates, retries.
 * Order as npm's: environment, then the user's `.npmrc`, then the global one. Nothing in it can turn install scripts on, or the check of certificates off: `strict-ssl` is not read.
 */
export const readNpmConfig = (env: NodeJS.ProcessEnv = process.env, home: string = safeHome(), platform: NodeJS.Platform = process.platform): RegistryOptions => {
  const environment = fromEnvironment(env);
  const named = (key: string): string | undefined => {
    const value = environment.get(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const userFile = named('userconfig') ?? join(home, '.npmrc');
  const files = [...(named('globalconfig') ? [named('globalconfig')!] : globalFiles(env, platform)), userFile];
  const all: Entries = new Map();
  for (const layer of [...files.map((file) => readFile(file, env)), environment]) for (const [key, value] of layer) all.set(key, value);

  const text = (key: string): string | undefined => {
    const value = all.get(key);
    return typeof value === 'string' && value !== '' && value !== 'null' ? value : undefined;
  };
  const options: Record<string, unknown> = {
    fetchRetries: asNumber(all.get('fetch-retries')) ?? 2,
    fetchRetryMintimeout: asNumber(all.get('fetch-retry-mintimeout')) ?? 500,
    fetchRetryMaxtimeout: asNumber(all.get('fetch-retry-maxtimeout')) ?? 3_000,
    timeout: asNumber(all.get('fetch-timeout')) ?? 60_000,
    maxSockets: asNumber(all.get('maxsockets')) ?? 15,
  };
  const optional: Readonly<Record<string, unknown>> = {
    registry: text('registry'),
    proxy: text('proxy'),
    httpsProxy: text('https-proxy'),
    noProxy: text('noproxy'),
    localAddress: text('local-address'),
    cert: text('cert')?.replaceAll('\\n', '\n'),
    key: text('key')?.replaceAll('\\n', '\n'),
    ca: text('cafile') === undefined ? all.get('ca') : readCa(isAbsolute(text('cafile')!) ? text('cafile')! : resolve(dirname(userFile), text('cafile')!)),
  };
  for (const [key, value] of Object.entries(optional)) if (value !== undefined && value !== 'null') options[key] = value;
  for (const [key, value] of all) if (/^\/\/.+:/.test(key) || /^@[^:]+:registry$/.test(key)) options[key] = value;
  return options;
};
