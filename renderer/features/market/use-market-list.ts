import { useCallback, useEffect, useRef, useState } from 'react';
import type { Fault } from '../../../shared/fault.ts';
import { MARKET_PAGE as PAGE } from '../../../shared/market-facets.ts';
import type { MarketAmounts, MarketCard } from '../../../shared/market-view.ts';
import { bridge } from '../../bridge/bridge.ts';
import { forgetFirstMarket, useFirstMarket } from '../../stores/first-market.ts';
import { useHealth } from '../../stores/health.ts';
import { loading, type Mirror } from '../../stores/mirror.ts';
import { NO_FILTERS, type MarketFilters } from './market-filters.ts';

/** Pages asked for in one request. */
const MOST_PAGES = 8;

export interface MarketList {
  readonly amounts: MarketAmounts;
  readonly pages: ReadonlyMap<number, readonly MarketCard[]>;
  /** grows with each question; a list that answers another one starts at its top */
  readonly question: number;
}
export const cardAt = (list: MarketList, at: number): MarketCard | undefined => list.pages.get(Math.floor(at / PAGE))?.[at % PAGE];

/** What came with the window's first data, once, where that is what is asked. */
const takeFirst = (key: string, number: number): MarketList | null => {
  const { answer } = useFirstMarket.getState();
  forgetFirstMarket();
  if (answer === null || key !== JSON.stringify(NO_FILTERS)) return null;
  const { cards, ...amounts } = answer;
  return { amounts, question: number, pages: new Map([[0, cards]]) };
};

interface Asked {
  readonly key: string;
  readonly number: number;
  readonly pages: Set<number>;
}

/**
 * The cards of a question, a page at a time. Every key stroke is asked at once; what is on screen stays until the answer to the last one is there,
 * answers to earlier ones are dropped. `want` fetches the pages that come into sight; `version` (what the host's servers are) asks again in place.
 * Filters that are not known yet (null) ask nothing.
 */
export const useMarketList = (filters: MarketFilters | null, version: string): { readonly list: Mirror<MarketList>; readonly want: (first: number, last: number) => void; readonly retry: () => void } => {
  const [list, setList] = useState<Mirror<MarketList>>(loading);
  const [turn, setTurn] = useState(0);
  const connection = useHealth((health) => health.connection);
  const asked = useRef<Asked>({ key: '', number: 0, pages: new Set() });
  const shown = useRef<readonly [number, number]>([0, 0]);
  const key = filters === null ? null : JSON.stringify(filters);

  /** Asks for what was not asked for yet of these pages, in one request. */
  const ask = useCallback((from: Asked, first: number, last: number): void => {
    const pages = Array.from({ length: Math.min(MOST_PAGES, last - first + 1) }, (_, at) => first + at).filter((page) => !from.pages.has(page));
    if (pages.length === 0) return;
    const [begin, end] = [pages[0]!, pages.at(-1)! + 1];
    for (let page = begin; page < end; page += 1) from.pages.add(page);
    void bridge.request('market:browse', { ...(JSON.parse(from.key) as MarketFilters), cursor: begin * PAGE, limit: (end - begin) * PAGE }).then((answer) => {
      if (asked.current !== from) return;
      if (!answer.ok) return setList((before) => failed(before, answer.error, begin, from.pages));
      const { cards, ...amounts } = answer.value;
      const read = Array.from({ length: end - begin }, (_, at) => [begin + at, cards.slice(at * PAGE, (at + 1) * PAGE)] as const);
      setList((before) => ({ phase: 'ready', value: { amounts, question: from.number, pages: new Map([...(before.phase === 'ready' && before.value.question === from.number ? before.value.pages : []), ...read]) } }));
    });
  }, []);

  useEffect(() => {
    if (connection === 'lost' || key === null) return;
    const before = asked.current;
    const same = before.key === key;
    // another list begins at its top, and as much of it is in sight as of the one before
    if (!same) shown.current = [0, shown.current[1] - shown.current[0]];
    const number = same ? before.number : before.number + 1;
    const first = takeFirst(key, number);
    asked.current = { key, number, pages: new Set(first?.pages.keys()) };
    if (first !== null) setList({ phase: 'ready', value: first });
    ask(asked.current, ...shown.current);
  }, [ask, key, version, turn, connection]);

  const want = useCallback(
    (first: number, last: number): void => {
      shown.current = [Math.floor(first / PAGE), Math.floor(last / PAGE)];
      ask(asked.current, ...shown.current);
    },
    [ask],
  );
  const retry = useCallback(() => {
    setList(loading());
    setTurn((before) => before + 1);
  }, []);
  return { list, want, retry };
};

/** A further page that could not be read is asked for again when it comes into sight; a first one is all there is. */
const failed = (before: Mirror<MarketList>, fault: Fault, page: number, asked: Set<number>): Mirror<MarketList> => {
  for (const one of asked) if (one >= page) asked.delete(one);
  return before.phase === 'ready' && page > 0 ? before : { phase: 'failed', fault };
};
