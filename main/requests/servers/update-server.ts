import type { Fault } from '../../../shared/fault.ts';
import { fault } from '../../../shared/fault.ts';
import type { InputOf } from '../../../shared/contract/contract.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Installation, ServerSpec } from '../../../shared/server.ts';
import type { ServerPool } from '../../servers/pool.ts';
import { readInstallation, saveInstallation } from '../../store/installations.ts';
import { addServerFact } from '../../store/server-facts.ts';
import { readServer, updateServer as writeServer, type ServerRow } from '../../store/servers.ts';
import { absentServer } from './absent-server.ts';
import type { AddServerDeps } from './add-server.ts';
import { relativeFolder } from './asked-folders.ts';
import { namedFolders } from './named-folders.ts';
import { canSeal, sealConfigValues } from './config-values.ts';
import { judgeConfiguration, judgeFolder } from './judge-launch.ts';
import { sealArgs } from './sealed-args.ts';
import { sealPlaceholders } from './sealed-placeholders.ts';

export interface UpdateServerDeps extends AddServerDeps {
  readonly pool: ServerPool;
  /** the server has to run with other values; `launchChanged`: its fingerprint is another one, not only a secret's value */
  readonly onLaunchChanged: (serverId: string, launchChanged: boolean) => Promise<void>;
}

type UpdateInput = InputOf<'servers:update'>;

/**
 * Changes a server's configuration. A changed launch stops the running server, empties its candidates at once and needs consent of its own (design section 2):
 * by `servers:connect` with the new fingerprint, or here with `consent: true` from someone who has seen it. A secret never follows to another command or address before that.
 */
export const updateServerConfiguration = async (input: UpdateInput, by: string, deps: UpdateServerDeps): Promise<Result<{ launchChanged: boolean; fingerprint: string }, Fault>> => {
  const found = deps.store.read((db) => readServer(db, input.serverId));
  if (!found) return err(absentServer(deps.store, input.serverId));
  let row: ServerRow = found;
  const spec = changedSpec(row.spec, input);
  if (!spec.ok) return spec;
  const unfit = judgeConfiguration({ spec: spec.value, args: input.args, env: input.env, headers: input.headers, placeholders: input.placeholders, before: row }, '') ?? relativeFolder((row.marketEntryId === null ? null : deps.catalog.get(row.marketEntryId)) ?? deps.catalog.entryFor(spec.value), { spec: newFolder(spec.value, input), args: input.args, env: input.env }, '') ?? (input.cwd === undefined && input.home === undefined ? null : judgeFolder(spec.value, deps.launchOf({ ...row, spec: spec.value, home: input.home ?? row.home }), ''));
  if (unfit) return err(unfit);

  const roots = namedFolders(input.roots);
  if (!roots.ok) return roots;
  const locked = canSeal([{ field: 'env', inputs: input.env }, { field: 'headers', inputs: input.headers }, { field: 'args', inputs: input.args }, { field: 'placeholders', inputs: input.placeholders }], deps.secrets);
  if (locked) return err(locked);
  let settings: ServerRow = {
    ...row,
    name: input.name ?? row.name,
    spec: spec.value,
    home: input.home ?? row.home,
    required: input.required ?? row.required,
    errorWords: input.errorWords ?? row.errorWords ?? 'words',
    roots: roots.value ?? row.roots ?? [],
    logLevel: input.logLevel ?? row.logLevel ?? 'default',
  };
  let installation: Installation | null = null;
  if (input.version !== undefined) {
    const installed = await reinstall(settings, deps);
    if (!installed.ok) return installed;
    installation = installed.value;
    // an installation takes a while: whoever changed the server meanwhile is not overruled
    const now = deps.store.read((db) => readServer(db, row.id));
    if (!now) return err(fault('conflict', `${row.id} was removed meanwhile`, { field: '/serverId', details: { state: 'removed' } }));
    row = now;
    settings = { ...now, spec: settings.spec, ...(input.name === undefined ? {} : { name: input.name }), ...(input.home === undefined ? {} : { home: input.home }), ...(input.required === undefined ? {} : { required: input.required }), ...(input.errorWords === undefined ? {} : { errorWords: input.errorWords }), ...(input.logLevel === undefined ? {} : { logLevel: input.logLevel }), ...(roots.value === null ? {} : { roots: roots.value }) };
  }
  const before = deps.launchOf(row);
  const env = sealConfigValues({ serverId: row.id, place: 'env', inputs: input.env, before: row.env }, deps);
  if (!env.ok) return env;
  const headers = sealConfigValues({ serverId: row.id, place: 'header', inputs: input.headers, before: row.headers }, deps);
  if (!headers.ok) return headers;
  const args = input.args === undefined ? null : sealArgs({ serverId: row.id, inputs: input.args, lead: [], before: row.args }, deps);
  if (args !== null && !args.ok) return args;
  const placeholders = sealPlaceholders({ serverId: row.id, inputs: input.placeholders, before: row.placeholders }, deps);
  if (!placeholders.ok) return placeholders;
  const next: ServerRow = { ...settings, args: args?.value.args ?? row.args, env: env.value.values, headers: headers.value.values, placeholders: placeholders.value.placeholders };
  const after = installation ? deps.launchOf(next, installation) : deps.launchOf(next);
  const launchChanged = before.fingerprint !== after.fingerprint;
  const secretsChanged = [...Object.values(input.env ?? {}), ...Object.values(input.headers ?? {}), ...Object.values(input.placeholders ?? {}), ...(input.args ?? [])].some((value) => value !== null && typeof value === 'object' && 'secret' in value);
  const consented = launchChanged && input.consent === true;
  const at = deps.clock.now();
  deps.store.write((db) => {
    writeServer(db, row.id, { ...next, consentedFingerprint: consented ? after.fingerprint : row.consentedFingerprint, ...(launchChanged ? { era: null, eraAt: null } : {}) });
    if (installation) saveInstallation(db, row.id, installation);
    if (launchChanged) addServerFact(db, row.id, { step: 'update', at, ok: true, data: { before: before.fingerprint, after: after.fingerprint, by, ...(installation ? { version: installation.version } : {}) } });
    if (consented) addServerFact(db, row.id, { step: 'consented', at, ok: true, data: { fingerprint: after.fingerprint, launch: after, by } });
  });
  for (const ref of [...env.value.replaced, ...headers.value.replaced, ...(args?.value.replaced ?? []), ...placeholders.value.replaced]) deps.secrets.remove(ref);
  if (launchChanged || secretsChanged) await deps.onLaunchChanged(row.id, launchChanged);
  else {
    if (next.logLevel !== row.logLevel) await deps.pool.configChanged(row.id);
    deps.onAdded(row.id);
  }
  if (roots.value !== null && roots.value.join('\n') !== (row.roots ?? []).join('\n')) deps.pool.rootsChanged(row.id);
  if (installation && row.quarantinedAt === null) deps.pool.resume(row.id);
  return ok({ launchChanged, fingerprint: after.fingerprint });
};

