import type { Fault } from '../../../shared/fault.ts';
import { fault } from '../../../shared/fault.ts';
import type { InputOf } from '../../../shared/contract/contract.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Installation, Launch } from '../../../shared/server.ts';
import type { Clock } from '../../clock.ts';
import type { Catalog } from '../../market/catalog.ts';
import type { Installer } from '../../market/installer.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { Store } from '../../store/database.ts';
import { saveInstallation } from '../../store/installations.ts';
import { addServerFact } from '../../store/server-facts.ts';
import { insertServer, listServerIds, type ServerRow } from '../../store/servers.ts';
import { relativeFolder } from './asked-folders.ts';
import { canSeal, sealConfigValues } from './config-values.ts';
import { sealPlaceholders, shownPlaceholders } from './sealed-placeholders.ts';
import type { InstallJobs } from './install-jobs.ts';
import { judgeConfiguration, judgeFolder } from './judge-launch.ts';
import { marketRefusal, type MarketGateDeps } from './market-gate.ts';
import type { LaunchOf } from './server-view.ts';
import { specArgs } from '../../servers/argument-places.ts';
import { sealArgs, shownArgs } from './sealed-args.ts';
import { deriveServerId, nameOf } from './server-id.ts';

export interface AddServerDeps extends MarketGateDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly catalog: Catalog;
  readonly installer: Installer;
  readonly jobs: InstallJobs;
  readonly launchOf: LaunchOf;
  /** environment the host itself gives a first-party server */
  readonly builtInEnvironment: (name: string) => Readonly<Record<string, string>>;
  readonly onAdded: (serverId: string) => void;
  /** tells the windows, and the environment facts, that a server or its installation is gone */
  readonly onRemoved: (serverId: string) => void;
}

type AddInput = InputOf<'servers:add'>;

/** Asked of the ids alone: one whose row cannot be read is taken too. */
const takenBy = ({ store, jobs }: Pick<AddServerDeps, 'store' | 'jobs'>): ((id: string) => boolean) => {
  const stored = new Set(store.read(listServerIds));
  return (id) => jobs.get(id) !== null || stored.has(id);
};

/** A free id after a name, whatever kind of server has it. */
export const idForName = (name: string, deps: Pick<AddServerDeps, 'store' | 'jobs'>): string => deriveServerId({ kind: 'command', command: name }, takenBy(deps), { name });

/** A row as it would be stored, with nothing sealed and nothing written: for the preview. Secret values appear as a reference named after their place. */
export const previewRow = (input: Pick<AddInput, 'spec' | 'name' | 'args' | 'env' | 'headers' | 'placeholders' | 'home' | 'marketEntryId'>, deps: AddServerDeps): Result<ServerRow, Fault> => {
  const bad = checkAddInput(input, deps);
  if (bad) return err(bad);
  const id = deriveServerId(input.spec, takenBy(deps), { name: input.name, entryId: input.marketEntryId });
  const shown = (values: AddInput['env'], place: string): ServerRow['env'] =>
    Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, typeof value === 'string' ? { plain: value } : { secretRef: `${place}.${name}` }]));
  const folder = judgeFolder(input.spec, deps.launchOf(emptyRow(id, input, deps)), '/spec');
  if (folder) return err(folder);
  return ok({ ...emptyRow(id, input, deps), args: shownArgs(input.args ?? [], specArgs(input.spec)), env: { ...builtIn(input.spec, deps), ...shown(input.env, 'env') }, headers: shown(input.headers, 'header'), placeholders: shownPlaceholders(input.placeholders) });
};

/**
 * Adds a server; for npm and built-in apps installs it first. On a fault nothing stays behind: no row, no files, no sealed secret.
 * Adding is the consent to the launch that `servers:preview` showed, unless `consent` is false. `origin`: where it came from, for the record; nothing secret.
 */
