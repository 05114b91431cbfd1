import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Run } from '../../../shared/run.ts';
import { bridge } from '../../bridge/bridge.ts';
import { DataGrid } from '../../parts/DataGrid.tsx';
import type { GridColumn } from '../../parts/DataGrid.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { PrincipalName } from '../../parts/PrincipalName.tsx';
import { RunTitle } from '../../parts/RunTitle.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { duration } from '../../parts/times.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useLanguage } from '../../parts/use-language.ts';
import { href } from '../../routes.ts';
import { useRuns } from '../../stores/runs.ts';
import css from './RunsPage.module.css';

const PAGE = 100;

/** Everything that was run, newest first, each with its evidence behind it. */
export const RunsPage = (): ReactElement => {
  const { t, i18n } = useTranslation();
  const language = useLanguage();
  const runs = useRuns((s) => s.runs);
  const [older, setOlder] = useState<readonly Run[]>([]);
  const [more, setMore] = useState<'idle' | 'busy' | 'end' | 'failed'>('idle');
  const columns = useMemo<readonly GridColumn<Run>[]>(
    () => [
      { key: 'title', title: t('runs.column.title'), width: 'minmax(0, 1.5fr)', cell: (r) => <a href={href.run(r.id)}><RunTitle run={r} maxLength={160} /></a> },
      { key: 'who', title: t('runs.column.who'), width: 'minmax(0, 1.7fr)', narrow: '128px', cell: (r) => <PrincipalName principal={r.principal} via={r.via} kind={r.kind} /> },
      { key: 'state', title: t('runs.column.state'), width: 'minmax(0, 2.1fr)', narrow: 'minmax(0, 1.8fr)', cell: (r) => <span className={css['state']} data-state={r.state}>{t(`runs.state.${r.state}`)}{r.code === null ? null : <span className={css['why']} title={r.code}>{i18n.exists(`code.${r.code}.sentence`) ? t(`code.${r.code}.sentence`) : <UntrustedText text={r.code} maxLength={40} />}</span>}</span> },
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
        <LoadedView of={runs} what={t('runs.reading')}>
          {(first) => {
            const known = new Set(first.map((r) => r.id));
            const all = [...first, ...older.filter((r) => !known.has(r.id))].sort((a, b) => b.startedAt - a.startedAt);
            if (all.length === 0) return <div className="g-panel"><StateView kind="empty" title={t('runs.none_title')} body={t('runs.none_body')} action={<Button component="a" href={href.capabilities()}>{t('runs.none_go')}</Button>} /></div>;
            const loadMore = async (): Promise<void> => {
              setMore('busy');
              const answer = await bridge.request('runs:list', { limit: PAGE, before: all.at(-1)!.startedAt });
              if (!answer.ok) return setMore('failed');
              setOlder([...older, ...answer.value.runs]);
              setMore(answer.value.runs.length < PAGE ? 'end' : 'idle');
            };
            return (
              <>
                <DataGrid label={t('runs.page')} rows={all} columns={columns} idOf={(r) => r.id} onOpen={(r) => { location.hash = href.run(r.id); }} />
                {all.length < PAGE || more === 'end' ? null : <div className={css['more']}><Button loading={more === 'busy'} onClick={() => void loadMore()}>{t('runs.more')}</Button>{more === 'failed' ? <span role="status">{t('runs.more_failed')}</span> : null}</div>}
              </>
            );
          }}
        </LoadedView>
      </div>
    </div>
  );
};
