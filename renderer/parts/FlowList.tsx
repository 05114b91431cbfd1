import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import type { FocusEvent, ReactElement, ReactNode } from 'react';
import css from './FlowList.module.css';
import type { PagedRows } from './paged-rows.ts';
import { useKeptRow } from './use-kept-row.ts';
import { useOpening, type Opening } from './use-opening.ts';
import { useScrollMargin } from './use-scroll-margin.ts';

export interface FlowListProps<R> {
  readonly label: string;
  readonly rows: PagedRows<R>;
  /** the same function each time: another one lays all rows out anew */
  readonly idOf: (row: R) => string;
  /** px of a row before it was measured */
  readonly estimate: number;
  /** the same function while rows look the same: another one draws all in sight anew */
  readonly children: (row: R, index: number) => ReactNode;
  readonly ordered?: boolean;
  readonly className?: string | undefined;
  /** `own`: the list scrolls by itself, in the height that its class gives */
  readonly scroller?: 'page' | 'own';
  /** places in sight, for what asks for their rows */
  readonly onRange?: ((first: number, last: number) => void) | undefined;
  /** taken once, when the list first has rows */
  readonly opening?: Opening | null | undefined;
}

/** Rows of any height that scroll with their page; only those in sight are drawn, each says its place of how many. */
export const FlowList = <R,>({ label, rows, idOf, estimate, children, ordered = false, className, scroller = 'page', onRange, opening = null }: FlowListProps<R>): ReactElement => {
  const box = useRef<HTMLElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const pageMargin = useScrollMargin(box);
  const margin = scroller === 'own' ? 0 : pageMargin;
  const [kept, setKept] = useState(-1);
  const keyOf = useCallback(
    (index: number) => {
      const row = rows.rowAt(index);
      return row === undefined ? index : idOf(row);
    },
    [rows, idOf],
  );
  const virtual = useVirtualizer({
    count: rows.total,
    getScrollElement: () => (scroller === 'own' ? frame.current : document.getElementById('main')),
    estimateSize: () => estimate,
    overscan: 3,
    scrollMargin: margin,
    getItemKey: keyOf,
    rangeExtractor: useKeptRow(kept),
  });
  const items = virtual.getVirtualItems();
  const { startIndex: first = 0, endIndex: last = 0 } = virtual.range ?? {};
  useEffect(() => onRange?.(first, last), [onRange, first, last, rows.total]);
  useOpening(opening, { box, rows, scrollTo: (index) => virtual.scrollToIndex(index, { align: scroller === 'own' ? 'center' : 'auto' }) });
  const onFocus = (event: FocusEvent): void => setKept(Number((event.target as Element).closest('[data-index]')?.getAttribute('data-index') ?? -1));
  const onBlur = (event: FocusEvent): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) setKept(-1);
  };
  const List = ordered ? 'ol' : 'ul';
  const drawn = (
    <List ref={box as never} className={`${css['list']} ${className ?? ''}`} aria-label={label} style={{ height: virtual.getTotalSize() }} onFocus={onFocus} onBlur={onBlur}>
      {items.map((item) => <FlowRow key={item.key} row={rows.rowAt(item.index)} index={item.index} total={rows.total} start={item.start - margin} estimate={estimate} measure={virtual.measureElement} draw={children} />)}
    </List>
  );
  return scroller === 'own' ? <div ref={frame} className={css['frame']}>{drawn}</div> : drawn;
};

interface FlowRowProps<R> {
  readonly row: R | undefined;
  readonly index: number;
  readonly total: number;
  readonly start: number;
  readonly estimate: number;
  readonly measure: (node: Element | null) => void;
  readonly draw: (row: R, index: number) => ReactNode;
}

/** Drawn anew when it is another row, not at each step of scrolling. */
const FlowRow = memo(function FlowRow<R>({ row, index, total, start, estimate, measure, draw }: FlowRowProps<R>): ReactElement {
  return (
    <li ref={measure} data-index={index} aria-setsize={total} aria-posinset={index + 1} aria-busy={row === undefined || undefined} className={css['row']} style={{ transform: `translateY(${start}px)`, ...(row === undefined ? { height: estimate } : {}) }}>
      {row === undefined ? null : draw(row, index)}
    </li>
  );
}) as <R>(props: FlowRowProps<R>) => ReactElement;
