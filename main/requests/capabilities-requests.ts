import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import { onRecord, type HandlersOf } from './handlers.ts';

export const capabilitiesRequests = ({ registry }: { readonly registry: CapabilityRegistry }): HandlersOf<'capabilities' | 'access'> => ({
  'capabilities:list': async (filter) => ok({ capabilities: await registry.listInTurns(filter) }),
  'capabilities:rows': (query) => ok(registry.rows(query)),
  'capabilities:get': ({ capabilityId }) => {
    const capability = registry.get(capabilityId);
    return capability.ok ? ok({ capability: capability.value }) : capability;
  },
  'capabilities:review': (input, caller) => registry.review(input, onRecord(caller)),
  'access:set': (input, caller) => {
    const named = [input.serverId, input.capabilityId, input.capabilityIds].filter((x) => x !== undefined).length;
    if (named !== 1) return err(fault('invalid_request', 'name exactly one of serverId, capabilityId and capabilityIds', { field: '/capabilityId', remedy: 'Give one of the three.' }));
    return registry.setAccessOfMany(input, onRecord(caller));
  },
  'access:preview': (query) => ok(registry.accessPreview(query)),
  'access:history': (filter) => ok({ changes: registry.history(filter) }),
});
