import { useEffect, useRef, useState } from 'react';
import { href } from '../../routes.ts';
import { act } from '../../stores/act.ts';
import { useMarketFiltersText } from '../../stores/market-filters.ts';
import { filtersText, readFilters, type MarketFilters } from './market-filters.ts';

const SETTLED_MS = 400;

/**
 * What the list is narrowed by: from the address, else as it was left last. Changes show at once; the address and the host, which keeps them
 * for the next start, are told when the person has paused.
 */
export const useMarketFilters = (fromAddress: string | undefined, remembered: string): readonly [MarketFilters, (change: (before: MarketFilters) => MarketFilters) => void] => {
  const [filters, setFilters] = useState(() => readFilters(fromAddress ?? useMarketFiltersText.getState().text ?? remembered));
  const text = filtersText(filters);
  const told = useRef(remembered);
  const written = useRef(fromAddress);
  useEffect(() => {
    useMarketFiltersText.setState({ text });
    const timer = setTimeout(() => {
      // the list may have been left meanwhile: its own place in the history is the only one to be rewritten
      if (isList(location.hash)) {
        written.current = text === '' ? undefined : text;
        history.replaceState(history.state, '', href.market(written.current));
      }
      if (told.current === text) return;
      told.current = text;
      void act('settings:set', { marketFilters: text });
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    // another address of the same page, by hand or by going back
    if (fromAddress === written.current) return;
    written.current = fromAddress;
    if (fromAddress !== undefined) setFilters(readFilters(fromAddress));
  }, [fromAddress]);
  return [filters, setFilters];
};

const isList = (hash: string): boolean => /^#\/market(?:\?|$)/.test(hash);
