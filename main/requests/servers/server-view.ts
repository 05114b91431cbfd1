import type { ServerDetail, ServerState, ServerSummary } from '../../../shared/server.ts';
import type { CapabilityRegistry } from '../../capabilities/registry.ts';
import type { ServerPool } from '../../servers/pool.ts';
import type { Store } from '../../store/database.ts';
import { readDiscovery } from '../../store/discoveries.ts';
import { readInstallation } from '../../store/installations.ts';
import { listServerFacts } from '../../store/server-facts.ts';
import type { ServerRow } from '../../store/servers.ts';
import { answerTheFour } from './four-answers.ts';
import type { InstallJobs } from './install-jobs.ts';
import type { LaunchOf } from './launch-of.ts';

export interface ServerViewDeps {
  readonly store: Store;
  readonly pool: ServerPool;
  readonly registry: CapabilityRegistry;
  readonly jobs: InstallJobs;
  readonly launchOf: LaunchOf;
}

export const stateOf = (serverId: string, { pool, jobs }: Pick<ServerViewDeps, 'pool' | 'jobs'>): ServerState => jobs.get(serverId)?.state ?? pool.status(serverId);

/** The short form of lists and events. Counts come from the registry, so that lists and events of 50 servers stay cheap. */
export const summarizeServer = (row: ServerRow, deps: ServerViewDeps): ServerSummary => {
  const status = stateOf(row.id, deps);
  const counts = deps.registry.counts(row.id);
  return {
    id: row.id,
    name: row.name,
    spec: row.spec,
    enabled: row.enabled,
    required: row.required,
    quarantinedAt: row.quarantinedAt,
    status,
    state: status.state,
    ...(status.state === 'unavailable' ? { code: status.code } : {}),
    toolCount: counts.discovered ? counts.tools : null,
    grantedCount: counts.granted,
    createdAt: row.createdAt,
  };
};

export const describeServer = (row: ServerRow, deps: ServerViewDeps): ServerDetail => {
  const { store, pool } = deps;
  return {
    ...summarizeServer(row, deps),
    launch: deps.launchOf(row),
    consentedFingerprint: row.consentedFingerprint,
    installation: store.read((db) => readInstallation(db, row.id)),
    args: [...row.args],
    env: { ...row.env },
    headers: { ...row.headers },
    home: row.home,
    facts: store.read((db) => listServerFacts(db, row.id)),
    discovery: store.read((db) => readDiscovery(db, row.id)),
    connection: pool.connectionInfo(row.id),
    diagnostics: pool.diagnostics(row.id),
    answers: answerTheFour(row.id, deps),
  };
};