/** The other version beside the running one, which is stopped only when the new one is whole; on a fault the former one runs on as it was. Scripts allowed before stay allowed. */
const reinstall = async (row: ServerRow, deps: UpdateServerDeps): Promise<Result<Installation, Fault>> => {
  if (deps.jobs.get(row.id) !== null) return err(fault('conflict', `${row.id} is being installed already`, { field: '/serverId', remedy: 'Wait, or stop that installation.', details: { state: 'installing' } }));
  const former = deps.store.read((db) => readInstallation(db, row.id));
  const allowed = (former?.scripts ?? []).filter((script) => script.allowed).map((script) => script.package);
  let suspended = false;
  const installed = await deps.jobs.run(row, allowed, async () => {
    suspended = true;
    await deps.pool.suspend(row.id);
  });
  if (installed.ok) return installed;
  deps.jobs.forget(row.id);
  if (suspended) deps.pool.resume(row.id);
  deps.onAdded(row.id);
  return installed;
};

const only = (field: string, kind: string): Result<never, Fault> => err(fault('invalid_request', `only a ${kind} server has this`, { field: `/${field}`, remedy: 'Remove the field.' }));

/** With a working folder only where the update brings one: a row from before keeps what it has until that is changed. */
const newFolder = (spec: ServerSpec, input: UpdateInput): ServerSpec => (spec.kind === 'command' && input.cwd === undefined ? { kind: 'command', command: spec.command } : spec);

/** Arguments given in an update are all of them: those of the spec give way to the server's own. */
const withoutArgs = <S extends { args?: string[] | undefined }>(spec: S, input: UpdateInput): S => {
  if (input.args === undefined) return spec;
  const { args: _replaced, ...rest } = spec;
  return rest as S;
};

/** What add would refuse, checkSpec refuses after this; here is only what does not belong to this kind of server. */
const changedSpec = (spec: ServerSpec, input: UpdateInput): Result<ServerSpec, Fault> => {
  if (input.url !== undefined && spec.kind !== 'http') return only('url', 'remote');
  if ((input.command !== undefined || input.cwd !== undefined) && spec.kind !== 'command') return only(input.command === undefined ? 'cwd' : 'command', 'command');
  if (input.version !== undefined && spec.kind !== 'npm') return only('version', 'npm');
  if (input.args !== undefined && spec.kind === 'http') return only('args', 'local');
  const { url, command, cwd, version } = input;
  switch (spec.kind) {
    case 'http':
      return ok({ ...spec, ...(url === undefined ? {} : { url }) });
    case 'command':
      return ok({ ...withoutArgs(spec, input), ...(command === undefined ? {} : { command }), ...(cwd === undefined ? {} : { cwd }) });
    case 'npm':
      return ok({ ...withoutArgs(spec, input), ...(version === undefined ? {} : { version }) });
    case 'builtin':
      return ok(spec);
  }
};
