import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { arch, release, totalmem } from 'node:os';
import type { LogLine, ServerState } from '../../shared/server.ts';
import { SettingsSchema } from '../../shared/settings.ts';
import type { HealthStatus, Settings } from '../../shared/settings.ts';
import type { PrivacyFilter } from '../evidence/privacy-filter.ts';
import type { Store } from '../store/database.ts';
import { LONGEST_COMPARED, lastFailures, lastInputs, wordsOfPersons } from '../store/failures.ts';
import { readInstallation } from '../store/installations.ts';
import { listServers } from '../store/servers.ts';
import type { ServerRow } from '../store/servers.ts';
import { fileStamp } from '../store/set-aside.ts';
import { redactValue, redactor, typedHider, typedTexts } from './redact.ts';
import type { Identity } from './redact.ts';

export interface ReportDeps {
  readonly store: Store;
  readonly filter: Pick<PrivacyFilter, 'value'>;
  readonly identity: Identity;
  readonly now: () => number;
  readonly health: () => HealthStatus;
  readonly settings: () => Settings;
  readonly stateOf: (serverId: string) => ServerState;
  readonly logs: (serverId: string) => readonly LogLine[];
}

const FAILURES = 50;
/** A line of a log may repeat the input of a call that did not fail. */
const INPUTS = 200;
/** In a log, where it may be of any call; in the message of its own call any value goes. */
const SHORTEST_IN_LOG = 8;
const LOG_LINES = 300;
const SERVER_LINES = 60;
const FIRST_SERVER_LINES = 20;

/** A flood at the end does not push out how it began. */
const firstAndLast = (lines: readonly LogLine[]): readonly LogLine[] => (lines.length <= FIRST_SERVER_LINES + SERVER_LINES ? lines : [...lines.slice(0, FIRST_SERVER_LINES), ...lines.slice(-SERVER_LINES)]);

const isChoice = (key: string, value: unknown): boolean => {
  const schema = SettingsSchema.shape[key as keyof Settings];
  return typeof value !== 'string' || (schema !== undefined && 'options' in schema);
};

/** A text that somebody typed may be an address or a path of theirs: only whether it is set is told. */
const toldSettings = (settings: Settings): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, isChoice(key, value) ? value : value === '' ? '(not set)' : '(set)']));

/** What it is and how it stands. Arguments, values, folders and addresses stay out, whatever they hold. */
const toldServer = (row: ServerRow, { store, stateOf }: ReportDeps): Readonly<Record<string, unknown>> => {
  const installation = store.read((db) => readInstallation(db, row.id));
  const state = stateOf(row.id);
  return {
    id: row.id,
    kind: row.spec.kind,
    ...(row.spec.kind === 'npm' ? { package: row.spec.package } : row.spec.kind === 'builtin' ? { builtin: row.spec.name } : row.spec.kind === 'command' ? { program: row.spec.command.split(/[\\/]/).at(-1) } : { address: scheme(row.spec.url) }),
    ...(installation ? { version: installation.version } : {}),
    marketEntry: row.marketEntryId,
    enabled: row.enabled,
    required: row.required,
    quarantined: row.quarantinedAt !== null,
    arguments: row.args.length + ('args' in row.spec ? (row.spec.args?.length ?? 0) : 0),
    variables: Object.keys(row.env).length,
    headers: Object.keys(row.headers).length,
    state: state.state,
    ...(state.state === 'unavailable' ? { code: state.code, message: state.fault.message, tries: state.tries } : {}),
  };
};

/** Every plain text of a server's configuration: a log or a message may repeat it. */
const configuredTexts = ({ spec, args, env, headers }: ServerRow): readonly string[] => [
  ...(spec.kind === 'command' ? [spec.command, ...(spec.args ?? []), spec.cwd ?? ''] : spec.kind === 'npm' ? (spec.args ?? []) : spec.kind === 'http' ? [spec.url] : []),
  ...args.filter((arg) => typeof arg === 'string'),
  ...[...Object.values(env), ...Object.values(headers)].flatMap((value) => ('plain' in value ? [value.plain] : [])),
];

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
};

