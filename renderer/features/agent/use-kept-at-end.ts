import { useEffect, type RefObject } from 'react';

const HANDS = ['wheel', 'pointerdown', 'keydown', 'touchstart'] as const;

/** Scrolls to the end of a conversation when `last` is another run, and again whenever what is above it grows, as an answer does that is coming; never against the person's hand. */
export const useKeptAtEnd = (end: RefObject<HTMLElement | null>, last: string | null): void => {
  useEffect(() => {
    const mark = end.current;
    const grows = mark?.parentElement;
    if (last === null || mark === null || !grows) return undefined;
    const watcher = new ResizeObserver(() => { mark.scrollIntoView({ block: 'end' }); });
    watcher.observe(grows);
    const leave = (): void => watcher.disconnect();
    for (const hand of HANDS) window.addEventListener(hand, leave, { passive: true, once: true });
    return () => {
      leave();
      for (const hand of HANDS) window.removeEventListener(hand, leave);
    };
  }, [end, last]);
};
