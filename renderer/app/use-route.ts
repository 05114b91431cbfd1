import { useMemo, useSyncExternalStore } from 'react';
import { parseRoute, type Route } from '../routes.ts';

const listen = (changed: () => void): (() => void) => {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
};

/** The place the address names; follows links, back and forward. */
export const useRoute = (): { readonly hash: string; readonly route: Route } => {
  const hash = useSyncExternalStore(listen, () => location.hash);
  const route = useMemo(() => parseRoute(hash), [hash]);
  return { hash, route };
};
