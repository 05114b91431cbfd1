import { fault } from '../../shared/fault.ts';
import type { MarketEntry } from '../../shared/market.ts';
import { err, ok } from '../../shared/result.ts';
import type { Catalog } from '../market/catalog.ts';
import { preflightOf, type FindProgram } from '../market/preflight.ts';
import type { Store } from '../store/database.ts';
import { listServers } from '../store/servers.ts';
import type { HandlersOf } from './handlers.ts';

export const marketRequests = (deps: { readonly catalog: Catalog; readonly store: Store; readonly findProgram: FindProgram }): HandlersOf<'market'> => {
  const withInstalled = (entries: readonly MarketEntry[]): MarketEntry[] => {
    const rows = deps.store.read(listServers);
    return entries.map((entry) => ({ ...entry, installedServerIds: rows.filter((r) => r.marketEntryId === entry.id).map((r) => r.id) }));
  };
  return {
    'market:search': ({ query }) => ok({ entries: withInstalled(deps.catalog.search(query)) }),
    'market:get': ({ entryId }) => {
      const entry = deps.catalog.get(entryId);
      if (entry === null) return err(fault('not_found', `the market has no entry ${entryId}`, { field: '/entryId', remedy: 'Search the market for the present entries.' }));
      return ok({ entry: withInstalled([entry])[0]!, observed: deps.catalog.observedOf(entryId), preflight: preflightOf(entry, deps.findProgram) });
    },
  };
};
