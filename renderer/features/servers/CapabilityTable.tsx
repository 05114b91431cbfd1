import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityRow as Row } from '../../../shared/capability.ts';
import { useWords } from '../../i18n/use-words.ts';
import type { PagedRows } from '../../parts/paged-rows.ts';
import { RowSwitch } from '../../parts/RowSwitch.tsx';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useKeptRow } from '../../parts/use-kept-row.ts';
import { useScrollMargin } from '../../parts/use-scroll-margin.ts';
import { href } from '../../routes.ts';
import { isAllowed, isGrantable } from './capability-filter.ts';
import classes from './CapabilityList.module.css';
import { useRowKeys } from './use-row-keys.ts';
import { useWanted } from '../../parts/use-wanted.ts';

const ROW = 36;

interface CapabilityTableProps {
  readonly rows: PagedRows<Row>;
  readonly want: (first: number, last: number) => void;
  /** resolves to whether it was done */
  readonly onAccess: (capability: Row, allowed: boolean) => Promise<boolean>;
}

/** Rows of 36 px; only those in view are in the document, and the page scrolls as one. Arrow keys go from row to row. */
export function CapabilityTable({ rows, want, onAccess }: CapabilityTableProps) {
  const { t } = useTranslation();
  const body = useRef<HTMLDivElement>(null);
  const latest = useRef(onAccess);
  useLayoutEffect(() => {
    latest.current = onAccess;
  });
  const set = useCallback<CapabilityTableProps['onAccess']>((capability, allowed) => latest.current(capability, allowed), []);
  const margin = useScrollMargin(body);
  const [kept, setKept] = useState(-1);
  const virtual = useVirtualizer({ count: rows.total, getScrollElement: () => document.getElementById('main'), estimateSize: () => ROW, overscan: 4, scrollMargin: margin, scrollPaddingStart: 40, scrollPaddingEnd: 40, rangeExtractor: useKeptRow(kept) });
  const { startIndex: first = 0, endIndex: last = 0 } = virtual.range ?? {};
  useEffect(() => want(first, last), [want, first, last, rows.total]);
  const onKeyDown = useRowKeys(rows.total, (row) => virtual.scrollToIndex(row));
  return (
    <div className={classes['table']} role="table" aria-label={t('servers.capabilities.title')} aria-rowcount={rows.total + 1} onKeyDown={onKeyDown} onFocus={(event) => setKept(Number((event.target as Element).closest('[data-place]')?.getAttribute('data-place') ?? -1))}>
      <div role="rowgroup" className={classes['top']}>
        <div role="row" aria-rowindex={1} className={classes['head']}>
          {(['capability', 'tier', 'schema', 'changed', 'access'] as const).map((column) => (
            <div key={column} role="columnheader">
              {t(`servers.capabilities.column.${column}`)}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" ref={body} className={classes['body']} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const capability = rows.rowAt(item.index);
          if (capability === undefined) return <div key={item.index} role="row" aria-rowindex={item.index + 2} aria-busy="true" className={classes['row']} style={{ top: item.start - margin }}><div role="cell" /></div>;
          return <CapabilityRow key={capability.id} capability={capability} row={item.index} top={item.start - margin} onAccess={set} />;
        })}
      </div>
    </div>
  );
}

interface CapabilityRowProps {
  readonly capability: Row;
  readonly row: number;
  readonly top: number;
  readonly onAccess: CapabilityTableProps['onAccess'];
}

const CapabilityRow = memo(function CapabilityRow({ capability, row, top, onAccess }: CapabilityRowProps) {
  const { t } = useWords();
  const [allowed, want] = useWanted(isAllowed(capability));
  const locked = !allowed && !isGrantable(capability);
  const why = capability.kind === 'prompt' ? 'byPerson' : capability.schemaState === 'excluded' ? 'leftOut' : 'reviewFirst';
  const link = href.capability(capability.id);
  return (
    <div role="row" aria-rowindex={row + 2} data-place={row} className={classes['row']} style={{ top }}>
      <div role="cell">
        <a className={classes['id']} href={link} title={capability.id} data-available={capability.available} data-row={row} data-cell="id">
          <UntrustedText text={capability.id} />
        </a>
      </div>
      <div role="cell">
        <TierBadge tier={capability.tier} />
      </div>
      <div role="cell" className="g-muted">
        {t(`servers.capabilities.schema.${capability.schemaState}`)}
      </div>
      <div role="cell">
        {capability.changedFields.length > 0 ? (
          <a className={classes['changed']} href={link} data-row={row} data-cell="changed">
            {[...new Set(capability.changedFields.map((field) => field.split('#', 1)[0]!))].map((field) => (t(`parts.field.${field}`, { defaultValue: field }))).join(t('servers.comma'))} →
          </a>
        ) : capability.needsReview ? (
          <a className={classes['changed']} href={link} data-row={row} data-cell="changed">
            {t('servers.capabilities.review')} →
          </a>
        ) : (
          '–'
        )}
      </div>
      <div role="cell" className={classes['access']}>
        <RowSwitch checked={allowed} disabled={locked} title={locked ? t(`servers.capabilities.locked.${why}`) : undefined} onChange={() => want(!allowed, onAccess(capability, !allowed))} label={t('servers.capabilities.accessOf', { id: capability.id })} data-row={row} data-cell="access" />
      </div>
    </div>
  );
});
