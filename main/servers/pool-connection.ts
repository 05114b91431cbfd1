import type { ServerFact } from '../../shared/server.ts';
import { createMasker, type KnownSecret } from '../secrets/mask.ts';
import { agreedKinds } from '../store/address-agreements.ts';
import { saveDiscovery } from '../store/discoveries.ts';
import { forgetProcess, recordProcess } from '../store/processes.ts';
import { updateServer } from '../store/servers.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { SearchedPath } from './login-path.ts';
import { rootsOf } from './questions/roots-of.ts';
import { OPEN_LIMITS } from './open-session.ts';
import type { ServerPoolDeps } from './pool-deps.ts';
import { startTimeOf } from './process-identity.ts';

const NO_SECRETS: readonly KnownSecret[] = [];

interface OfPool extends Pick<ConnectionDeps, 'row' | 'launch' | 'changed' | 'authorizationFor' | 'resourceUpdated'> {
  readonly path: SearchedPath;
  readonly addFact: (fact: Omit<ServerFact, 'at'>) => void;
  /** its lists are read and it can be used */
  readonly ready: () => void;
  /** what a crash left behind is ended */
  readonly reaped: () => Promise<void>;
}

/** What the connection of one server gets of the pool and of what the pool was given. */
export const connectionDeps = (serverId: string, deps: ServerPoolDeps, { path, reaped, ready, ...ofPool }: OfPool): ConnectionDeps => {
  const { store, clock, log, secrets, network } = deps;
  return {
    ...ofPool,
    clock,
    log,
    open: { ...OPEN_LIMITS, path, version: deps.version ?? '0.1.0', outbound: network.outbound.for(serverId), networkEnv: (onOwnNode) => network.appEnvironment(onOwnNode), ...deps.open },
    stableRunMs: deps.stableRunMs ?? 60_000,
    crashFirstWaitMs: deps.crashFirstWaitMs ?? 1000,
    random: deps.random ?? Math.random,
    reveal: (ref) => secrets.reveal(ref),
    agreedKinds: (url) => store.read((db) => agreedKinds(db, serverId, url)),
    remember: (variable, value) => secrets.remember?.(variable, value),
    mask: deps.mask ?? createMasker(() => NO_SECRETS),
    asking: {
      serverId,
      port: deps.questions ?? null,
      roots: () => rootsOf(ofPool.row()),
      get isLocal() {
        return ofPool.row()?.spec.kind !== 'http';
      },
    },
    keepEra: (era) => store.write((db) => updateServer(db, serverId, { era, eraAt: clock.now() })),
    saveDiscovery: (lists) => store.write((db) => saveDiscovery(db, serverId, lists.fact)),
    verifyInstallation: () => deps.verifyInstallation(serverId),
    onDiscovered: (lists) => deps.onDiscovered(lists),
    onSourceLeft: (reason) => deps.onSourceLeft(serverId, reason),
    onRests: (why) => deps.onRests?.(serverId, why),
    onReady: (icons, url) => {
      ready();
      deps.onReady?.(serverId, icons, url);
    },
    confirmed: (why) => deps.onConfirmed?.(serverId, why),
    retried: (retried) => deps.onRetried?.(serverId, retried),
    recordProcess: (pid, token) => store.write((db) => recordProcess(db, { token, pid, startTime: startTimeOf(pid) ?? '', serverId, startedAt: clock.now() })),
    forgetProcess: (token) => store.write((db) => forgetProcess(db, token)),
    logged: (lines, droppedLines) => deps.bus.emit('server:log', { serverId, lines, droppedLines }),
    get reaped() {
      return reaped();
    },
  };
};
