import { rm } from 'node:fs/promises';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Contact } from '../../../shared/outbound.ts';
import type { Launch, ReachedPlace } from '../../../shared/server.ts';
import type { ServerIcons } from '../../icons/server-icons.ts';
import { fromHome, ownHome } from '../../servers/launch.ts';
import { isDangerousName } from '../../servers/launch-environment.ts';
import { readInstallation } from '../../store/installations.ts';
import { addServerFact } from '../../store/server-facts.ts';
import { listServerIds, listServers, readServer, updateServer, type ServerRow } from '../../store/servers.ts';
import { listUnreadableServers } from '../../store/unreadable-servers.ts';
import { onRecord, type HandlersOf } from '../handlers.ts';
import { absentServer, unreadableSummary } from './absent-server.ts';
import { addressRequests } from './address-requests.ts';
import { addServer, previewRow } from './add-server.ts';
import { commandWarning } from './command-warning.ts';
import { signInRequests } from './sign-in-requests.ts';
import { marketWarnings } from './market-gate.ts';
import { describeServer, summarizeServer, type ServerViewDeps } from './server-view.ts';
import { updateServerConfiguration, type UpdateServerDeps } from './update-server.ts';

export interface ServersRequestsDeps extends ServerViewDeps, UpdateServerDeps {
  readonly dataDir: string;
  readonly icons: Pick<ServerIcons, 'png'>;
  /** whom the host contacted since its start */
  readonly contacts: () => readonly Contact[];
  /** no approval of this server stands any more */
  readonly onServerGone: (serverId: string, cause: 'quarantined' | 'removed' | 'disabled') => void;
}

export const serversRequests = (deps: ServersRequestsDeps): HandlersOf<'servers'> => {
  const { store, pool, registry, secrets, jobs, clock } = deps;
  const missing = (serverId: string): Result<never, Fault> => err(absentServer(store, serverId));
  const rowOf = (serverId: string): ServerRow | null => jobs.get(serverId)?.row ?? store.read((db) => readServer(db, serverId));
  const withRow = async <T>(serverId: string, then: (row: ServerRow) => Result<T, Fault> | Promise<Result<T, Fault>>): Promise<Result<T, Fault>> => {
    const row = store.read((db) => readServer(db, serverId));
    if (row) return then(row);
    const job = jobs.get(serverId);
    return job ? err(fault('conflict', `${serverId} is not installed`, { field: '/serverId', remedy: 'Wait for the installation, or remove it and add it again.', details: { state: job.state.state } })) : missing(serverId);
  };

  return {
    'servers:preview': async (input) => {
      const row = previewRow(input, deps);
      if (!row.ok) return row;
      // a first-party app is described, not installed, so that the launch shown is the one that will run, to the fingerprint
      const described = row.value.spec.kind === 'builtin' ? await deps.installer.install({ serverId: row.value.id, spec: row.value.spec, allowScripts: [], signal: new AbortController().signal, onProgress: () => {} }) : null;
      if (described && !described.ok) return described;
      const launch = deps.launchOf(row.value, described?.value ?? null);
      const ofMarket = marketWarnings(input.marketEntryId, input.spec, deps);
      const ofCommand = ofMarket.some((one) => one.code === 'program_missing') ? null : commandWarning(input.spec, (command) => pool.launches.findProgram(fromHome(command), launch.kind === 'stdio' ? launch.cwd : undefined));
      return ok({ serverId: row.value.id, launch, warnings: [...warningsOf(row.value, launch), ...ofMarket, ...(ofCommand === null ? [] : [ofCommand])] });
    },
    'servers:add': (input, caller) => addServer(input, onRecord(caller), deps),
    'servers:cancelInstall': async ({ serverId }) => {
      if (!(await jobs.cancel(serverId))) return err(fault('conflict', `${serverId} is not being installed`, { field: '/serverId' }));
      jobs.forget(serverId);
      // an update that was stopped: the former version and its secrets stay
      if (store.read((db) => readServer(db, serverId)) !== null) {
        deps.onAdded(serverId);
        return ok({});
      }
      secrets.removeForServer(serverId);
      deps.onRemoved(serverId);
      return ok({});
    },
    'servers:connect': ({ serverId, consent }) =>
      withRow(serverId, async () => ok(await pool.connect(serverId, consent === undefined ? {} : { consent }))),
    'servers:list': () => {
      const rows = store.read(listServers);
      const known = new Set(rows.map((r) => r.id));
      const read = [...rows, ...jobs.list().map((j) => j.row).filter((r) => !known.has(r.id))].map((row) => summarizeServer(row, deps));
      return ok({ servers: [...read, ...store.read(listUnreadableServers).map(unreadableSummary)] });
    },
    'servers:get': ({ serverId }) => {
      const row = rowOf(serverId);
      return row ? ok({ server: describeServer(row, deps) }) : missing(serverId);
    },
    'servers:icon': ({ serverId }) => (rowOf(serverId) ? ok({ png: deps.icons.png(serverId) }) : missing(serverId)),
    'servers:update': (input, caller) => updateServerConfiguration(input, onRecord(caller), deps),
    'servers:enable': ({ serverId }) => withRow(serverId, async () => { await pool.enable(serverId); return ok({}); }),
    'servers:disable': ({ serverId }) =>
      withRow(serverId, async () => {
        const down = pool.disable(serverId);
        deps.onServerGone(serverId, 'disabled');
        await down;
        return ok({});
      }),
    'servers:remove': async ({ serverId }) => {
      const job = jobs.get(serverId);
      // one that cannot be read can still be removed
      const stored = store.read(listServerIds).includes(serverId);
      if (!stored && !job) return missing(serverId);
      await jobs.cancel(serverId);
      jobs.forget(serverId);
      if (stored) await removeStored(serverId, deps);
      secrets.removeForServer(serverId);
      deps.onRemoved(serverId);
      return ok({});
    },
    'servers:discover': ({ serverId }) => withRow(serverId, async () => ok(await pool.discover(serverId))),
    'servers:logs': ({ serverId, afterSeq }) => (rowOf(serverId) ? ok(pool.logs(serverId, afterSeq)) : missing(serverId)),
    'servers:quarantine': ({ serverId, reason }, caller) =>
      withRow(serverId, async (row) => {
        await jobs.cancel(serverId);
        // first: else its approvals would end for the access that goes with it
        deps.onServerGone(serverId, 'quarantined');
        const revokedGrants = registry.revokeAll(serverId, onRecord(caller));
        await pool.quarantine(serverId, reason);
        const readable = readableBy(deps.launchOf(row));
        const secretsToRotate = secrets.list().filter((s) => s.serverId === serverId).map((s) => s.place);
        store.write((db) => addServerFact(db, serverId, { step: 'quarantine', at: clock.now(), ok: true, data: { by: onRecord(caller), ...(reason ? { reason } : {}), revokedGrants, secretsToRotate, readable } }));
        return ok({ readable, secretsToRotate, revokedGrants });
      }),
    ...signInRequests({ pool, secrets, withRow }),
    ...addressRequests({ pool, store, clock, contacts: deps.contacts, withRow }),
    'servers:release': ({ serverId }, caller) =>
      withRow(serverId, async (row) => {
        // else a server at work would be switched off
        if (row.quarantinedAt === null) return ok({});
        await pool.release(serverId);
        store.write((db) => {
          updateServer(db, serverId, { enabled: false });
          addServerFact(db, serverId, { step: 'quarantine', at: clock.now(), ok: true, data: { by: onRecord(caller), released: true } });
        });
        deps.onAdded(serverId);
        return ok({});
      }),
  };
};

