import { fault } from '../../shared/fault.ts';
import type { Connection } from './connection.ts';
import { overLimit, readGroupUsage, type UsageLimits } from './group-usage.ts';

/** Stops every server whose process group uses more than the limits (P09). */
export const breakOffOverLimit = (connections: readonly Connection[], limits: UsageLimits): void => {
  const running = connections.filter((connection) => connection.session?.pid != null);
  if (running.length === 0) return;
  const usage = readGroupUsage();
  for (const connection of running) {
    const used = usage.get(connection.session!.pid!);
    const why = used === undefined ? null : overLimit(used, limits);
    if (why !== null) connection.breakOff(fault('unavailable', `The server was stopped because ${why}.`, { remedy: 'Start it again if you trust it, or put it in quarantine.', details: { ...used } }));
  }
};
