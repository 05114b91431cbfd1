import { useCallback, type KeyboardEvent } from 'react';
import { listMove } from '../../parts/keys.ts';

/**
 * Arrow keys in a table: up and down to the same control of the next row, Home and End to the first and last. Controls carry `data-row` and `data-cell`;
 * `show` brings a row into the document first, where rows are virtual.
 */
export const useRowKeys = (count: number, show: (row: number) => void = () => undefined): ((event: KeyboardEvent<HTMLElement>) => void) =>
  useCallback(
    (event) => {
      const control = (event.target as HTMLElement).closest<HTMLElement>('[data-cell]');
      const way = listMove(event);
      if (!control || way === null) return;
      const row = Number(control.dataset['row']);
      const to = { down: row + 1, up: row - 1, first: 0, last: count - 1, left: null, right: null, pageDown: null, pageUp: null }[way];
      if (to === null || to < 0 || to >= count) return;
      event.preventDefault();
      show(to);
      const table = event.currentTarget;
      const selector = `[data-row="${to}"][data-cell="${control.dataset['cell']}"]`;
      requestAnimationFrame(() => requestAnimationFrame(() => table.querySelector<HTMLElement>(selector)?.focus()));
    },
    [count, show],
  );
