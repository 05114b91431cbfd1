import { parseCapabilityId } from '../../shared/capability-id.ts';
import type { Fault } from '../../shared/fault.ts';
import type { ServerPool } from './pool.ts';

/** Reads the lists of a capability's server again where they may be old: before a call of it is bound. */
export const freshenCapability = (pool: Pick<ServerPool, 'freshen'>, capabilityId: string): Promise<Fault | null> | null => {
  const { serverId = '', kind = 'tool' } = parseCapabilityId(capabilityId) ?? {};
  return pool.freshen(serverId, Infinity, kind !== 'tool');
};
