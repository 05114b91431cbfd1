import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityRow } from '../../../shared/capability.ts';
import { TIERS } from '../../../shared/tier.ts';
import type { Tier } from '../../../shared/tier.ts';
import { escapeHidden } from '../../parts/hidden-characters.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { href } from '../../routes.ts';
import { useCapabilityRows } from '../../stores/capabilities.ts';
import { useListFilters } from '../../stores/list-filters.ts';
import { useServers } from '../../stores/servers.ts';
import { AccessOutcomeView } from './AccessOutcomeView.tsx';
import { BulkAccess } from './BulkAccess.tsx';
import css from './Capabilities.module.css';
import { CapabilityGrid } from './CapabilityGrid.tsx';
import { CAPABILITY_FILTER, filterCapabilities, NO_FILTER, STANDINGS } from './capability-filter.ts';
import type { CapabilityFilter, StandingFilter } from './capability-filter.ts';
import { ReviewList } from './ReviewList.tsx';
import { useAccess } from './use-access.ts';

const Loaded = ({ all, fromAddress }: { readonly all: readonly CapabilityRow[]; readonly fromAddress: string | undefined }): ReactElement => {
  const { t } = useTranslation();
  const servers = useServers((s) => s.servers);
  const toReview = useMemo(() => all.filter((c) => c.needsReview), [all]);
  const [view, setView] = useState<'all' | 'review'>('all');
  const { filters: filter, change } = useListFilters('capabilities', fromAddress, CAPABILITY_FILTER);
  const setFilter = (next: CapabilityFilter): void => change(() => next);
  const settled = useDeferredValue(filter);
  const shown = useMemo(() => filterCapabilities(all, settled), [all, settled]);
  const { outcome, set, forget } = useAccess();
  const serverChoices = useMemo(() => {
    const names = new Map(servers.phase === 'ready' ? servers.value.map((s) => [s.id, s.name]) : []);
    return [...new Set(all.map((c) => c.serverId))].map((id) => ({ value: id, label: escapeHidden(names.get(id) ?? id) }));
  }, [all, servers]);
  if (all.length === 0) {
    return <div className="g-panel"><StateView kind="empty" title={t('capabilities.none_title')} body={t('capabilities.none_body')} action={<Button component="a" href={href.market()}>{t('capabilities.none_go')}</Button>} /></div>;
  }
  return (
    <>
      <div className={css['tools']}>
        <SegmentedControl size="xs" aria-label={t('capabilities.view')} value={view} onChange={(v) => setView(v === 'review' ? 'review' : 'all')} data={[{ value: 'all', label: t('capabilities.all', { count: all.length }) }, { value: 'review', label: t('capabilities.to_review', { count: toReview.length }) }]} />
        {view === 'review' ? null : (
          <>
            <TextInput size="xs" className={css['words']!} data-page-search aria-label={t('capabilities.filter.words')} placeholder={t('capabilities.filter.words')} value={filter.words} onChange={(e) => setFilter({ ...filter, words: e.currentTarget.value })} />
            <Select size="xs" clearable aria-label={t('capabilities.filter.server')} placeholder={t('capabilities.filter.server')} data={serverChoices} value={filter.serverId} onChange={(serverId) => setFilter({ ...filter, serverId })} className={css['select']!} />
            <Select size="xs" clearable aria-label={t('capabilities.filter.tier')} placeholder={t('capabilities.filter.tier')} data={TIERS.map((tier) => ({ value: tier, label: t(`parts.tier.${tier}`) }))} value={filter.tier} onChange={(tier) => setFilter({ ...filter, tier: tier as Tier | null })} className={css['select']!} />
            <Select size="xs" clearable aria-label={t('capabilities.filter.standing')} placeholder={t('capabilities.filter.standing')} data={STANDINGS.map((s) => ({ value: s, label: t(`capabilities.standing.${s}`) }))} value={filter.standing} onChange={(standing) => setFilter({ ...filter, standing: standing as StandingFilter | null })} className={css['select']!} />
          </>
        )}
      </div>
      {view === 'review' ? <ReviewList capabilities={toReview} /> : (
        <>
          <AccessOutcomeView outcome={outcome} onUndo={(ids, allowed) => void set(ids, allowed)} onClose={forget} />
          <BulkAccess shown={shown} of={all.length} busy={outcome.phase === 'busy'} onSet={(ids, allowed) => void set(ids, allowed)} />
          {shown.length === 0 ? <div className="g-panel"><StateView kind="empty" title={t('capabilities.no_match_title')} body={t('capabilities.no_match_body')} action={<Button onClick={() => setFilter(NO_FILTER)}>{t('capabilities.no_match_go')}</Button>} /></div>
            : <CapabilityGrid capabilities={shown} onSet={(id, allowed) => void set([id], allowed)} />}
        </>
      )}
    </>
  );
};

/** Every ability of every server under its local identity: what it may do, whether it was reviewed, and whether the agent may use it. */
export const CapabilitiesPage = ({ filters }: { readonly filters: string | undefined }): ReactElement => {
  const { t } = useTranslation();
  const capabilities = useCapabilityRows();
  return (
    <div>
      <h1 className="g-title">{t('capabilities.page')}</h1>
      <div className={css['body']}><LoadedView of={capabilities} what={t('capabilities.reading')} rows={8}>{(all) => <Loaded all={all} fromAddress={filters} />}</LoadedView></div>
    </div>
  );
};
