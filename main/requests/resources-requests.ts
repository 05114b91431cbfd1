import { fault, type Fault } from '../../shared/fault.ts';
import type { CapabilityDetail } from '../../shared/capability.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isObject } from '../../shared/is-object.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import type { ResourceNews } from '../capabilities/resource-news.ts';
import type { PrivacyFilter } from '../evidence/privacy-filter.ts';
import type { CompletionAsked } from '../servers/complete.ts';
import type { ServerPool } from '../servers/pool.ts';
import type { HandlersOf } from './handlers.ts';

export interface ResourcesRequestsDeps {
  readonly registry: Pick<CapabilityRegistry, 'get'>;
  readonly pool: Pick<ServerPool, 'resources'>;
  readonly news: ResourceNews;
  readonly filter: Pick<PrivacyFilter, 'findSecret'>;
}

const refOf = ({ kind, name, definition }: CapabilityDetail): CompletionAsked['ref'] | null =>
  kind === 'prompt' ? { type: 'ref/prompt', name: definition.name } : kind === 'resource' && definition.uriTemplate !== undefined ? { type: 'ref/resource', uri: name } : null;

const takes = ({ inputSchema }: CapabilityDetail, argument: string): boolean => isObject(inputSchema) && isObject(inputSchema['properties']) && Object.hasOwn(inputSchema['properties'], argument);

export const resourcesRequests = ({ registry, pool, news, filter }: ResourcesRequestsDeps): HandlersOf<'resources'> => {
  /** the question about each field that is under way */
  const asking = new Map<string, AbortController>();

  const resource = (capabilityId: string): Result<CapabilityDetail, Fault> => {
    const found = registry.get(capabilityId);
    if (!found.ok) return found;
    return found.value.kind === 'resource' ? found : err(fault('invalid_request', 'This is no resource.', { field: '/capabilityId' }));
  };
  const standing = (capabilityId: string, { serverId, definition }: CapabilityDetail) => ({ ...pool.resources.watchOf(serverId, definition.uri ?? null), ...news.of(capabilityId) });

  return {
    'resources:get': ({ capabilityId }) => {
      const found = resource(capabilityId);
      return found.ok ? ok(standing(capabilityId, found.value)) : found;
    },
    'resources:watch': async ({ capabilityId, watched }) => {
      const found = resource(capabilityId);
      if (!found.ok) return found;
      const { serverId, definition } = found.value;
      if (definition.uri === undefined) return err(fault('conflict', 'A template names no one resource that could be watched.'));
      const set = await pool.resources.watch(serverId, definition.uri, watched);
      return set.ok ? ok(standing(capabilityId, found.value)) : set;
    },
    'resources:complete': async ({ capabilityId, argument, value, others }) => {
      const found = registry.get(capabilityId);
      if (!found.ok) return found;
      const ref = refOf(found.value);
      if (ref === null) return err(fault('invalid_request', 'Only fields of a template or a prompt are completed.', { field: '/capabilityId' }));
      if (!takes(found.value, argument)) return err(fault('invalid_request', 'There is no such field.', { field: '/argument' }));
      const secret = filter.findSecret({ value, others });
      if (secret !== null) return err(fault('secret_in_input', 'What was typed holds a secret that is configured in Gantry; it was not sent.', { field: secret }));
      const place = `${capabilityId} ${argument}`;
      asking.get(place)?.abort();
      const controller = new AbortController();
      asking.set(place, controller);
      const completed = await pool.resources.complete(found.value.serverId, { ref, argument: { name: argument, value }, others: Object.fromEntries(Object.entries(others).filter(([name]) => name !== argument && takes(found.value, name))) }, controller.signal);
      if (asking.get(place) === controller) asking.delete(place);
      return completed;
    },
  };
};
