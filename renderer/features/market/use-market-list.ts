import { KEPT_ANSWERS, MARKET_PAGE } from '../../../shared/market-facets.ts';
import type { MarketAmounts, MarketCard } from '../../../shared/market-view.ts';
import type { OutputOf } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/result.ts';
import { bridge } from '../../bridge/bridge.ts';
import { forgetFirstMarket, useFirstMarket } from '../../stores/first-market.ts';
import { usePages, type Page, type PageList, type Pages } from '../../stores/use-pages.ts';
import { NO_FILTERS, type MarketFilters } from './market-filters.ts';

export type MarketList = PageList<MarketCard, MarketAmounts>;

const pageOf = ({ cards, ...amounts }: OutputOf<'market:browse'>): Page<MarketCard, MarketAmounts> => ({ rows: cards, total: amounts.found, extra: amounts });

/** What came with the window's first data, once, where that is what is asked. */
const takeFirst = (key: string): Page<MarketCard, MarketAmounts> | null => {
  const { answer } = useFirstMarket.getState();
  forgetFirstMarket();
  return answer === null || key !== JSON.stringify(NO_FILTERS) ? null : pageOf(answer);
};

/** The answer to these very filters, and not the list before, which stays until it is there. */
export const isAnswerTo = (list: MarketList, filters: MarketFilters): boolean => list.answers === JSON.stringify(filters);

/**
 * The cards of a question, a page at a time. Every key stroke is asked at once. `version` (what the host's servers are) asks again in place.
 * Filters that are not known yet (null) ask nothing.
 */
export const useMarketList = (filters: MarketFilters | null, version: string): Pages<MarketCard, MarketAmounts> =>
  usePages<MarketCard, MarketAmounts>(
    filters === null ? null : JSON.stringify(filters),
    async (cursor, limit) => {
      const answer = await bridge.request('market:browse', { ...filters!, cursor, limit });
      return answer.ok ? ok(pageOf(answer.value)) : answer;
    },
    { pageSize: MARKET_PAGE, version, given: takeFirst, keep: KEPT_ANSWERS },
  );