const removeStored = async (serverId: string, deps: ServersRequestsDeps): Promise<void> => {
  const installation = deps.store.read((db) => readInstallation(db, serverId));
  deps.registry.sourceLeft(serverId, 'server_removed');
  deps.onServerGone(serverId, 'removed');
  await deps.pool.remove(serverId);
  if (installation) await deps.installer.uninstall(installation);
  await rm(ownHome(deps.dataDir, serverId), { recursive: true, force: true });
};

/** What code of this launch could reach while it ran. */
const readableBy = (launch: Launch): ReachedPlace[] => {
  const read = Object.values(launch.placeholders ?? {}).flatMap((one): ReachedPlace[] => ('variable' in one ? [{ what: 'environment', name: one.variable }] : []));
  if (launch.kind === 'http') return [{ what: 'sent_to', name: launch.url }, ...Object.keys(launch.headers).map((name): ReachedPlace => ({ what: 'header', name })), ...read];
  const sealed = launch.args.flatMap((arg, at): ReachedPlace[] => (typeof arg === 'string' ? [] : [{ what: 'argument', name: String(at) }]));
  const variables = [...Object.keys(launch.env), ...launch.inheritedEnv].map((name): ReachedPlace => ({ what: 'environment', name }));
  return [{ what: 'account_files', name: '' }, { what: 'home', name: launch.home }, ...sealed, ...variables, ...read];
};

const warningsOf = (row: ServerRow, launch: Launch): { code: string; detail: string }[] => {
  const warnings: { code: string; detail: string }[] = [];
  for (const name of Object.keys(row.env).filter(isDangerousName)) warnings.push({ code: 'dangerous_environment', detail: name });
  if (launch.kind === 'http' && launch.url.startsWith('http://') && !/^http:\/\/(127\.|localhost|\[::1\])/.test(launch.url)) warnings.push({ code: 'plain_http', detail: launch.url });
  for (const arg of row.args) if (typeof arg !== 'string') warnings.push({ code: 'secret_in_arguments', detail: arg.secretRef });
  if (launch.kind === 'stdio' && row.home === 'user') warnings.push({ code: 'user_home', detail: launch.home });
  return warnings;
};
