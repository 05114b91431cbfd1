import { BUILT_IN_AGENT } from '../../../shared/principal.ts';
import type { Installation, Launch, ServerDetail, ServerState, ServerSummary } from '../../../shared/server.ts';
import type { CapabilityRegistry } from '../../capabilities/registry.ts';
import type { ServerPool } from '../../servers/pool.ts';
import { hasOwnKey } from '../../servers/open-session.ts';
import { summarize } from '../../servers/summary.ts';
import type { Store } from '../../store/database.ts';
import { readDiscovery } from '../../store/discoveries.ts';
import { readAddressAgreements } from '../../store/address-agreements.ts';
import { readInstallation } from '../../store/installations.ts';
import { listServerFacts } from '../../store/server-facts.ts';
import type { ServerRow } from '../../store/servers.ts';
import { answerTheFour } from './four-answers.ts';
import type { InstallJobs } from './install-jobs.ts';

/** The launch of a stored or not yet stored server. */
export type LaunchOf = (row: ServerRow, installation?: Installation | null) => Launch;

export interface ServerViewDeps {
  readonly store: Store;
  readonly pool: ServerPool;
  readonly registry: CapabilityRegistry;
  readonly jobs: InstallJobs;
  readonly launchOf: LaunchOf;
}

export const stateOf = (serverId: string, { pool, jobs }: Pick<ServerViewDeps, 'pool' | 'jobs'>): ServerState => jobs.get(serverId)?.state ?? pool.status(serverId);

/** The short form of lists and events; an installation under way has its own state. */
export const summarizeServer = (row: ServerRow, deps: ServerViewDeps): ServerSummary => {
  const status = stateOf(row.id, deps);
  return deps.store.read((db) => summarize(db, row, { status, circuit: deps.pool.circuit(row.id) }, deps.registry.serverAccess(row.id, BUILT_IN_AGENT)));
};

export const describeServer = (row: ServerRow, deps: ServerViewDeps): ServerDetail => {
  const { store, pool } = deps;
  const launch = deps.launchOf(row);
  return {
    ...summarizeServer(row, deps),
    spec: row.spec,
    launch,
    consentedFingerprint: row.consentedFingerprint,
    installation: store.read((db) => readInstallation(db, row.id)),
    args: [...row.args],
    env: { ...row.env },
    headers: { ...row.headers },
    placeholders: row.placeholders,
    home: row.home,
    errorWords: row.errorWords ?? 'words',
    roots: [...(row.roots ?? [])],
    logLevel: row.logLevel ?? 'default',
    facts: store.read((db) => listServerFacts(db, row.id)),
    discovery: store.read((db) => readDiscovery(db, row.id)),
    connection: pool.connectionInfo(row.id),
    diagnostics: pool.diagnostics(row.id),
    circuit: pool.circuit(row.id),
    addressAgreements: [...store.read((db) => readAddressAgreements(db, row.id))],
    signIn: launch.kind === 'http' && !hasOwnKey(launch) ? pool.signIns.of(row.id).view() : null,
    answers: answerTheFour(row.id, deps),
  };
};
