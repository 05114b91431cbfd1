import { useEffect, useRef, type RefObject } from 'react';
import type { PagedRows } from './paged-rows.ts';

/** Where a list opens. With `focus` that row's first control has it, unless the person has gone elsewhere. */
export interface Opening {
  readonly at: number;
  readonly focus: boolean;
}

interface OpeningList {
  readonly box: RefObject<HTMLElement | null>;
  readonly rows: PagedRows<unknown>;
  readonly scrollTo: (index: number) => void;
}

/** Brings a virtual list to the row it opens at, once: what lies there is asked for, drawn, and then shown whole within the page. */
export const useOpening = (opening: Opening | null, { box, rows, scrollTo }: OpeningList): void => {
  const waits = useRef(opening !== null);
  const scrolled = useRef(false);
  useEffect(() => {
    if (!waits.current || opening === null || rows.total === 0) return;
    if (opening.at >= rows.total) {
      waits.current = false;
      return;
    }
    if (!scrolled.current) {
      scrolled.current = true;
      scrollTo(opening.at);
    }
    const row = box.current?.querySelector<HTMLElement>(`[data-index="${opening.at}"]`);
    if (!row || rows.rowAt(opening.at) === undefined) return;
    waits.current = false;
    if (opening.focus) {
      // the frame gives a new page the focus first
      requestAnimationFrame(() => {
        row.scrollIntoView({ block: 'nearest' });
        const at = document.activeElement;
        if (at === null || at === document.body || at.id === 'main') row.querySelector<HTMLElement>('button, a')?.focus({ preventScroll: true });
      });
    }
  });
};
