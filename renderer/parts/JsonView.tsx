import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './CopyButton.tsx';
import { inputDifference } from './input-difference.ts';
import { jsonRows } from './json-rows.ts';
import type { JsonRow } from './json-rows.ts';
import { ShownText } from './UntrustedText.tsx';
import css from './JsonView.module.css';

const ROW = 20;
/** Above this the rows that are out of sight are not drawn; all stay reachable by scrolling. */
const DRAW_ALL_BELOW = 300;
const FOLD_FROM = 14;

export interface JsonViewProps {
  /** JSON text, canonical or as it came */
  readonly text: string;
  /** accessible name of the region */
  readonly label: string;
  /** px */
  readonly maxHeight?: number;
  /** marks what differs from this earlier input */
  readonly before?: string | undefined;
  /** long strings start open (an approval shows everything) */
  readonly whole?: boolean;
  /** told once the last row has been in sight */
  readonly onEndSeen?: () => void;
  readonly copy?: boolean;
}

const Row = ({ row, changed, folded, onToggle }: { readonly row: JsonRow; readonly changed: boolean; readonly folded: boolean | null; readonly onToggle: () => void }): ReactElement => {
  const { t } = useTranslation();
  const differs = changed ? <span className={css['spoken']}>{t('parts.json.differs')}</span> : null;
  if (row.kind === 'string_line' || row.kind === 'raw') {
    return (
      <div className={css['row']} data-changed={changed} style={{ paddingInlineStart: `${row.depth * 14}px` }}>
        {differs}
        <span className={css['number']} aria-hidden="true">{row.line === 0 ? '↳' : row.line}</span>
        <span className={css['line']}><ShownText text={row.text} /></span>
      </div>
    );
  }
  return (
    <div className={css['row']} data-changed={changed} style={{ paddingInlineStart: `${row.depth * 14}px` }}>
      {differs}
      <span className={css['content']}>
        {row.key === null ? null : <><span className={css['key']}><ShownText text={JSON.stringify(row.key)} /></span>: </>}
        {row.long === null ? (
          <span data-token={row.token}><ShownText text={row.text} /></span>
        ) : (
          <span className={css['length']}>{t('parts.json.long', { characters: row.long.characters, count: row.long.lines })}</span>
        )}
        {row.comma ? ',' : ''}
        {folded === null ? null : <button type="button" className={css['fold']} aria-expanded={!folded} onClick={onToggle}>{t(folded ? 'parts.json.unfold' : 'parts.json.fold')}</button>}
      </span>
    </div>
  );
};

/** JSON laid out in lines, all of it reachable by scrolling, with its length said and nothing in it acting. */
export const JsonView = ({ text, label, maxHeight = 360, before, whole = false, onEndSeen, copy = true }: JsonViewProps): ReactElement => {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const parsed = useMemo(() => jsonRows(text), [text]);
  const difference = useMemo(() => (before === undefined ? null : inputDifference(before, text)), [before, text]);
  const bytes = useMemo(() => new TextEncoder().encode(text).length, [text]);
  const visible = useMemo(() => {
    const out: { readonly row: JsonRow; readonly index: number; readonly folded: boolean | null }[] = [];
    let folding: string | null = null;
    parsed.rows.forEach((row, index) => {
      if (row.kind === 'string_line' && row.pointer === folding) return;
      folding = null;
      const foldable = !whole && row.long !== null && row.long.lines + Math.ceil(row.long.characters / 1000) > FOLD_FROM;
      const folded = foldable && !open.has(row.pointer);
      if (folded) folding = row.pointer;
      out.push({ row, index, folded: foldable ? folded : null });
    });
    return out;
  }, [parsed, open, whole]);
  const virtual = visible.length > DRAW_ALL_BELOW;
  const virtualizer = useVirtualizer({ count: virtual ? visible.length : 0, getScrollElement: () => scroller.current, estimateSize: () => ROW, overscan: 30 });
  const seen = useRef<(() => void) | undefined>(undefined);
  seen.current = onEndSeen;
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const end = element.querySelector('[data-end]');
    if (end === null) return undefined;
    // intersection with the window: a last line below the fold of a dialog has not been seen either
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) seen.current?.();
    });
    watcher.observe(end);
    return () => watcher.disconnect();
  }, [visible]);
  const draw = (i: number): ReactElement => {
    const { row, index, folded } = visible[i]!;
    const toggle = (): void => setOpen((was) => (was.has(row.pointer) ? new Set([...was].filter((p) => p !== row.pointer)) : new Set([...was, row.pointer])));
    return <Row row={row} changed={difference?.changedRows.has(index) ?? false} folded={folded} onToggle={toggle} />;
  };
  return (
    <div className={css['json']}>
      {parsed.ok ? null : <p className={css['note']}>{t('parts.json.not_json')}</p>}
      <div ref={scroller} className={css['scroller']} style={{ maxHeight }} tabIndex={0} role="region" aria-label={`${label}, ${t('parts.json.size', { count: bytes, lines: visible.length })}`}>
        {virtual ? (
          <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
            {virtualizer.getVirtualItems().map((item) => (
              <div key={item.key} ref={virtualizer.measureElement} data-index={item.index} style={{ position: 'absolute', insetInlineStart: 0, top: 0, width: '100%', transform: `translateY(${item.start}px)` }}>{draw(item.index)}</div>
            ))}
          </div>
        ) : (
          visible.map((_, i) => <div key={i}>{draw(i)}</div>)
        )}
        <div data-end="true" className={css['end']} />
      </div>
      {difference === null || difference.gone.length === 0 ? null : (
        <div className={css['gone']}>
          <p>{t('parts.json.gone', { count: difference.gone.length })}</p>
          {difference.gone.slice(0, 20).map((g) => <div key={g.pointer}><code>{g.pointer}</code>: <del><ShownText text={g.text.slice(0, 400)} /></del></div>)}
        </div>
      )}
      {copy ? <div className={css['foot']}><span>{t('parts.json.size', { count: bytes, lines: visible.length })}</span><CopyButton text={text} name={label} words={t('parts.json.copy')} /></div> : null}
    </div>
  );
};
