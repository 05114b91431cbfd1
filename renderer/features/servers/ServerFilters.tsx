import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ServerSummary } from '../../../shared/server.ts';
import { countStates } from './server-counts.ts';
import { ACCESSES, isNarrowed, NO_SERVER_FILTER, type ServerFilter } from './server-filter.ts';
import classes from './ServersPage.module.css';

interface ServerFiltersProps {
  readonly servers: readonly ServerSummary[];
  readonly found: number;
  readonly filter: ServerFilter;
  readonly change: (change: (before: ServerFilter) => ServerFilter) => void;
}

/** Words, the states that there are with their numbers, what the agent may use; and how many servers fit. */
export function ServerFilters({ servers, found, filter, change }: ServerFiltersProps) {
  const { t } = useTranslation();
  const set = (part: Partial<ServerFilter>): void => change((before) => ({ ...before, ...part }));
  const counts = countStates(servers);
  // one that no server is in any more stays chosen, and says 0
  const states = filter.state === null || counts.some(({ state }) => state === filter.state) ? counts : [...counts, { state: filter.state, count: 0 }];
  return (
    <div role="search" aria-label={t('servers.filter.label')} className={classes['filters']}>
      <TextInput size="xs" type="search" data-page-search className={classes['words']!} aria-label={t('servers.filter.words')} placeholder={t('servers.filter.words')} value={filter.words} onChange={(event) => set({ words: event.currentTarget.value })} autoComplete="off" spellCheck={false} />
      <NativeSelect
        size="xs"
        className={classes['choice']!}
        aria-label={t('servers.filter.stateLabel')}
        value={filter.state ?? ''}
        onChange={(event) => set({ state: states.find(({ state }) => state === event.currentTarget.value)?.state ?? null })}
        data={[{ value: '', label: t('servers.filter.state') }, ...states.map(({ state, count }) => ({ value: state, label: t('servers.filter.counted', { name: t(`servers.state.${state}`), count }) }))]}
      />
      <NativeSelect
        size="xs"
        className={classes['choice']!}
        aria-label={t('servers.filter.accessLabel')}
        value={filter.access ?? ''}
        onChange={(event) => set({ access: ACCESSES.find((one) => one === event.currentTarget.value) ?? null })}
        data={[{ value: '', label: t('servers.filter.access') }, ...ACCESSES.map((one) => ({ value: one, label: t(`servers.filter.accesses.${one}`) }))]}
      />
      <span className={classes['shown']} role="status">
        {t('servers.filter.found', { count: found, total: servers.length })}
      </span>
      {isNarrowed(filter) && (
        <Button variant="subtle" size="compact-xs" onClick={() => change(() => NO_SERVER_FILTER)}>
          {t('servers.filter.clear')}
        </Button>
      )}
    </div>
  );
}
