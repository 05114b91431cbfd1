import { useEffect, type RefObject } from 'react';

/** Calls and words of a conversation are read after it: so long what it ends with is kept in sight. */
const SETTLED_MS = 2_000;
const HANDS = ['wheel', 'pointerdown', 'keydown', 'touchstart'] as const;

/** Scrolls to the end of a conversation when `last` is another run, and again while what is above it still grows; not against the person's hand. */
export const useKeptAtEnd = (end: RefObject<HTMLElement | null>, last: string | null): void => {
  useEffect(() => {
    const mark = end.current;
    const grows = mark?.parentElement;
    if (last === null || mark === null || !grows) return undefined;
    const watcher = new ResizeObserver(() => { mark.scrollIntoView({ block: 'end' }); });
    watcher.observe(grows);
    const leave = (): void => watcher.disconnect();
    const timer = setTimeout(leave, SETTLED_MS);
    for (const hand of HANDS) window.addEventListener(hand, leave, { passive: true, once: true });
    return () => {
      clearTimeout(timer);
      leave();
      for (const hand of HANDS) window.removeEventListener(hand, leave);
    };
  }, [end, last]);
};
