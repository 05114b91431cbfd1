import { MARKET_PAGE } from '../../shared/market-facets.ts';
import { ok } from '../../shared/result.ts';
import type { AllHandlers, HandlersOf } from './handlers.ts';

type Read = Pick<AllHandlers, 'settings:get' | 'health:status' | 'servers:list' | 'approvals:page' | 'questions:list' | 'runs:list' | 'shell:get' | 'market:browse'>;

const RUNS = 100;
const APPROVALS = 5_000;

/** The answers of the single requests, in one. A failure of one is the failure of all: the window then asks for each by itself. */
export const windowRequests = (read: Read): HandlersOf<'window'> => ({
  'window:first': async ({ market }, caller) => {
    const before = await read['settings:get']({}, caller);
    if (!before.ok) return before;
    const { onboardingDone, marketFilters } = before.value.settings;
    const list = market && onboardingDone && marketFilters === '' ? await read['market:browse']({ query: '', facets: {}, sort: 'best', cursor: 0, limit: MARKET_PAGE }, caller) : null;
    if (list !== null && !list.ok) return list;
    // all in one turn, after what takes time: an event that is told before the answer is in the answer
    const [settings, health, servers, approvals, waiting, review, runs, shell] = await Promise.all([
      read['settings:get']({}, caller),
      read['health:status']({}, caller),
      read['servers:list']({}, caller),
      read['approvals:page']({ of: 'pending', offset: 0, limit: APPROVALS }, caller),
      read['questions:list']({ state: 'waiting' }, caller),
      read['questions:list']({ state: 'review' }, caller),
      read['runs:list']({ limit: RUNS }, caller),
      read['shell:get']({}, caller),
    ]);
    if (!settings.ok) return settings;
    if (!health.ok) return health;
    if (!servers.ok) return servers;
    if (!approvals.ok) return approvals;
    if (!waiting.ok) return waiting;
    if (!review.ok) return review;
    if (!runs.ok) return runs;
    if (!shell.ok) return shell;
    return ok({ ...settings.value, health: health.value, ...servers.value, approvals: approvals.value.rows, questions: [...waiting.value.questions, ...review.value.questions], ...runs.value, ...shell.value, market: list === null ? null : list.value });
  },
});
