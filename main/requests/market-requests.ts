import { fault } from '../../shared/fault.ts';
import type { MarketEntry } from '../../shared/market.ts';
import type { MarketAmounts, MarketCard, MarketQuestion } from '../../shared/market-view.ts';
import { err, ok } from '../../shared/result.ts';
import type { Bus } from '../bus.ts';
import type { Catalog } from '../market/catalog.ts';
import { preflightOf, type FindProgram } from '../market/preflight.ts';
import type { Store } from '../store/database.ts';
import type { HandlersOf } from './handlers.ts';
import { InstalledApps } from './installed-apps.ts';

export const marketRequests = (deps: { readonly catalog: Catalog; readonly store: Store; readonly bus: Bus; readonly findProgram: FindProgram }): HandlersOf<'market'> => {
  const { catalog } = deps;
  const apps = new InstalledApps(deps);
  const withInstalled = (entry: MarketEntry): MarketEntry => {
    const installed = [...apps.of(entry.id)];
    return { ...entry, installed, installedServerIds: installed.map(({ serverId }) => serverId) };
  };
  const find = async (question: MarketQuestion, limit: number): Promise<{ readonly part: readonly MarketEntry[]; readonly amounts: MarketAmounts }> => {
    const end = question.cursor + limit;
    const { entries, total: found, counts } = await catalog.search(question, apps.presence(), end);
    return { part: entries.slice(question.cursor), amounts: { total: catalog.size, reviewed: catalog.reviewedCount, found, counts, nextCursor: end < found ? end : null } };
  };
  return {
    'market:search': async ({ limit, ...question }) => {
      const { part, amounts } = await find(question, limit ?? Number.MAX_SAFE_INTEGER);
      return ok({ entries: part.map(withInstalled), ...amounts });
    },
    'market:browse': async ({ limit, ...question }) => {
      const { part, amounts } = await find(question, limit);
      // one look for each program, not for each entry
      const looked = new Map<string, string | null>();
      const once: FindProgram = (program) => {
        if (!looked.has(program)) looked.set(program, deps.findProgram(program));
        return looked.get(program) ?? null;
      };
      return ok({ cards: part.map((entry) => cardOf(entry, once, apps)), ...amounts });
    },
    'market:get': ({ entryId }) => {
      const entry = catalog.get(entryId);
      if (entry === null) return err(fault('not_found', `the market has no entry ${entryId}`, { field: '/entryId', remedy: 'Search the market for the present entries.' }));
      return ok({ entry: withInstalled(entry), observed: catalog.observedOf(entryId), preflight: preflightOf(entry, deps.findProgram) });
    },
  };
};

const cardOf = (entry: MarketEntry, find: FindProgram, apps: InstalledApps): MarketCard => {
  const needed = preflightOf(entry, find);
  return {
    id: entry.id,
    name: entry.name,
    publisher: entry.publisher,
    kind: entry.kind,
    description: entry.description,
    highestTier: entry.highestTier,
    verified: entry.verified,
    reviewed: entry.reviewedTools.length > 0,
    withdrawn: entry.withdrawn !== undefined,
    missingProgram: needed?.found === null ? needed.program : null,
    installed: [...apps.of(entry.id)],
  };
};
