import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ConfigValue, Installation, Launch, Placeholders, ServerSpec } from '../../shared/server.ts';
import type { ServerRow } from '../store/servers.ts';
import { inheritedEnvironment } from './launch-environment.ts';
import { TOKEN_NAME } from './process-identity.ts';

export interface LaunchInput {
  readonly server: Pick<ServerRow, 'id' | 'spec' | 'args' | 'env' | 'headers' | 'placeholders' | 'home'>;
  readonly installation: Installation | null;
  readonly dataDir: string;
  /** absolute path of the Node that runs npm servers */
  readonly hostNode: string;
  /** folder of assets/, for first-party servers that were not copied into an installation */
  readonly assetsDir?: string;
  /** the absolute file of a command name, or null when it is not found now */
  readonly resolveCommand?: (command: string, cwd: string) => string | null;
  /** environment names that the network settings give it: shown, and no part of the fingerprint, as PATH is none */
  readonly networkNames?: readonly string[];
  readonly hostEnv?: Readonly<Record<string, string | undefined>>;
  readonly userHome?: string;
}

/** An app of npm or of ours: the Node that Gantry brings runs it. */
export const runsOnOwnNode = ({ kind }: ServerSpec): boolean => kind === 'npm' || kind === 'builtin';

/** The home folder of an app that does not get the user's. */
export const ownHome = (dataDir: string, serverId: string): string => join(dataDir, 'homes', serverId);

const sorted = <T>(record: Readonly<Record<string, T>>): [string, T][] => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
/** A secret counts by its place, not by its value or the name it is stored under: the launch shown before adding is the one that is stored. */
const byPlace = (_key: string, value: unknown): unknown => (typeof value === 'object' && value !== null && 'secretRef' in value ? { secret: true } : value);
const mark = (parts: unknown): string => createHash('sha256').update(JSON.stringify(['gantry-launch-1', parts], byPlace), 'utf8').digest('hex');

/** A place inside the data or assets folder by its name, so that moving the folder or updating Gantry's Node is no other launch. */
const portable = (path: string, base: string): string => (isAbsolute(path) ? relative(base, path).split(sep).join('/') : path);

/** `~` and `~/..` as people write them: no shell is there to read it. */
export const fromHome = (path: string, userHome: string = homedir()): string => (path === '~' ? userHome : /^~[\\/]/.test(path) ? join(userHome, path.slice(2)) : path);

/** `<secretRef>` in a header or a value is the reference; plain text is itself. HTTP names are compared without case. */
const headerNames = (headers: Readonly<Record<string, ConfigValue>>): [string, ConfigValue][] =>
  sorted(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])));

/** Which names are filled in, and from which variable; whether a value is masked is no part of a launch. */
const placeholderMarks = (placeholders: Readonly<Placeholders>): unknown => sorted(placeholders).map(([name, one]) => [name, 'variable' in one ? { variable: one.variable } : one]);

/**
 * Exactly what will run, or be contacted, with its fingerprint (design section 2, launch / endpoint). Pure: reads nothing but its input.
 * The fingerprint covers the command as configured, arguments, working folder, home, package version, integrity and lock, names and plain values of the environment,
 * references of secrets (not their values), also among the arguments, URL and headers, and what placeholders stand for (not their values). The absolute file of a command is shown and is what runs.
 */
export const buildLaunch = (input: LaunchInput): Launch => {
  const { server, installation } = input;
  const { spec } = server;
  const filled = server.placeholders === null ? [] : [placeholderMarks(server.placeholders)];
  const placeholders = server.placeholders === null ? {} : { placeholders: server.placeholders };
  if (spec.kind === 'http') {
    return { kind: 'http', url: spec.url, headers: { ...server.headers }, ...placeholders, fingerprint: mark(['http', spec.url, headerNames(server.headers), ...filled]) };
  }
  const userHome = input.userHome ?? homedir();
  const home = server.home === 'own' ? ownHome(input.dataDir, server.id) : userHome;
  const environment = sorted(server.env);
  const inheritedEnv = [...new Set([...Object.keys(inheritedEnvironment(input.hostEnv ?? process.env)), ...(input.networkNames ?? []), TOKEN_NAME])]
    .filter((name) => !Object.hasOwn(server.env, name))
    .sort();
  const common = { kind: 'stdio' as const, env: Object.fromEntries(environment), inheritedEnv, home, ...placeholders };

  if (spec.kind === 'command') {
    const args = [...(spec.args ?? []), ...server.args];
    const cwd = spec.cwd === undefined ? home : resolve(home, fromHome(spec.cwd, userHome));
    const command = input.resolveCommand?.(fromHome(spec.command, userHome), cwd) ?? spec.command;
    const homeMark = server.home === 'own' ? 'own' : 'user';
    return { ...common, command, args, cwd, fingerprint: mark(['command', spec.command, args, spec.cwd ?? null, homeMark, environment, ...filled]) };
  }

  const ownArgs = [...(spec.kind === 'npm' ? (spec.args ?? []) : []), ...server.args];
  const base = installation?.dir ?? input.assetsDir ?? input.dataDir;
  const entry =
    installation === null
      ? spec.kind === 'builtin'
        ? join(base, 'servers', spec.name, 'server.mjs')
        : ''
      : isAbsolute(installation.entry)
        ? installation.entry
        : join(installation.dir, installation.entry);
  const packageFacts = installation === null ? null : { name: installation.package, version: installation.version, integrity: installation.integrity, lockSha256: installation.lockSha256 };
  const identity = [spec.kind, spec.kind === 'npm' ? spec.package : spec.name, packageFacts, portable(entry, base), ownArgs, server.home, environment, ...filled];
  return {
    ...common,
    command: input.hostNode,
    args: [entry, ...ownArgs],
    cwd: home,
    ...(packageFacts === null ? {} : { package: packageFacts }),
    fingerprint: mark(identity),
  };
};
