import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Run } from '../../../shared/run.ts';
import { DataGrid } from '../../parts/DataGrid.tsx';
import type { GridColumn } from '../../parts/DataGrid.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { PrincipalName } from '../../parts/PrincipalName.tsx';
import { runEndingKey } from '../../parts/run-ending.ts';
import { RunTitle } from '../../parts/RunTitle.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { duration } from '../../parts/times.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useLanguage } from '../../parts/use-language.ts';
import { href } from '../../routes.ts';
import { useListFilters } from '../../stores/list-filters.ts';
import { useListMemory } from '../../stores/list-memory.ts';
import { NO_RUN_FILTER, RUN_FILTER } from './run-filter.ts';
import { RunFilters } from './RunFilters.tsx';
import css from './RunsPage.module.css';
import { useRunList } from './use-run-list.ts';

/** Everything that was run, newest first, each with its evidence behind it. */
export const RunsPage = ({ filters: fromAddress }: { readonly filters: string | undefined }): ReactElement => {
  const { t, i18n } = useTranslation();
  const language = useLanguage();
  const { filters, change, known } = useListFilters('runs', fromAddress, RUN_FILTER);
  const { list, want, retry } = useRunList(known ? filters : null);
  const memory = useListMemory('runs');
  const columns = useMemo<readonly GridColumn<Run>[]>(
    () => [
      { key: 'title', title: t('runs.column.title'), width: 'minmax(0, 1.5fr)', cell: (r) => <a href={href.run(r.id)}><RunTitle run={r} maxLength={160} /></a> },
      { key: 'who', title: t('runs.column.who'), width: 'minmax(0, 1.7fr)', narrow: '128px', cell: (r) => <PrincipalName principal={r.principal} via={r.via} kind={r.kind} called={r.agent?.profileName} /> },
      { key: 'state', title: t('runs.column.state'), width: 'minmax(0, 2.1fr)', narrow: 'minmax(0, 1.8fr)', cell: (r) => <span className={css['state']} data-state={r.state}>{t(`runs.state.${r.state}`)}{r.code === null ? null : <span className={css['why']} title={r.code}>{i18n.exists(`${runEndingKey(r, r.code)}.sentence`) ? t(`${runEndingKey(r, r.code)}.sentence`) : <UntrustedText text={r.code} maxLength={40} />}</span>}</span> },
      { key: 'events', title: t('runs.column.events'), width: '90px', narrow: null, cell: (r) => <span className={css['number']}>{r.eventCount}</span> },
      { key: 'took', title: t('runs.column.took'), width: '100px', narrow: '70px', cell: (r) => (r.endedAt === null ? '–' : duration(r.endedAt - r.startedAt, language)) },
      { key: 'when', title: t('runs.column.when'), width: '130px', narrow: '108px', cell: (r) => <TimeText at={r.startedAt} /> },
    ],
    [t, i18n, language],
  );
  return (
    <div>
      <h1 className="g-title">{t('runs.page')}</h1>
      <div className={css['body']}>
        <LoadedView of={list} what={t('runs.reading')} retry={retry}>
          {(runs) => {
            const all = runs.extra.all + runs.shifted;
            if (all === 0) return <div className="g-panel"><StateView kind="empty" title={t('runs.none_title')} body={t('runs.none_body')} action={<Button component="a" href={href.capabilities()}>{t('runs.none_go')}</Button>} /></div>;
            return (
              <>
                <RunFilters filter={filters} change={change} found={runs.total} of={Math.max(all, runs.total)} counts={runs.extra.counts} />
                {runs.total === 0 ? (
                  <div className="g-panel"><StateView kind="empty" title={t('runs.no_match_title')} body={t('runs.no_match_body')} action={<Button variant="filled" onClick={() => change(() => NO_RUN_FILTER)}>{t('runs.filter.clear')}</Button>} /></div>
                ) : (
                  <DataGrid label={t('runs.page')} rows={runs} columns={columns} idOf={(r) => r.id} onOpen={(r) => { location.hash = href.run(r.id); }} onRange={want} shifted={runs.shifted} question={runs.question} memory={memory} />
                )}
              </>
            );
          }}
        </LoadedView>
      </div>
    </div>
  );
};