export const addServer = async (input: AddInput, by: string, deps: AddServerDeps, origin: Readonly<Record<string, unknown>> = {}): Promise<Result<{ serverId: string }, Fault>> => {
  const bad = checkAddInput(input, deps) ?? marketRefusal(input.marketEntryId, input.acceptWithdrawn ?? false, deps);
  if (bad) return err(bad);
  const taken = takenBy(deps);
  if (input.serverId !== undefined && taken(input.serverId)) {
    const failed = deps.jobs.get(input.serverId)?.state.state === 'unavailable';
    if (!failed) return err(fault('conflict', `a server named ${input.serverId} exists already`, { field: '/serverId', remedy: 'Choose another id, or remove that server first.' }));
    deps.secrets.removeForServer(input.serverId);
    deps.jobs.forget(input.serverId);
  }
  const locked = canSeal([{ field: 'env', inputs: input.env }, { field: 'headers', inputs: input.headers }, { field: 'args', inputs: input.args }, { field: 'placeholders', inputs: input.placeholders }], deps.secrets);
  if (locked) return err(locked);
  const id = input.serverId ?? deriveServerId(input.spec, taken, { name: input.name, entryId: input.marketEntryId });
  const folder = judgeFolder(input.spec, deps.launchOf(emptyRow(id, input, deps)), '/spec');
  if (folder) return err(folder);
  const env = sealConfigValues({ serverId: id, place: 'env', inputs: input.env, before: builtIn(input.spec, deps) }, deps);
  if (!env.ok) return env;
  const headers = sealConfigValues({ serverId: id, place: 'header', inputs: input.headers, before: {} }, deps);
  if (!headers.ok) {
    deps.secrets.removeForServer(id);
    return headers;
  }
  const args = sealArgs({ serverId: id, inputs: input.args ?? [], lead: specArgs(input.spec), before: [] }, deps);
  if (!args.ok) {
    deps.secrets.removeForServer(id);
    return args;
  }
  const placeholders = sealPlaceholders({ serverId: id, inputs: input.placeholders, before: null }, deps);
  if (!placeholders.ok) {
    deps.secrets.removeForServer(id);
    return placeholders;
  }
  const row: ServerRow = { ...emptyRow(id, input, deps), args: args.value.args, env: env.value.values, headers: headers.value.values, placeholders: placeholders.value.placeholders };
  const consent = input.consent ?? true;
  if (row.spec.kind === 'command' || row.spec.kind === 'http') return storeServer(row, null, consent, by, deps, origin);

  const work = deps.jobs.run(row, input.allowScripts ?? []).then((installed): Result<{ serverId: string }, Fault> => {
    if (!installed.ok) return installed;
    return storeServer(row, installed.value, consent, by, deps, origin);
  });
  if (input.wait === false) return ok({ serverId: id });
  const done = await work;
  if (!done.ok) {
    deps.jobs.forget(id);
    deps.onRemoved(id);
    deps.secrets.removeForServer(id);
  }
  return done;
};

const storeServer = (row: ServerRow, installation: Installation | null, consent: boolean, by: string, deps: AddServerDeps, origin: Readonly<Record<string, unknown>>): Result<{ serverId: string }, Fault> => {
  const launch = deps.launchOf(row, installation);
  const at = deps.clock.now();
  deps.store.write((db) => {
    insertServer(db, { ...row, consentedFingerprint: consent ? launch.fingerprint : null });
    if (installation) saveInstallation(db, row.id, installation);
    addServerFact(db, row.id, { step: 'installed', at, ok: true, data: { ...installedFact(launch, installation), ...origin } });
    if (consent) addServerFact(db, row.id, { step: 'consented', at, ok: true, data: { fingerprint: launch.fingerprint, by, launch } });
  });
  deps.onAdded(row.id);
  return ok({ serverId: row.id });
};

const installedFact = (launch: Launch, installation: Installation | null): Record<string, unknown> =>
  installation ? { package: installation.package, version: installation.version, integrity: installation.integrity, sizeBytes: installation.sizeBytes } : launch.kind === 'http' ? { url: launch.url } : { command: launch.command };

const builtIn = (spec: ServerRow['spec'], deps: Pick<AddServerDeps, 'builtInEnvironment'>): ServerRow['env'] =>
  spec.kind === 'builtin' ? Object.fromEntries(Object.entries(deps.builtInEnvironment(spec.name)).map(([name, plain]) => [name, { plain }])) : {};

const emptyRow = (id: string, input: Pick<AddInput, 'spec' | 'home' | 'marketEntryId'> & { name?: string | undefined; required?: boolean | undefined; errorWords?: ServerRow['errorWords'] | undefined; logLevel?: ServerRow['logLevel'] | undefined; enabled?: boolean | undefined }, deps: Pick<AddServerDeps, 'clock' | 'catalog'>): ServerRow => ({
  id,
  name: input.name ?? (input.marketEntryId === undefined ? undefined : deps.catalog.get(input.marketEntryId)?.name) ?? deps.catalog.entryFor(input.spec)?.name ?? nameOf(input.spec),
  spec: input.spec,
  args: [],
  env: {},
  headers: {},
  placeholders: null,
  // An app someone else wrote gets a home of its own; a command the user typed is the user's own program.
  home: input.home ?? (input.spec.kind === 'command' ? 'user' : 'own'),
  enabled: input.enabled ?? true,
  required: input.required ?? false,
  errorWords: input.errorWords ?? 'words',
  logLevel: input.logLevel ?? 'default',
  era: null,
  eraAt: null,
  marketEntryId: input.marketEntryId ?? deps.catalog.entryFor(input.spec)?.id ?? null,
  quarantinedAt: null,
  consentedFingerprint: null,
  createdAt: deps.clock.now(),
});

const checkAddInput = (input: Pick<AddInput, 'spec' | 'args' | 'env' | 'headers' | 'placeholders' | 'marketEntryId'>, deps: Pick<AddServerDeps, 'catalog'>): Fault | null => {
  const unfit = judgeConfiguration(input, '/spec');
  if (unfit) return unfit;
  if (input.marketEntryId !== undefined && deps.catalog.get(input.marketEntryId) === null) {
    return fault('not_found', `the market has no entry ${input.marketEntryId}`, { field: '/marketEntryId', remedy: 'Search the market for the present entries.' });
  }
  return relativeFolder((input.marketEntryId === undefined ? null : deps.catalog.get(input.marketEntryId)) ?? deps.catalog.entryFor(input.spec), input, '/spec');
};
