import { useEffect, useState } from 'react';
import type { Mirror } from './mirror.ts';

/** While another answer is on its way the last one that was there; `state.phase` tells which it is. */
export const useLastReady = <T>(state: Mirror<T>): Mirror<T> => {
  const [last, setLast] = useState(state);
  useEffect(() => {
    if (state.phase !== 'loading') setLast(state);
  }, [state]);
  return state.phase === 'loading' && last.phase === 'ready' ? last : state;
};