/** The message of a call without what it repeats of the call's input or of what a person wrote. */
const toldMessage = (message: string | null, input: string | null, persons: readonly string[]): string | null => {
  if (message === null) return null;
  if (input !== null && input.length > LONGEST_COMPARED) return '(left out: the input is too long to compare)';
  // a short reason would stand in ordinary text, but it ends the sentence
  const reason = persons.find((text) => message.endsWith(`: ${text}`));
  const plain = reason === undefined ? message : `${message.slice(0, -reason.length)}[reason]`;
  return typedHider([...persons, ...(input === null ? [] : typedTexts(parsed(input)))], plain)(plain);
};

const scheme = (url: string): string => `${url.split(':')[0]}:`;

const tail = (path: string, lines: number): readonly string[] => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter((line) => line !== '').slice(-lines) : []);

/**
 * The text of a problem report (JSON): versions, health, settings and servers without what is theirs, the last failures with their codes, and the ends of
 * the logs. The filter of the evidence goes over all of it, then names of the account, the computer and its folders are taken out. Nothing is sent.
 */
export const problemReport = (deps: ReportDeps): { readonly fileName: string; readonly text: string } => {
  const { store, identity, now } = deps;
  const health = deps.health();
  const { dataDir: _dataDir, serversDetail: _detail, ...rest } = health;
  const servers = store.read(listServers);
  const persons = store.read(wordsOfPersons);
  const failures = store.read((db) => lastFailures(db, FAILURES));
  const report = {
    format: 'gantry-report/1',
    madeAt: new Date(now()).toISOString(),
    about: 'Made on the computer that has the problem, shown there, and sent nowhere by Gantry. Secrets, arguments, values, inputs of calls, what persons wrote beside their decisions, addresses and names of the account and its folders are left out.',
    system: { platform: process.platform, arch: arch(), release: release(), memoryMiB: Math.round(totalmem() / 2 ** 20), node: process.versions.node },
    health: rest,
    settings: toldSettings(deps.settings()),
    servers: servers.map((row) => toldServer(row, deps)),
    failures: failures.map(({ input: _input, at, ...rest }) => ({ ...rest, at: new Date(at).toISOString() })),
    log: tail(join(identity.dataDir, 'logs', 'gantry.log'), LOG_LINES),
    serverLogs: Object.fromEntries(servers.map((row) => [row.id, firstAndLast(deps.logs(row.id)).map((line) => `${new Date(line.at).toISOString()} ${line.source}: ${line.text}${line.count === undefined ? '' : ` (${line.count} times)`}`)])),
  };
  // secrets first: what is taken out before may leave the rest of one standing
  const masked = deps.filter.value(report).value as typeof report;
  const typed = [...persons, ...store.read((db) => lastInputs(db, INPUTS)).flatMap((input) => typedTexts(parsed(input)))];
  const free = [...masked.servers.map((one) => one['message']), ...masked.log, ...Object.values(masked.serverLogs).flat()];
  const hide = typedHider(typed, free.join('\n'), SHORTEST_IN_LOG);
  const untyped = {
    ...masked,
    servers: masked.servers.map((one) => (typeof one['message'] === 'string' ? { ...one, message: hide(one['message']) } : one)),
    failures: masked.failures.map((one, i) => ({ ...one, message: toldMessage(one.message, failures[i]!.input, persons) })),
    log: masked.log.map(hide),
    serverLogs: Object.fromEntries(Object.entries(masked.serverLogs).map(([id, lines]) => [id, lines.map(hide)])),
  };
  const told = redactValue(untyped, redactor(identity, servers.flatMap(configuredTexts)));
  return { fileName: `gantry-report-${fileStamp(now())}.json`, text: `${JSON.stringify(told, null, 2)}\n` };
};
