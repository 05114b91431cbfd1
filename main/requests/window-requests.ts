import { MARKET_PAGE } from '../../shared/market-facets.ts';
import { ok } from '../../shared/result.ts';
import type { AllHandlers, HandlersOf } from './handlers.ts';

type Read = Pick<AllHandlers, 'settings:get' | 'health:status' | 'servers:list' | 'approvals:page' | 'runs:list' | 'shell:get' | 'market:browse'>;

const RUNS = 100;
const APPROVALS = 5_000;

/** The answers of the single requests, in one. A failure of one is the failure of all: the window then asks for each by itself. */
export const windowRequests = (read: Read): HandlersOf<'window'> => ({
  'window:first': async ({ market }, caller) => {
    const settings = await read['settings:get']({}, caller);
    if (!settings.ok) return settings;
    const health = await read['health:status']({}, caller);
    if (!health.ok) return health;
    const servers = await read['servers:list']({}, caller);
    if (!servers.ok) return servers;
    const approvals = await read['approvals:page']({ of: 'pending', offset: 0, limit: APPROVALS }, caller);
    if (!approvals.ok) return approvals;
    const runs = await read['runs:list']({ limit: RUNS }, caller);
    if (!runs.ok) return runs;
    const shell = await read['shell:get']({}, caller);
    if (!shell.ok) return shell;
    const { onboardingDone, marketFilters } = settings.value.settings;
    const list = market && onboardingDone && marketFilters === '' ? await read['market:browse']({ query: '', facets: {}, sort: 'best', cursor: 0, limit: MARKET_PAGE }, caller) : null;
    if (list !== null && !list.ok) return list;
    return ok({ ...settings.value, health: health.value, ...servers.value, approvals: approvals.value.rows, ...runs.value, ...shell.value, market: list === null ? null : list.value });
  },
});
