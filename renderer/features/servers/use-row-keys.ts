import { useCallback, type KeyboardEvent } from 'react';

/**
 * Arrow keys in a table: up and down to the same control of the next row, Home and End to the first and last. Controls carry `data-row` and `data-cell`;
 * `show` brings a row into the document first, where rows are virtual.
 */
export const useRowKeys = (count: number, show: (row: number) => void = () => undefined): ((event: KeyboardEvent<HTMLElement>) => void) =>
  useCallback(
    (event) => {
      const control = (event.target as HTMLElement).closest<HTMLElement>('[data-cell]');
      if (!control || event.altKey || event.ctrlKey || event.metaKey) return;
      const row = Number(control.dataset['row']);
      const to = { ArrowDown: row + 1, ArrowUp: row - 1, Home: 0, End: count - 1 }[event.key];
      if (to === undefined || to < 0 || to >= count) return;
      event.preventDefault();
      show(to);
      const table = event.currentTarget;
      const selector = `[data-row="${to}"][data-cell="${control.dataset['cell']}"]`;
      requestAnimationFrame(() => requestAnimationFrame(() => table.querySelector<HTMLElement>(selector)?.focus()));
    },
    [count, show],
  );
