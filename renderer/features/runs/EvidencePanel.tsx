import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { EvidenceEvent } from '../../../shared/run.ts';
import { EventLine } from '../../parts/EventLine.tsx';
import { FlowList } from '../../parts/FlowList.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import css from './RunPage.module.css';
import { useRunEvents } from './use-run.ts';

const ROW = 30;
const seqOf = ({ seq }: EvidenceEvent): string => String(seq);
const drawEvent = (event: EvidenceEvent): ReactElement => <EventLine event={event} as="div" />;

interface EvidencePanelProps {
  readonly runId: string;
  readonly version: number;
  /** of the whole run */
  readonly total: number;
  readonly invocationId: string | null;
  readonly name: string | null;
}

/** The evidence rows in order with their times: of one call, or of the whole run. */
export const EvidencePanel = ({ runId, version, total, invocationId, name }: EvidencePanelProps): ReactElement => {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const { list, want, retry } = useRunEvents(runId, all ? null : invocationId, version);
  return (
    <section className="g-panel" aria-label={t('runs.evidence')}>
      <div className={css['paneHead']}>
        <h2 className="g-heading">{all || name === null ? t('runs.evidence_all') : <UntrustedText text={name} maxLength={80} />}</h2>
        {invocationId === null ? null : <SegmentedControl size="xs" aria-label={t('runs.evidence_of')} value={all ? 'all' : 'call'} onChange={(v) => setAll(v === 'all')} data={[{ value: 'call', label: t('runs.evidence_call') }, { value: 'all', label: t('runs.evidence_run') }]} />}
      </div>
      <LoadedView of={list} what={t('runs.reading_evidence')} rows={4} retry={retry}>
        {(events) => (
          <>
            {events.total < total ? <p className="g-small g-muted">{t('runs.evidence_part', { count: events.total, total })}</p> : null}
            {events.total === 0 ? <p className="g-small g-muted">{t('runs.evidence_none')}</p> : (
              <FlowList key={events.question} ordered label={t('runs.evidence')} className={css['timeline']} rows={events} idOf={seqOf} estimate={ROW} onRange={want}>
                {drawEvent}
              </FlowList>
            )}
          </>
        )}
      </LoadedView>
    </section>
  );
};
