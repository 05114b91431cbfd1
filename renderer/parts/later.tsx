import { useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';

type Fetched<P> = { readonly at: 'on_its_way' } | { readonly at: 'here'; readonly Part: ComponentType<P> } | { readonly at: 'failed'; readonly error: unknown };

/**
 * A part of the window whose program is fetched when it is first drawn; until then `waits` stands in its place, and where it cannot be fetched the boundary around it hears
 * of it. Not React's `lazy`: what that draws after waiting yields to every other change of the window, for ever, so that on a slow computer a page whose skeleton moves, or
 * beside which a run goes on, never comes.
 */
export const later = <P extends object>(load: () => Promise<ComponentType<P>>, waits: ReactNode = null): ((props: P) => ReactNode) => {
  let known: Fetched<P> = { at: 'on_its_way' };
  return function Later(props: P) {
    const [fetched, setFetched] = useState(known);
    useEffect(() => {
      if (known.at === 'here') {
        setFetched(known);
        return undefined;
      }
      let wanted = true;
      void load().then(
        (Part): Fetched<P> => (known = { at: 'here', Part }),
        (error: unknown): Fetched<P> => ({ at: 'failed', error }),
      ).then((now) => { if (wanted) setFetched(now); });
      return () => { wanted = false; };
    }, []);
    if (fetched.at === 'failed') throw fetched.error;
    return fetched.at === 'here' ? <fetched.Part {...props} /> : waits;
  };
};
