import type { Fault } from '../../shared/fault.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';

/** Null while what was read of the server stands and is not older than this; else the reading to wait for, and why the server's tools may not be shown after it. */
export type Freshen = (serverId: string, maxAgeMs: number) => Promise<Fault | null> | null;

/** Before a turn, what is older than this is read anew (design section 4). */
const MAX_AGE_MS = 60_000;

/** Reads anew, all at once and each within its limit, the servers that this principal may use; those that could not be read are named and left out of the turn. */
export const unreadServers = async (registry: Pick<CapabilityRegistry, 'serversGranted'>, principal: string, freshen: Freshen): Promise<ReadonlySet<string>> => {
  const read = await Promise.all([...registry.serversGranted(principal)].map(async (serverId) => ({ serverId, why: await freshen(serverId, MAX_AGE_MS) })));
  return new Set(read.flatMap(({ serverId, why }) => (why === null ? [] : [serverId])));
};
