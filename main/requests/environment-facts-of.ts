import { cpus, release, totalmem } from 'node:os';
import type { Clock } from '../clock.ts';
import type { EnvironmentFacts } from '../market/environment-facts.ts';
import type { HostOptions } from '../shell/host-port.ts';
import { listServers } from '../store/servers.ts';
import { stateOf, type ServerViewDeps } from './servers/server-view.ts';

export interface FactsOf {
  readonly clock: Clock;
  readonly version: string;
  readonly options: Pick<HostOptions, 'shell' | 'approvals'>;
  readonly isStopped: () => boolean;
  readonly views: Pick<ServerViewDeps, 'store' | 'pool' | 'jobs'>;
}

/** What the environment server may know of this host, as it is now. */
export const environmentFacts = ({ clock, version, options, isStopped, views }: FactsOf): EnvironmentFacts => ({
  format: 'gantry-facts/1',
  writtenAt: clock.now(),
  gantry: { version, shell: options.shell },
  node: process.versions.node,
  platform: process.platform,
  arch: process.arch,
  osRelease: release(),
  cpuCount: cpus().length,
  memoryBytes: totalmem(),
  locale: Intl.DateTimeFormat().resolvedOptions().locale,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  featureSwitches: { approvals_by_script: options.approvals === 'script', stop_all: isStopped() },
  servers: views.store.read(listServers).map((row) => ({ id: row.id, name: row.name, kind: row.spec.kind, enabled: row.enabled, state: stateOf(row.id, views).state })),
});
