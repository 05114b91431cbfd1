import { useCallback, useEffect, useRef, useState } from 'react';
import type { Fault } from '../../../shared/fault.ts';
import type { MarketAmounts, MarketCard } from '../../../shared/market-view.ts';
import { bridge } from '../../bridge/bridge.ts';
import { useHealth } from '../../stores/health.ts';
import { loading, type Mirror } from '../../stores/mirror.ts';
import type { MarketFilters } from './market-filters.ts';

export const PAGE = 48;

export interface MarketList {
  readonly amounts: MarketAmounts;
  readonly pages: ReadonlyMap<number, readonly MarketCard[]>;
  /** grows with each question; a list that answers another one starts at its top */
  readonly question: number;
}
export const cardAt = (list: MarketList, at: number): MarketCard | undefined => list.pages.get(Math.floor(at / PAGE))?.[at % PAGE];

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

  const ask = useCallback((from: Asked, page: number): void => {
    if (from.pages.has(page)) return;
    from.pages.add(page);
    void bridge.request('market:browse', { ...(JSON.parse(from.key) as MarketFilters), cursor: page * PAGE, limit: PAGE }).then((answer) => {
      if (asked.current !== from) return;
      if (!answer.ok) return setList((before) => failed(before, answer.error, page, from.pages));
      const { cards, ...amounts } = answer.value;
      setList((before) => ({ phase: 'ready', value: { amounts, question: from.number, pages: new Map([...(before.phase === 'ready' && before.value.question === from.number ? before.value.pages : []), [page, cards]]) } }));
    });
  }, []);

  useEffect(() => {
    if (connection === 'lost' || key === null) return;
    const before = asked.current;
    const same = before.key === key;
    if (!same) shown.current = [0, 0];
    asked.current = { key, number: same ? before.number : before.number + 1, pages: new Set() };
    for (let page = shown.current[0]; page <= shown.current[1]; page += 1) ask(asked.current, page);
  }, [ask, key, version, turn, connection]);

  const want = useCallback(
    (first: number, last: number): void => {
      shown.current = [Math.floor(first / PAGE), Math.floor(last / PAGE)];
      for (let page = shown.current[0]; page <= shown.current[1]; page += 1) ask(asked.current, page);
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
  asked.delete(page);
  return before.phase === 'ready' && page > 0 ? before : { phase: 'failed', fault };
};
