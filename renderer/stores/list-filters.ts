import { useCallback, useEffect, useRef, useState } from 'react';
import { create } from 'zustand';
import type { FilteredList } from '../../shared/settings.ts';
import { href } from '../routes.ts';
import { act } from './act.ts';
import { useSettings } from './settings.ts';

/** How the filters of a list stand in an address, behind `?`; no filters are the empty text. `read` narrows nothing by what it does not know. */
export interface FilterWords<F> {
  readonly read: (text: string) => F;
  readonly write: (filters: F) => string;
}

export interface ListFilters<F> {
  readonly filters: F;
  readonly change: (change: (before: F) => F) => void;
  /** false for the moment in which it is not yet known how the list was left last time */
  readonly known: boolean;
}

/** How each list was left in this window. The host is told a moment later. */
const useLeft = create<{ readonly [L in FilteredList]?: { readonly text: string; /** that stood in the address then */ readonly address: string | undefined } }>(() => ({}));

const SETTLED_MS = 400;
const isAt = (list: FilteredList, hash: string): boolean => hash === `#/${list}` || hash.startsWith(`#/${list}?`);

/**
 * What a list is narrowed by: from its address (`fromAddress`, the route's `filters`), else as it was left last, in this window or before the last end of Gantry.
 * A change shows at once; the address and the host, which keeps it with the data folder, are told when the person has paused. `words` has to be
 * a constant of its module.
 */
export const useListFilters = <F>(list: FilteredList, fromAddress: string | undefined, words: FilterWords<F>): ListFilters<F> => {
  const settings = useSettings((state) => state.settings);
  const remembered = settings.phase === 'ready' ? settings.value[`${list}Filters`] : '';
  // only where to begin: who follows it would draw the list twice at each change
  const left = useLeft.getState()[list];
  const known = fromAddress !== undefined || left !== undefined || settings.phase !== 'loading';
  // left before the address was rewritten: going back to that address finds what was typed
  const begin = (): F => words.read((left !== undefined && left.address === fromAddress ? left.text : undefined) ?? fromAddress ?? left?.text ?? remembered);
  const [held, setHeld] = useState<F | null>(() => (known ? begin() : null));
  if (held === null && known) setHeld(begin());
  const filters = held ?? words.read('');
  const text = words.write(filters);
  const told = useRef<string | null>(null);
  const written = useRef(fromAddress);

  const tell = useCallback(
    (now: string): void => {
      if (now === told.current) return;
      told.current = now;
      void act('settings:set', { [`${list}Filters`]: now });
    },
    [list],
  );
  useEffect(() => {
    if (!known) return undefined;
    told.current ??= remembered;
    useLeft.setState({ [list]: { text, address: written.current } });
    const timer = setTimeout(() => {
      // the list may have been left meanwhile: its own place in the history is the only one to be rewritten
      if (isAt(list, location.hash)) {
        written.current = text === '' ? undefined : text;
        history.replaceState(history.state, '', href[list](written.current));
        useLeft.setState({ [list]: { text, address: written.current } });
      }
      tell(text);
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [list, text, known, remembered, tell, fromAddress]);
  useEffect(
    () => () => {
      // left before the person had paused
      const now = useLeft.getState()[list]?.text;
      if (now !== undefined && told.current !== null) tell(now);
    },
    [list, tell],
  );
  useEffect(() => {
    // another address of the same page, by hand or by going back; one that does not say leaves the list as it is
    if (fromAddress === written.current) return;
    written.current = fromAddress;
    if (fromAddress !== undefined) setHeld(words.read(fromAddress));
  }, [fromAddress, words]);
  const change = useCallback((next: (before: F) => F): void => setHeld((before) => next(before ?? words.read(''))), [words]);
  return { filters, change, known };
};
