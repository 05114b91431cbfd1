import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import css from './DataGrid.module.css';
import { isKey, KEYS, listMove } from './keys.ts';
import { useNarrow } from './use-narrow.ts';
import { useRoom } from './use-room.ts';

export interface GridColumn<R> {
  readonly key: string;
  readonly title: string;
  /** one CSS grid track, for instance `minmax(0, 2fr)` */
  readonly width: string;
  /** the track in a narrow window; null leaves the column out there, for what another cell then says */
  readonly narrow?: string | null;
  readonly cell: (row: R) => ReactNode;
}

export interface DataGridProps<R> {
  readonly label: string;
  readonly rows: readonly R[];
  readonly columns: readonly GridColumn<R>[];
  readonly idOf: (row: R) => string;
  /** Enter, double click or a click on the row outside its controls */
  readonly onOpen?: (row: R) => void;
  /** a link to the row's page: what the row opens can be copied and opened as usual */
  readonly selected?: string | null;
  readonly rowHeight?: number;
}

const INTERACTIVE = 'a,button,input,label,select,textarea,summary';

/** Rows of 36 px with the arrow keys, Home and End; only rows in sight are drawn. */
export const DataGrid = <R,>({ label, rows, columns: all, idOf, onOpen, selected = null, rowHeight = 36 }: DataGridProps<R>): ReactElement => {
  const scroller = useRef<HTMLDivElement>(null);
  const room = useRoom(scroller);
  const [active, setActive] = useState(0);
  const wantsFocus = useRef(false);
  const at = Math.min(active, Math.max(0, rows.length - 1));
  const virtualizer = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 12 });
  const narrow = useNarrow();
  const columns = narrow ? all.filter((c) => c.narrow !== null) : all;
  const tracks = columns.map((c) => (narrow ? (c.narrow ?? c.width) : c.width)).join(' ');
  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    scroller.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus({ preventScroll: true });
  });
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    wantsFocus.current = true;
    virtualizer.scrollToIndex(next);
    setActive(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number): void => {
    if (event.target !== event.currentTarget && event.key !== 'Escape') return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 360) / rowHeight) - 1);
    const way = listMove(event);
    if (way !== null) {
      const to = { down: index + 1, up: index - 1, pageDown: index + page, pageUp: index - page, first: 0, last: rows.length - 1, left: null, right: null }[way];
      if (to === null) return;
      event.preventDefault();
      move(to);
    } else if (isKey(event, KEYS.list.open) && event.target === event.currentTarget) onOpen?.(rows[index]!);
  };
  return (
    <div className={css['grid']} role="grid" aria-label={label} aria-rowcount={rows.length + 1}>
      <div role="rowgroup" className={css['top']}>
        <div className={css['head']} role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
          {columns.map((c) => <span key={c.key} role="columnheader">{c.title}</span>)}
        </div>
      </div>
      <div ref={scroller} className={css['scroller']} role="rowgroup" style={{ maxHeight: room }}>
        <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index]!;
            return (
              <div key={idOf(row)} role="row" data-row={item.index} aria-rowindex={item.index + 2} aria-selected={selected === null ? undefined : idOf(row) === selected} tabIndex={item.index === at ? 0 : -1} className={css['row']} data-opens={onOpen !== undefined}
                style={{ gridTemplateColumns: tracks, height: rowHeight, transform: `translateY(${item.start}px)` }}
                onFocus={() => setActive(item.index)} onKeyDown={(event) => onKeyDown(event, item.index)}
                onClick={(event) => { if (!(event.target as Element).closest(INTERACTIVE) && getSelection()?.isCollapsed !== false) onOpen?.(row); }}>
                {columns.map((c) => <span key={c.key} role="gridcell">{c.cell(row)}</span>)}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
};
