import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { isKey } from './keys.ts';

const outsideOf = (dialog: Element, at: Element | null): boolean => at === null || at.matches(':disabled') || (!dialog.contains(at) && at.closest('[role="dialog"], dialog') === null);

/**
 * Keeps the focus in the dialog that holds `home`: what had it may be disabled or taken away, and a click beside the dialog drops it.
 * Another dialog above this one keeps its own. Escape goes to `onEscape` wherever the focus is, unless something inside used it.
 */
export const useFocusInside = (home: RefObject<HTMLElement | null>, { keys, onEscape }: { /** of the table, for leaving */ readonly keys: readonly string[]; readonly onEscape: () => void }): void => {
  const escape = useRef(onEscape);
  useEffect(() => {
    escape.current = onEscape;
    const dialog = home.current?.closest('[role="dialog"], dialog');
    if (dialog && outsideOf(dialog, document.activeElement)) home.current?.focus({ preventScroll: true });
  });
  useEffect(() => {
    const dialogAt = (): Element | null => home.current?.closest('[role="dialog"], dialog') ?? null;
    const onFocus = (event: FocusEvent): void => {
      const dialog = dialogAt();
      if (dialog !== null && event.target instanceof Element && outsideOf(dialog, event.target)) home.current?.focus({ preventScroll: true });
    };
    const onKey = (event: KeyboardEvent): void => {
      const dialog = dialogAt();
      if (dialog === null || event.defaultPrevented || event.isComposing) return;
      const at = document.activeElement;
      const lost = outsideOf(dialog, at);
      if (isKey(event, keys) && (lost || dialog.contains(at))) {
        event.preventDefault();
        escape.current();
      } else if (event.key === 'Tab' && lost) {
        event.preventDefault();
        home.current?.focus({ preventScroll: true });
      }
    };
    document.addEventListener('focusin', onFocus);
    // on window, after what is inside had its turn: a list that Escape closes is no decision
    window.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('focusin', onFocus);
      window.removeEventListener('keydown', onKey);
    };
  }, [home, keys]);
};
