import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import css from './DataGrid.module.css';
import { isKey, KEYS, listMove } from './keys.ts';
import type { ListMemory, PagedRows } from './paged-rows.ts';
import { useKeptRow } from './use-kept-row.ts';
import { useListPlace } from './use-list-place.ts';
import { useNarrow } from './use-narrow.ts';
import { useRoom } from './use-room.ts';
import { useScrollBar } from './use-scroll-bar.ts';

export interface GridColumn<R> {
  readonly key: string;
  readonly title: string;
  /** one CSS grid track, for instance `minmax(0, 2fr)` */
  readonly width: string;
  /** the track in a narrow window; null leaves the column out there, for what another cell then says */
  readonly narrow?: string | null;
  /** where the whole title has no room there */
  readonly narrowTitle?: string;
  readonly cell: (row: R) => ReactNode;
}

export interface DataGridProps<R> {
  readonly label: string;
  readonly rows: PagedRows<R>;
  readonly columns: readonly GridColumn<R>[];
  readonly idOf: (row: R) => string;
  /** Enter, double click or a click on the row outside its controls */
  readonly onOpen?: (row: R) => void;
  readonly rowHeight?: number;
  /** places in sight, for what asks for their rows */
  readonly onRange?: ((first: number, last: number) => void) | undefined;
  /** rows that were put before the first: what is in sight stays in sight */
  readonly shifted?: number;
  /** another value is another list, which begins at its top */
  readonly question?: unknown;
  /** finds the list again as it was left */
  readonly memory?: ListMemory | undefined;
}

const INTERACTIVE = 'a,button,input,label,select,textarea,summary';

/** Rows of 36 px with the arrow keys, Home and End; only rows in sight are drawn, and the one whose turn it is. */
export const DataGrid = <R,>({ label, rows, columns: all, idOf, onOpen, rowHeight = 36, onRange, shifted = 0, question, memory }: DataGridProps<R>): ReactElement => {
  const scroller = useRef<HTMLDivElement>(null);
  const room = useRoom(scroller);
  useScrollBar(scroller);
  const [active, setActive] = useState(0);
  const wantsFocus = useRef(false);
  const at = Math.min(active, Math.max(0, rows.total - 1));
  const virtualizer = useVirtualizer({ count: rows.total, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 5, rangeExtractor: useKeptRow(at) });
  // sizes are kept by the virtualizer: a window that becomes narrow has rows of another height
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const narrow = useNarrow();
  const columns = useMemo(() => (narrow ? all.filter((c) => c.narrow !== null) : all), [narrow, all]);
  const tracks = columns.map((c) => (narrow ? (c.narrow ?? c.width) : c.width)).join(' ');
  const focusRow = (): boolean => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${at}"]`);
    row?.focus({ preventScroll: true });
    return row !== undefined && row !== null;
  };
  useEffect(() => {
    if (!wantsFocus.current) return;
    // a row that is still to be read gets the focus, and gets it again when it is there; whoever went elsewhere meanwhile is left alone
    const focus = document.activeElement;
    const free = focus === null || focus === document.body || focus.id === 'main' || scroller.current?.contains(focus) === true;
    if (!free || (focusRow() && rows.rowAt(at) !== undefined)) wantsFocus.current = false;
  });
  useListPlace({ scroller, memory, row: at, ready: rows.total > 0 && room > 0, restore: (place) => { setActive(place.row); wantsFocus.current = place.focused; } });
  const { startIndex: first = 0, endIndex: last = 0 } = virtualizer.range ?? {};
  useEffect(() => onRange?.(first, last), [onRange, first, last, question, rows.total]);
  const asked = useRef(question);
  const before = useRef(shifted);
  useLayoutEffect(() => {
    const by = shifted - before.current;
    before.current = shifted;
    if (asked.current !== question) {
      asked.current = question;
      setActive(0);
      scroller.current?.scrollTo({ top: 0 });
    } else if (by > 0) {
      setActive((was) => was + by);
      if (scroller.current !== null && scroller.current.scrollTop > 0) scroller.current.scrollTop += by * rowHeight;
    }
  }, [question, shifted, rowHeight]);
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(rows.total - 1, to));
    wantsFocus.current = true;
    virtualizer.scrollToIndex(next);
    setActive(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number): void => {
    if (event.target !== event.currentTarget && event.key !== 'Escape') return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 360) / rowHeight) - 1);
    const row = rows.rowAt(index);
    const way = listMove(event);
    if (way !== null) {
      const to = { down: index + 1, up: index - 1, pageDown: index + page, pageUp: index - page, first: 0, last: rows.total - 1, left: null, right: null }[way];
      if (to === null) return;
      event.preventDefault();
      move(to);
    } else if (isKey(event, KEYS.list.open) && event.target === event.currentTarget && row !== undefined) onOpen?.(row);
  };
  const latest = useRef({ onKeyDown, onOpen });
  useLayoutEffect(() => {
    latest.current = { onKeyDown, onOpen };
  });
  const acts = useMemo<GridRowProps<R>['acts']>(() => ({ onFocus: setActive, onKeyDown: (event, index) => latest.current.onKeyDown(event, index), onOpen: (row) => latest.current.onOpen?.(row) }), []);
  return (
    <div className={css['grid']} role="grid" aria-label={label} aria-rowcount={rows.total + 1}>
      <div role="rowgroup" className={css['top']}>
        <div className={css['head']} role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
          {columns.map((c) => <span key={c.key} role="columnheader">{narrow ? (c.narrowTitle ?? c.title) : c.title}</span>)}
        </div>
      </div>
      <div ref={scroller} className={css['scroller']} role="rowgroup" style={{ maxHeight: room }}>
        <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows.rowAt(item.index);
            return <GridRow key={row === undefined ? item.index : idOf(row)} row={row} index={item.index} start={item.start} height={rowHeight} tracks={tracks} columns={columns} turn={item.index === at} opens={onOpen !== undefined} acts={acts} />;
          })}
        </div>
      </div>
    </div>
  );
};

interface GridRowProps<R> {
  readonly row: R | undefined;
  readonly index: number;
  readonly start: number;
  readonly height: number;
  readonly tracks: string;
  readonly columns: readonly GridColumn<R>[];
  readonly turn: boolean;
  readonly opens: boolean;
  readonly acts: { readonly onFocus: (index: number) => void; readonly onKeyDown: (event: KeyboardEvent<HTMLElement>, index: number) => void; readonly onOpen: (row: R) => void };
}

/** Drawn anew when it is another row, not at each step of scrolling. */
const GridRow = memo(function GridRow<R>({ row, index, start, height, tracks, columns, turn, opens, acts }: GridRowProps<R>): ReactElement {
  return (
    <div role="row" data-row={index} aria-rowindex={index + 2} aria-busy={row === undefined || undefined} tabIndex={turn ? 0 : -1} className={css['row']} data-opens={opens}
      style={{ gridTemplateColumns: tracks, height, transform: `translateY(${start}px)` }}
      onFocus={() => acts.onFocus(index)} onKeyDown={(event) => acts.onKeyDown(event, index)}
      onClick={(event) => { if (row !== undefined && !(event.target as Element).closest(INTERACTIVE) && getSelection()?.isCollapsed !== false) acts.onOpen(row); }}>
      {columns.map((c) => <span key={c.key} role="gridcell">{row === undefined ? null : c.cell(row)}</span>)}
    </div>
  );
}) as <R>(props: GridRowProps<R>) => ReactElement;
