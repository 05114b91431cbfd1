import { useEffect, type RefObject } from 'react';

/** Long enough for a page, a dialog or a menu that puts the focus somewhere itself. */
const OTHERS_FIRST_MS = 60;

const lost = (): boolean => document.activeElement === null || document.activeElement === document.body || document.activeElement.matches(':disabled');

const TAKES_FOCUS = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, label, [tabindex]';

/** The heading of the nearest part of the page that is still there; the page itself where it has none. */
const nextOf = (parts: readonly Element[], page: HTMLElement): HTMLElement => {
  const part = parts.find((one) => one.isConnected && page.contains(one)) ?? page;
  return part.querySelector<HTMLElement>('h1, h2') ?? page.querySelector<HTMLElement>('h1') ?? page;
};

/**
 * Keeps the focus in the page: a control that is disabled while its act runs has it again as soon as it can take it, and where it is gone with its
 * step, the heading of what came instead has it. What the person left with a click stays left.
 */
export const useFocusKept = (page: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const within = page.current;
    if (within === null) return undefined;
    let had: HTMLElement | null = null;
    let around: Element[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = (event: FocusEvent): void => {
      had = event.target instanceof HTMLElement && within.contains(event.target) && event.target !== within ? event.target : null;
      around = [];
      for (let at = had?.parentElement ?? null; at !== null && at !== within; at = at.parentElement) around.push(at);
    };
    const leave = (event: PointerEvent): void => {
      const control = event.target instanceof Element ? event.target.closest(TAKES_FOCUS) : null;
      if (control === null || control === within || !within.contains(control)) had = null;
    };
    const give = (): void => {
      if (had === null || !lost() || document.querySelector('[role="dialog"], dialog[open]') !== null) return;
      if (had.isConnected) {
        if (!had.matches(':disabled')) had.focus({ preventScroll: true });
        return;
      }
      const next = nextOf(around, within);
      if (next !== within && !next.hasAttribute('tabindex')) next.tabIndex = -1;
      next.focus({ preventScroll: next === within });
    };
    const watch = new MutationObserver(() => {
      if (had === null || !lost()) return;
      clearTimeout(timer);
      timer = setTimeout(give, OTHERS_FIRST_MS);
    });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', leave, true);
    watch.observe(within, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] });
    return () => {
      clearTimeout(timer);
      watch.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', leave, true);
    };
  }, [page]);
};
