import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityRow } from '../../../shared/capability.ts';
import { useWords } from '../../i18n/use-words.ts';
import { DataGrid } from '../../parts/DataGrid.tsx';
import type { GridColumn } from '../../parts/DataGrid.tsx';
import { escapeHidden } from '../../parts/hidden-characters.ts';
import type { ListMemory, PagedRows } from '../../parts/paged-rows.ts';
import { RowSwitch } from '../../parts/RowSwitch.tsx';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { useNarrow } from '../../parts/use-narrow.ts';
import { useWanted } from '../../parts/use-wanted.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { usePinned } from '../../stores/use-pinned.ts';
import { isAllowed, mayBeAllowed } from './capability-filter.ts';
import css from './Capabilities.module.css';

interface CapabilityGridProps {
  readonly rows: PagedRows<CapabilityRow> & { readonly question: number };
  readonly want: (first: number, last: number) => void;
  readonly memory: ListMemory;
  /** resolves to whether it was done; the same one at each drawing */
  readonly onSet: (id: string, allowed: boolean) => Promise<boolean>;
}

/** One row a capability: identity, tier, schema, how it stands, and the agent's access. */
export const CapabilityGrid = ({ rows, want, memory, onSet }: CapabilityGridProps): ReactElement => {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const columns = useMemo<readonly GridColumn<CapabilityRow>[]>(
    () => [
      { key: 'id', title: t('capabilities.column.id'), width: 'minmax(0, 2.4fr)', cell: (c) => <Identity capability={c} /> },
      { key: 'tier', title: t('capabilities.column.tier'), width: '176px', narrow: '166px', cell: (c) => <TierBadge tier={c.tier} /> },
      { key: 'schema', title: t('capabilities.column.schema'), width: '110px', narrow: null, cell: (c) => <span className={c.schemaState === 'checked' ? css['quiet'] : css['loud']}>{t(`capabilities.schema_short.${c.schemaState}`)}</span> },
      { key: 'standing', title: t('capabilities.column.standing'), width: 'minmax(0, 1.2fr)', narrow: '116px', cell: (c) => <Standing capability={c} /> },
      { key: 'pin', title: t('capabilities.pin.column'), width: '92px', narrow: '44px', narrowTitle: t('capabilities.pin.short'), cell: (c) => (c.kind === 'tool' ? <Pin capability={c} /> : null) },
      {
        key: 'access', title: t('capabilities.column.access'), width: '104px',
        cell: (c) => <AccessSwitch capability={c} onSet={onSet} />,
      },
    ],
    [t, onSet],
  );
  return <DataGrid label={t('capabilities.page')} rows={rows} columns={columns} idOf={(c) => c.id} onOpen={(c) => { location.hash = href.capability(c.id); }} rowHeight={narrow ? 52 : 36} onRange={want} question={rows.question} memory={memory} />;
};

const AccessSwitch = ({ capability: c, onSet }: { readonly capability: CapabilityRow; readonly onSet: CapabilityGridProps['onSet'] }): ReactElement => {
  const { t } = useWords();
  const [allowed, want] = useWanted(isAllowed(c));
  const may = mayBeAllowed(c) || allowed;
  return <RowSwitch checked={allowed} disabled={!may} title={may ? undefined : t(c.kind === 'prompt' ? 'capabilities.access.prompt_by_person' : 'capabilities.access.review_first')} label={t('capabilities.access.for', { name: escapeHidden(c.name) })} onChange={() => want(!allowed, onSet(c.id, !allowed))} />;
};

const Pin = ({ capability: c }: { readonly capability: CapabilityRow }): ReactElement => {
  const { t } = useWords();
  const [pinned, pin] = usePinned(c.id);
  return <button type="button" className={css['pin']} aria-pressed={pinned} aria-label={t('capabilities.pin.mark', { name: escapeHidden(c.name) })} title={t('capabilities.pin.always')} onClick={() => pin(!pinned)}>{pinned ? '★' : '☆'}</button>;
};

/** The name first, for a column may be narrow; the server beside it, or under it in a narrow window. */
const Identity = ({ capability }: { readonly capability: CapabilityRow }): ReactElement => {
  const { t } = useWords();
  return (
    <a className={css['id']} href={href.capability(capability.id)} title={escapeHidden(capability.id)}>
      <span className={css['idName']}><UntrustedText text={capability.name} /></span>{' '}
      <span className={css['idServer']}><UntrustedText text={capability.serverId} />{capability.kind === 'tool' ? null : ` · ${t(`capabilities.kind.${capability.kind}`)}`}</span>
    </a>
  );
};

const Standing = ({ capability }: { readonly capability: CapabilityRow }): ReactElement => {
  const { t } = useWords();
  if (capability.needsReview) return <a className={css['awaits']} href={href.capability(capability.id)}>{t(capability.changedFields.length > 0 ? 'capabilities.stands.changed' : 'capabilities.stands.new', { fields: capability.changedFields.length, count: capability.changedFields.length })}</a>;
  if (!capability.available) return <span className={css['quiet']} title={capability.unavailableReason === undefined ? undefined : escapeHidden(capability.unavailableReason)}>{t('capabilities.stands.unavailable')}</span>;
  if (!capability.admitted) return <span className={css['quiet']}>{t('capabilities.stands.not_admitted')}</span>;
  if (capability.schemaState !== 'checked') return <span className={css['loud']}>{t(`capabilities.standing.${capability.schemaState}`)}</span>;
  if (capability.flagCount > 0) return <span className={css['loud']}>{t('capabilities.stands.flagged', { count: capability.flagCount })}</span>;
  return <span className={css['quiet']}>{t('capabilities.stands.ready')}</span>;
};
