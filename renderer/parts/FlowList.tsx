import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { FocusEvent, ReactElement, ReactNode } from 'react';
import css from './FlowList.module.css';
import type { PagedRows } from './paged-rows.ts';
import { useKeptRow } from './use-kept-row.ts';
import { useOpening, type Opening } from './use-opening.ts';
import { useScrollMargin } from './use-scroll-margin.ts';

export interface FlowListProps<R> {
  readonly label: string;
  readonly rows: PagedRows<R>;
  readonly idOf: (row: R) => string;
  /** px of a row before it was measured */
  readonly estimate: number;
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
  const virtual = useVirtualizer({
    count: rows.total,
    getScrollElement: () => (scroller === 'own' ? frame.current : document.getElementById('main')),
    estimateSize: () => estimate,
    overscan: 3,
    scrollMargin: margin,
    getItemKey: (index) => {
      const row = rows.rowAt(index);
      return row === undefined ? index : idOf(row);
    },
    rangeExtractor: useKeptRow(kept),
  });
  const items = virtual.getVirtualItems();
  const { startIndex: first = 0, endIndex: last = 0 } = virtual.range ?? {};
  useEffect(() => onRange?.(first, last), [onRange, first, last, rows.total]);
  useOpening(opening, { box, rows, scrollTo: (index) => virtual.scrollToIndex(index, { align: 'center' }) });
  const onFocus = (event: FocusEvent): void => setKept(Number((event.target as Element).closest('[data-index]')?.getAttribute('data-index') ?? -1));
  const onBlur = (event: FocusEvent): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) setKept(-1);
  };
  const List = ordered ? 'ol' : 'ul';
  const drawn = (
    <List ref={box as never} className={`${css['list']} ${className ?? ''}`} aria-label={label} style={{ height: virtual.getTotalSize() }} onFocus={onFocus} onBlur={onBlur}>
      {items.map((item) => {
        const row = rows.rowAt(item.index);
        return (
          <li key={item.key} ref={virtual.measureElement} data-index={item.index} aria-setsize={rows.total} aria-posinset={item.index + 1} aria-busy={row === undefined || undefined} className={css['row']} style={{ transform: `translateY(${item.start - margin}px)`, ...(row === undefined ? { height: estimate } : {}) }}>
            {row === undefined ? null : children(row, item.index)}
          </li>
        );
      })}
    </List>
  );
  return scroller === 'own' ? <div ref={frame} className={css['frame']}>{drawn}</div> : drawn;
};
