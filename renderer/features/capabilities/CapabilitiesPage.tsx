import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { CAPABILITY_KINDS, type CapabilityKind } from '../../../shared/capability-id.ts';
import { CAPABILITY_STANDINGS, type CapabilityStanding } from '../../../shared/capability-standings.ts';
import { TIERS } from '../../../shared/tier.ts';
import type { Tier } from '../../../shared/tier.ts';
import { escapeHidden } from '../../parts/hidden-characters.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { useHeldWhileOpen } from '../../parts/use-held-while-open.ts';
import { href } from '../../routes.ts';
import { useListFilters } from '../../stores/list-filters.ts';
import { useListMemory } from '../../stores/list-memory.ts';
import { useServers } from '../../stores/servers.ts';
import { useCapabilityPages } from '../../stores/use-capability-pages.ts';
import { AccessOutcomeView } from './AccessOutcomeView.tsx';
import { BulkAccess } from './BulkAccess.tsx';
import css from './Capabilities.module.css';
import { CapabilityGrid } from './CapabilityGrid.tsx';
import { CAPABILITY_FILTER, capabilityQuery, NO_FILTER } from './capability-filter.ts';
import { ReviewList } from './ReviewList.tsx';
import { useAccess } from './use-access.ts';

/** More choices than this in a menu are found by typing. */
const MOST_CHOICES = 50;

/** Every ability of every server under its local identity: what it may do, whether it was reviewed, and whether the agent may use it. */
export const CapabilitiesPage = ({ filters: fromAddress }: { readonly filters: string | undefined }): ReactElement => {
  const { t } = useTranslation();
  const servers = useServers((s) => s.servers);
  const [view, setView] = useState<'all' | 'review'>('all');
  const { filters: filter, change, known } = useListFilters('capabilities', fromAddress, CAPABILITY_FILTER);
  const query = useMemo(() => (known ? capabilityQuery(filter) : null), [filter, known]);
  const { list, want, retry } = useCapabilityPages(query);
  const memory = useListMemory('capabilities');
  const { outcome, set, forget } = useAccess();
  const setOne = useCallback((id: string, allowed: boolean) => set([id], allowed), [set]);
  const choices = useMemo(() => (servers.phase === 'ready' ? servers.value : []).map((one) => ({ value: one.id, label: escapeHidden(one.name) })), [servers]);
  const offered = useHeldWhileOpen(choices);
  return (
    <div>
      <h1 className="g-title">{t('capabilities.page')}</h1>
      <div className={css['body']}>
        <LoadedView of={list} what={t('capabilities.reading')} rows={8} retry={retry}>
          {(rows) => {
            const { of, toReview } = rows.extra;
            if (of === 0 && filter.serverId === null) return <div className="g-panel"><StateView kind="empty" title={t('capabilities.none_title')} body={t('capabilities.none_body')} action={<Button component="a" href={href.market()}>{t('capabilities.none_go')}</Button>} /></div>;
            return (
              <>
                <div className={css['tools']}>
                  <SegmentedControl size="xs" aria-label={t('capabilities.view')} value={view} onChange={(v) => setView(v === 'review' ? 'review' : 'all')} data={[{ value: 'all', label: t('capabilities.all', { count: of }) }, { value: 'review', label: t('capabilities.to_review', { count: toReview }) }]} />
                  {view === 'review' ? null : (
                    <>
                      <TextInput size="xs" className={css['words']!} data-page-search aria-label={t('capabilities.filter.words')} placeholder={t('capabilities.filter.words')} value={filter.words} onChange={(e) => { const words = e.currentTarget.value; change((before) => ({ ...before, words })); }} />
                      <Select size="xs" clearable searchable limit={MOST_CHOICES} nothingFoundMessage={t('capabilities.filter.no_server')} aria-label={t('capabilities.filter.server')} placeholder={t('capabilities.filter.server')} data={offered.shown} {...offered.holds} value={filter.serverId} onChange={(serverId) => change((before) => ({ ...before, serverId }))} className={css['select']!} />
                      <Select size="xs" clearable aria-label={t('capabilities.filter.kind')} placeholder={t('capabilities.filter.kind')} data={CAPABILITY_KINDS.map((kind) => ({ value: kind, label: t(`capabilities.kinds.${kind}`) }))} value={filter.kind} onChange={(kind) => change((before) => ({ ...before, kind: kind as CapabilityKind | null }))} className={css['select']!} />
                      <Select size="xs" clearable aria-label={t('capabilities.filter.tier')} placeholder={t('capabilities.filter.tier')} data={TIERS.map((tier) => ({ value: tier, label: t(`parts.tier.${tier}`) }))} value={filter.tier} onChange={(tier) => change((before) => ({ ...before, tier: tier as Tier | null }))} className={css['select']!} />
                      <Select size="xs" clearable aria-label={t('capabilities.filter.standing')} placeholder={t('capabilities.filter.standing')} data={CAPABILITY_STANDINGS.map((s) => ({ value: s, label: t(`capabilities.standing.${s}`) }))} value={filter.standing} onChange={(standing) => change((before) => ({ ...before, standing: standing as CapabilityStanding | null }))} className={css['select']!} />
                    </>
                  )}
                </div>
                {view === 'review' ? <ReviewList serverId={filter.serverId} /> : (
                  <>
                    <AccessOutcomeView outcome={outcome} onUndo={(ids, allowed) => void set(ids, allowed)} onClose={forget} />
                    <BulkAccess filter={filter} shown={rows.total} figures={rows.extra} busy={outcome.phase === 'busy' || rows.answers !== JSON.stringify(query)} onSet={(ids, allowed) => void set(ids, allowed)} />
                    {rows.total === 0 ? <div className="g-panel"><StateView kind="empty" title={t('capabilities.no_match_title')} body={t('capabilities.no_match_body')} action={<Button onClick={() => change(() => NO_FILTER)}>{t('capabilities.no_match_go')}</Button>} /></div>
                      : <CapabilityGrid rows={rows} want={want} memory={memory} onSet={setOne} />}
                  </>
                )}
              </>
            );
          }}
        </LoadedView>
      </div>
    </div>
  );
};
