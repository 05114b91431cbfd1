import { useCallback, useState } from 'react';
import { create } from 'zustand';

/** What a person wrote and has not sent, by where it was written: it is there when they come back to it. In this window alone. */
const useDrafts = create<{ readonly kept: ReadonlyMap<string, unknown> }>(() => ({ kept: new Map() }));

/** As useState, for something that outlives its page. `place`: where it is written. */
export const useDraft = <T>(place: string, empty: T): readonly [T, (next: T | ((before: T) => T)) => void] => {
  const [first] = useState(empty);
  const value = useDrafts(({ kept }) => (kept.has(place) ? (kept.get(place) as T) : first));
  const set = useCallback(
    (next: T | ((before: T) => T)): void => useDrafts.setState(({ kept }) => ({ kept: new Map(kept).set(place, typeof next === 'function' ? (next as (before: T) => T)(kept.has(place) ? (kept.get(place) as T) : first) : next) })),
    [place, first],
  );
  return [value, set];
};
