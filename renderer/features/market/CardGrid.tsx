import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { isKey, KEYS, listMove } from '../../parts/keys.ts';
import { useKeptRow } from '../../parts/use-kept-row.ts';
import { useInstalling } from './use-installing.ts';
import { EntryCard } from './EntryCard.tsx';
import classes from './MarketPage.module.css';
import type { MarketList } from './use-market-list.ts';

/** Of one card with the gap after it, in px. */
const ROW = 188;
/** so that the widest tier and how an app stands fit into one line */
const NARROWEST = 266;
const GAP = 12;
/** rows beside those in sight */
const OVERSCAN = 1;

export interface CardGridHandle {
  readonly focusFirst: () => void;
}

interface CardGridProps {
  readonly ref: Ref<CardGridHandle>;
  readonly list: MarketList;
  readonly want: (first: number, last: number) => void;
  /** Escape, and the arrow up in the first row */
  readonly onLeave: () => void;
}

/**
 * Cards in as many columns as fit; only those in sight are in the document, and the page scrolls as one. One card is in the tab order, the arrow keys go on
 * from it. The card that has the focus stays until the next one is there, however long it is read, so that the focus is never without a place.
 */
export const CardGrid = memo(function CardGrid({ ref, list, want, onLeave }: CardGridProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLUListElement>(null);
  const { margin, columns } = useMeasured(box);
  const [active, setActive] = useState(0);
  const [focused, setFocused] = useState(-1);
  const wantsFocus = useRef(false);
  /** what had the focus when a card was wanted */
  const leaving = useRef<Element | null>(null);
  const installing = useInstalling();
  const found = list.total;
  const at = Math.min(active, found - 1);
  const virtual = useVirtualizer({ count: Math.ceil(found / columns), getScrollElement: () => document.getElementById('main'), estimateSize: () => ROW, overscan: OVERSCAN, scrollMargin: margin, scrollPaddingStart: 16, scrollPaddingEnd: 16, rangeExtractor: useKeptRow(focused < 0 ? -1 : Math.floor(focused / columns)) });
  const rows = virtual.getVirtualItems();
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  const first = Math.max(0, startIndex - OVERSCAN) * columns;
  const last = Math.min(found, (endIndex + 1 + OVERSCAN) * columns) - 1;

  useEffect(() => want(first, last), [want, first, last, list.question]);
  // another question is another list: from its top, with its first card in the tab order
  const question = useRef(list.question);
  useLayoutEffect(() => {
    if (question.current === list.question) return;
    question.current = list.question;
    setActive(0);
    // asked only where it moves anything: to ask the document would lay it out
    if ((virtual.scrollOffset ?? 0) > 0) document.getElementById('main')?.scrollTo({ top: 0 });
  }, [list.question, virtual]);
  useEffect(() => {
    if (!wantsFocus.current) return;
    // whoever went elsewhere meanwhile is left alone
    const focus = document.activeElement;
    const isFree = focus === null || focus === document.body || focus.id === 'main' || focus === leaving.current || box.current?.contains(focus) === true;
    wantsFocus.current = isFree && !focusCard(box.current, at);
  });
  const goTo = (to: number): void => {
    const next = Math.max(0, Math.min(found - 1, to));
    virtual.scrollToIndex(Math.floor(next / columns));
    setActive(next);
    leaving.current = document.activeElement;
    // one that is out of sight is drawn after the scrolling
    wantsFocus.current = !focusCard(box.current, next);
  };
  useImperativeHandle(ref, () => ({ focusFirst: () => goTo(0) }));
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((document.getElementById('main')?.clientHeight ?? ROW) / ROW) - 1) * columns;
    const way = listMove(event);
    if (isKey(event, KEYS.leave.clear) || (way === 'up' && at < columns)) onLeave();
    else if (way !== null) goTo({ right: at + 1, left: at - 1, down: at + columns, up: at - columns, pageDown: at + page, pageUp: at - page, first: 0, last: found - 1 }[way]);
    else return;
    event.preventDefault();
  };
  const width = `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`;
  return (
    <ul ref={box} className={classes['cards']} aria-label={t('market.list')} style={{ height: virtual.getTotalSize() - GAP }} onKeyDown={onKeyDown}>
      {rows.flatMap((row) =>
        Array.from({ length: Math.min(columns, found - row.index * columns) }, (_, column) => {
          const place = row.index * columns + column;
          const card = list.rowAt(place);
          return (
            <li
              key={place}
              data-card={place}
              className={classes['card']}
              aria-setsize={found}
              aria-posinset={place + 1}
              aria-busy={card === undefined}
              style={{ top: row.start - margin, height: ROW - GAP, width, left: `calc((${width} + ${GAP}px) * ${column})` }}
              onFocus={() => {
                setActive(place);
                setFocused(place);
              }}
            >
              {card && <EntryCard card={card} installing={installing.get(card.id)} inTabOrder={place === at} />}
            </li>
          );
        }),
      )}
    </ul>
  );
});

/** False where it is not drawn. */
const focusCard = (list: HTMLElement | null, at: number): boolean => {
  const link = list?.querySelector<HTMLElement>(`[data-card="${at}"] a`);
  link?.focus({ preventScroll: true });
  return link !== undefined && link !== null;
};

/** How far below the top of the page the cards begin, and how many stand side by side. */
const useMeasured = (box: { readonly current: HTMLElement | null }): { readonly margin: number; readonly columns: number } => {
  const [measured, setMeasured] = useState({ margin: 0, columns: 3 });
  useLayoutEffect(() => {
    const main = document.getElementById('main');
    if (!main) return undefined;
    const measure = (): void => {
      if (!box.current) return;
      const { top, width } = box.current.getBoundingClientRect();
      const margin = Math.round(top - main.getBoundingClientRect().top + main.scrollTop);
      const columns = Math.max(1, Math.floor((width + GAP) / (NARROWEST + GAP)));
      setMeasured((before) => (before.margin === margin && before.columns === columns ? before : { margin, columns }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const child of main.children) observer.observe(child);
    return () => observer.disconnect();
  }, [box]);
  return measured;
};
