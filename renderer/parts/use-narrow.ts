import { useSyncExternalStore } from 'react';

const QUERY = '(max-width: 1000px)';

const subscribe = (changed: () => void): (() => void) => {
  const query = window.matchMedia(QUERY);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

/** True where the window is as narrow as the frame's own narrow form (Frame.module.css). */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(QUERY).matches);
