import { useEffect, type RefObject } from 'react';

const HANDS = ['wheel', 'pointerdown', 'keydown', 'touchstart'] as const;

/** Scrolls to the end of a conversation when `last` is another run, and again whenever what is above it grows, as an answer does that is coming; to the first of what awaits the person, where something does. Never against the person's hand. */
export const useKeptAtEnd = (end: RefObject<HTMLElement | null>, last: string | null): void => {
  useEffect(() => {
    const mark = end.current;
    const grows = mark?.parentElement;
    if (last === null || mark === null || !grows) return undefined;
    const watcher = new ResizeObserver(() => {
      const awaits = grows.querySelector('[data-awaits]');
      if (awaits === null) mark.scrollIntoView({ block: 'end' });
      else awaits.scrollIntoView({ block: 'start' });
    });
    watcher.observe(grows);
    const leave = (): void => watcher.disconnect();
    for (const hand of HANDS) window.addEventListener(hand, leave, { passive: true, once: true });
    return () => {
      leave();
      for (const hand of HANDS) window.removeEventListener(hand, leave);
    };
  }, [end, last]);
};
