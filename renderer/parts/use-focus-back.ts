import { useCallback, useEffect, useRef } from 'react';

const lost = (): boolean => document.activeElement === null || document.activeElement === document.body || document.activeElement.matches(':disabled');

/** What waits next: the edge's own button, else the first of the inbox; else the page itself. */
const elsewhere = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-review-next]') ?? document.querySelector<HTMLElement>('[data-review]') ?? document.getElementById('main');

/**
 * Gives the focus back once the dialog is gone: to what had it before, as soon as that can take it; where it is no more, to the next waiting
 * approval or the page. Ends with the first key or click of the person, and with `leave`, which an address that was followed calls.
 */
export const useFocusBack = (open: boolean): { readonly leave: () => void } => {
  const before = useRef<HTMLElement | null>(null);
  const leaving = useRef(false);
  const shown = useRef(open);
  useEffect(() => {
    shown.current = open;
  }, [open]);
  useEffect(() => {
    const remember = (event: FocusEvent): void => {
      if (!shown.current && event.target instanceof HTMLElement && event.target.closest('[role="dialog"], dialog') === null) before.current = event.target;
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, []);
  useEffect(() => {
    if (!open) return;
    const opener = before.current;
    leaving.current = false;
    return () => {
      if (leaving.current) return;
      const give = (): void => {
        if (!shown.current && lost()) (opener?.isConnected ? opener : elsewhere())?.focus({ preventScroll: true });
      };
      // a row of the inbox goes a moment after its decision, and a form is disabled until its call has ended
      const watch = new MutationObserver(give);
      const end = (): void => {
        watch.disconnect();
        for (const name of ['keydown', 'pointerdown', 'hashchange']) window.removeEventListener(name, end);
      };
      for (const name of ['keydown', 'pointerdown', 'hashchange']) window.addEventListener(name, end);
      watch.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] });
      queueMicrotask(give);
    };
  }, [open]);
  // the same one always: who hears of an address through it must not begin to listen anew while that address is being told
  const leave = useCallback((): void => { leaving.current = true; }, []);
  return { leave };
};
