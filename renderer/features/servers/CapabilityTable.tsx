import { Switch, Tooltip } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityRow as Row } from '../../../shared/capability.ts';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { isAllowed, isGrantable } from './capability-filter.ts';
import classes from './CapabilityList.module.css';
import { useRowKeys } from './use-row-keys.ts';
import { useWanted } from './use-wanted.ts';

const ROW = 36;

interface CapabilityTableProps {
  readonly capabilities: readonly Row[];
  /** resolves to whether it was done */
  readonly onAccess: (capability: Row, allowed: boolean) => Promise<boolean>;
}

/** Rows of 36 px; only those in view are in the document, and the page scrolls as one. Arrow keys go from row to row. */
export function CapabilityTable({ capabilities, onAccess }: CapabilityTableProps) {
  const { t } = useTranslation();
  const body = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const main = document.getElementById('main');
    if (!main) return undefined;
    const measure = (): void => {
      if (body.current) setMargin(Math.round(body.current.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const child of main.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  const virtual = useVirtualizer({ count: capabilities.length, getScrollElement: () => document.getElementById('main'), estimateSize: () => ROW, overscan: 12, scrollMargin: margin, scrollPaddingStart: 40, scrollPaddingEnd: 40 });
  const onKeyDown = useRowKeys(capabilities.length, (row) => virtual.scrollToIndex(row));
  return (
    <div className={classes['table']} role="table" aria-label={t('servers.capabilities.title')} aria-rowcount={capabilities.length + 1} onKeyDown={onKeyDown}>
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
          const capability = capabilities[item.index];
          return capability && <CapabilityRow key={capability.id} capability={capability} row={item.index} top={item.start - margin} onAccess={onAccess} />;
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

function CapabilityRow({ capability, row, top, onAccess }: CapabilityRowProps) {
  const { t, i18n } = useTranslation();
  const [allowed, want] = useWanted(isAllowed(capability));
  const locked = !allowed && !isGrantable(capability);
  const why = capability.kind !== 'tool' ? 'notATool' : capability.schemaState === 'excluded' ? 'leftOut' : 'reviewFirst';
  const link = href.capability(capability.id);
  return (
    <div role="row" aria-rowindex={row + 2} className={classes['row']} style={{ top }}>
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
            {[...new Set(capability.changedFields.map((field) => field.split('#', 1)[0]!))].map((field) => (i18n.exists(`parts.field.${field}`) ? t(`parts.field.${field}`) : field)).join(t('servers.comma'))} →
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
        <Tooltip label={t(`servers.capabilities.locked.${why}`)} disabled={!locked}>
          <span>
            <Switch checked={allowed} disabled={locked} onChange={() => want(!allowed, onAccess(capability, !allowed))} aria-label={t('servers.capabilities.accessOf', { id: capability.id })} data-row={row} data-cell="access" />
          </span>
        </Tooltip>
      </div>
    </div>
  );
}
