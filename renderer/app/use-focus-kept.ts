import { useEffect, type RefObject } from 'react';

/** Long enough for a page, a dialog or a menu that puts the focus somewhere itself. */
const OTHERS_FIRST_MS = 60;

const lost = (): boolean => document.activeElement === null || document.activeElement === document.body || document.activeElement.matches(':disabled');

/** What lies over the page (dialogs, menus) is drawn outside of it: what is done there is no leaving of the page. */
const OVER = '[data-portal="true"]';

/** A dialog that puts the focus where it wants it: in an approval no key may meet a button that the person did not go to. */
const OWN = '[data-own-focus]';

const TAKES_FOCUS = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, label, [tabindex]';

/** The heading of the nearest part of the page that is still there and has one; the page itself where none has. */
const nextOf = (parts: readonly Element[], page: HTMLElement): HTMLElement => {
  for (const part of parts) {
    const heading = part.isConnected && page.contains(part) ? part.querySelector<HTMLElement>('h1, h2, h3') : null;
    if (heading !== null) return heading;
  }
  return page.querySelector<HTMLElement>('h1') ?? page;
};

/**
 * Keeps the focus in the page, and in a dialog over it: a control that is disabled while its act runs has it again as soon as it can take it, and where it is gone with its
 * step, the heading of what came instead has it. What the person left with a click stays left.
 */
export const useFocusKept = (page: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const within = page.current;
    if (within === null) return undefined;
    let had: HTMLElement | null = null;
    let over: HTMLElement | null = null;
    let around: Element[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = (event: FocusEvent): void => {
      over = event.target instanceof HTMLElement && event.target.closest(OVER) !== null ? event.target : null;
      if (over !== null) return;
      had = event.target instanceof HTMLElement && within.contains(event.target) && event.target !== within ? event.target : null;
      around = [];
      for (let at = had?.parentElement ?? null; at !== null && at !== within; at = at.parentElement) around.push(at);
    };
    const leave = (event: PointerEvent): void => {
      if (event.target instanceof Element && event.target.closest(OVER) !== null) return;
      const control = event.target instanceof Element ? event.target.closest(TAKES_FOCUS) : null;
      if (control === null || control === within || !within.contains(control)) had = null;
    };
    const give = (): void => {
      if (!lost()) return;
      const dialog = [...document.querySelectorAll('[role="dialog"], dialog[open]')].at(-1);
      if (dialog !== undefined) {
        if (over !== null && dialog.contains(over) && over.closest(OWN) === null && !over.matches(':disabled')) over.focus({ preventScroll: true });
        // one that is closing gives the focus back itself, where it can
        if (lost()) timer = setTimeout(give, OTHERS_FIRST_MS);
        return;
      }
      if (had === null) return;
      if (had.isConnected) {
        if (!had.matches(':disabled')) had.focus({ preventScroll: true });
        return;
      }
      const next = nextOf(around, within);
      if (next !== within && !next.hasAttribute('tabindex')) next.tabIndex = -1;
      next.focus({ preventScroll: next === within });
    };
    const watch = new MutationObserver(() => {
      if ((had === null && over === null) || !lost()) return;
      clearTimeout(timer);
      timer = setTimeout(give, OTHERS_FIRST_MS);
    });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', leave, true);
    watch.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] });
    return () => {
      clearTimeout(timer);
      watch.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', leave, true);
    };
  }, [page]);
};
