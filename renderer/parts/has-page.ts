import { parseCapabilityId } from '../../shared/capability-id.ts';

/** The host's own tools have no page: nobody offers, reviews or grants them. A name that no capability has, as a model may write it, has none either. */
export const hasPage = (capabilityId: string): boolean => {
  const named = parseCapabilityId(capabilityId);
  return named !== null && named.serverId !== 'host';
};
