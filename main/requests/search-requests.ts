import { ok } from '../../shared/result.ts';
import { CapabilitySearch } from '../capabilities/capability-search.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import type { Catalog } from '../market/catalog.ts';
import type { Store } from '../store/database.ts';
import { invocationsByIdPrefix } from '../store/invocations.ts';
import { runsByIdPrefix } from '../store/runs.ts';
import type { HandlersOf } from './handlers.ts';

/** The beginning of an id, as people paste it; shorter ones would find nearly everything. */
const ID_BEGINNING = /^[0-9a-f][0-9a-f-]{5,}$/;

export const searchRequests = ({ catalog, registry, store }: { readonly catalog: Catalog; readonly registry: CapabilityRegistry; readonly store: Store }): HandlersOf<'search'> => {
  const capabilities = new CapabilitySearch(registry);
  return {
    'search:find': async ({ query, limit }) => {
      const nothing = query.trim() === '';
      const [found, market] = await Promise.all([capabilities.find(query, limit), catalog.search({ query, facets: {}, sort: 'best' }, undefined, nothing ? 0 : limit)]);
      const id = query.trim().toLowerCase();
      const isId = ID_BEGINNING.test(id);
      return ok({
        capabilities: found.map(({ id: capabilityId, serverId, kind, name, title }) => ({ id: capabilityId, serverId, kind, name, ...(title === undefined ? {} : { title }) })),
        entries: market.entries.map(({ id: entryId, name, publisher, kind }) => ({ id: entryId, name, publisher, kind })),
        runs: isId ? store.read((db) => runsByIdPrefix(db, id, limit)).map(({ id: runId, kind, title, startedAt }) => ({ id: runId, kind, title, startedAt })) : [],
        calls: isId ? [...store.read((db) => invocationsByIdPrefix(db, id, limit))] : [],
      });
    },
  };
};
