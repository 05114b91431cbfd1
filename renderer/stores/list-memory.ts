import { useMemo } from 'react';
import { create } from 'zustand';

interface Place {
  readonly top: number;
  readonly row: number;
  readonly focused: boolean;
}

/** Where each list was left, by the place in the window's history: going back finds it, a new visit begins at the top. */
const useLeft = create<{ readonly places: ReadonlyMap<string, Place> }>(() => ({ places: new Map() }));
const MOST = 200;

/** One step of the window's history; where the browser does not tell them apart, the address. */
const entryKey = (): string => (window as { readonly navigation?: { readonly currentEntry?: { readonly key: string } | null } }).navigation?.currentEntry?.key ?? location.hash;

/** The memory of one list of a page; `name` tells it from others of the same page. */
export const useListMemory = (name: string): { readonly read: () => Place | undefined; readonly write: (place: Place) => void } =>
  useMemo(() => {
    // of the page's beginning: when it is left, the window is at the next place already
    const key = `${entryKey()} ${name}`;
    return {
      read: () => useLeft.getState().places.get(key),
      write: (place) => {
        const others = [...useLeft.getState().places].filter(([known]) => known !== key).slice(1 - MOST);
        useLeft.setState({ places: new Map([...others, [key, place]]) });
      },
    };
  }, [name]);
