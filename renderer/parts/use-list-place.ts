import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import type { ListMemory, ListPlace } from './paged-rows.ts';

export interface ListPlaceOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly memory: ListMemory | undefined;
  /** the row whose turn it is */
  readonly row: number;
  /** the list is as long as it will be */
  readonly ready: boolean;
  readonly restore: (place: ListPlace) => void;
}

/** Leaves a list's place behind when its page is left, and finds it again when one comes back to it. */
export const useListPlace = ({ scroller, memory, row, ready, restore }: ListPlaceOptions): void => {
  const restored = useRef(false);
  const top = useRef(0);
  const focused = useRef(false);
  const kept = useRef({ row, restore });
  useLayoutEffect(() => {
    kept.current = { row, restore };
  });
  useEffect(() => {
    if (!ready || restored.current || memory === undefined) return undefined;
    restored.current = true;
    const place = memory.read();
    if (place === undefined) return undefined;
    // after the frame has given the focus to the new page
    const frame = requestAnimationFrame(() => {
      const at = document.activeElement;
      scroller.current?.scrollTo({ top: place.top });
      kept.current.restore({ ...place, focused: place.focused && (at === null || at === document.body || at.id === 'main') });
    });
    return () => cancelAnimationFrame(frame);
  }, [ready, memory, scroller]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || memory === undefined) return undefined;
    const note = (): void => {
      top.current = element.scrollTop;
    };
    const onFocus = (): void => {
      focused.current = true;
    };
    element.addEventListener('scroll', note, { passive: true });
    element.addEventListener('focusin', onFocus);
    return () => {
      element.removeEventListener('scroll', note);
      element.removeEventListener('focusin', onFocus);
      memory.write({ top: top.current, row: kept.current.row, focused: focused.current });
    };
  }, [memory, scroller]);
};
