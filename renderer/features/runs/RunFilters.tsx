import { Button, Pill, Select, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { RUN_STANDINGS, type RunCounts, type RunStanding } from '../../../shared/run-standings.ts';
import { escapeHidden } from '../../parts/hidden-characters.ts';
import { useHeldWhileOpen } from '../../parts/use-held-while-open.ts';
import { useServers } from '../../stores/servers.ts';
import { DayField } from './DayField.tsx';
import { isNarrowed, NO_RUN_FILTER, type RunListFilter } from './run-filter.ts';
import css from './RunsPage.module.css';

/** More choices than this in a menu are found by typing. */
const MOST_CHOICES = 50;

interface RunFiltersProps {
  readonly filter: RunListFilter;
  readonly change: (change: (before: RunListFilter) => RunListFilter) => void;
  readonly found: number;
  readonly of: number;
  readonly counts: RunCounts;
}

/** Words, state with its number, server, days; a capability comes from its page. How many fit is said as it changes. */
export const RunFilters = ({ filter, change, found, of, counts }: RunFiltersProps): ReactElement => {
  const { t } = useTranslation();
  const servers = useServers((s) => s.servers);
  const choices = (servers.phase === 'ready' ? servers.value : []).map((one) => ({ value: one.id, label: escapeHidden(one.name) }));
  // one that was removed keeps its runs
  if (filter.serverId !== null && !choices.some((one) => one.value === filter.serverId)) choices.push({ value: filter.serverId, label: escapeHidden(filter.serverId) });
  const offered = useHeldWhileOpen(choices);
  const set = (part: Partial<RunListFilter>): void => change((before) => ({ ...before, ...part }));
  const capability = filter.capabilityId === null ? null : parseCapabilityId(filter.capabilityId);
  return (
    <div role="search" aria-label={t('runs.filter.label')} className={css['filters']}>
      <TextInput size="xs" type="search" data-page-search className={css['words']!} aria-label={t('runs.filter.words')} placeholder={t('runs.filter.words')} value={filter.words} onChange={(event) => set({ words: event.currentTarget.value })} autoComplete="off" spellCheck={false} />
      <Select size="xs" clearable className={css['choice']!} aria-label={t('runs.filter.state')} placeholder={t('runs.filter.state')} value={filter.standing} onChange={(value) => set({ standing: RUN_STANDINGS.find((one) => one === value) ?? null })} data={RUN_STANDINGS.map((one: RunStanding) => ({ value: one, label: t('runs.filter.counted', { name: t(`runs.standing.${one}`), count: counts[one] }) }))} />
      <Select size="xs" clearable searchable limit={MOST_CHOICES} className={css['choice']!} aria-label={t('runs.filter.server')} placeholder={t('runs.filter.server')} nothingFoundMessage={t('runs.filter.no_server')} value={filter.serverId} onChange={(serverId) => set({ serverId, capabilityId: null })} data={offered.shown} {...offered.holds} />
      <span className={css['days']}>
        <DayField label={t('runs.filter.from')} short={t('runs.filter.from_short')} max={filter.to ?? undefined} value={filter.from} onChange={(from) => set({ from })} />
        <span aria-hidden="true">–</span>
        <DayField label={t('runs.filter.to')} short={t('runs.filter.to_short')} min={filter.from ?? undefined} value={filter.to} onChange={(to) => set({ to })} />
      </span>
      {filter.capabilityId === null ? null : (
        <Pill withRemoveButton className={css['pill']!} onRemove={() => set({ capabilityId: null })} removeButtonProps={{ 'aria-label': t('runs.filter.any_capability'), tabIndex: 0 }} title={escapeHidden(filter.capabilityId)}>
          {escapeHidden(capability === null ? filter.capabilityId : `${capability.serverId} · ${capability.name}`)}
        </Pill>
      )}
      <span className={css['found']} role="status">{t('runs.filter.found', { count: found, total: of })}</span>
      {isNarrowed(filter) ? <Button variant="subtle" size="compact-xs" onClick={() => change(() => NO_RUN_FILTER)}>{t('runs.filter.clear')}</Button> : null}
    </div>
  );
};
