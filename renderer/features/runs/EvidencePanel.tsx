import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { EvidenceEvent } from '../../../shared/run.ts';
import { EventLine } from '../../parts/EventLine.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import css from './RunPage.module.css';

const PAGE = 200;

/** The evidence rows in order with their times: of one call, or of the whole run. */
export const EvidencePanel = ({ events, invocationId, name }: { readonly events: readonly EvidenceEvent[]; readonly invocationId: string | null; readonly name: string | null }): ReactElement => {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const [shown, setShown] = useState(PAGE);
  const rows = all || invocationId === null ? events : events.filter((e) => e.invocationId === invocationId);
  return (
    <section className="g-panel" aria-label={t('runs.evidence')}>
      <div className={css['paneHead']}>
        <h2 className="g-heading">{all || name === null ? t('runs.evidence_all') : <UntrustedText text={name} maxLength={80} />}</h2>
        {invocationId === null ? null : <SegmentedControl size="xs" aria-label={t('runs.evidence_of')} value={all ? 'all' : 'call'} onChange={(v) => setAll(v === 'all')} data={[{ value: 'call', label: t('runs.evidence_call') }, { value: 'all', label: t('runs.evidence_run') }]} />}
      </div>
      {rows.length < events.length ? <p className="g-small g-muted">{t('runs.evidence_part', { count: rows.length, total: events.length })}</p> : null}
      {rows.length === 0 ? <p className="g-small g-muted">{t('runs.evidence_none')}</p> : <ol className={css['timeline']}>{rows.slice(0, shown).map((event) => <EventLine key={event.seq} event={event} />)}</ol>}
      {rows.length > shown ? <button type="button" className={css['again']} onClick={() => setShown(shown + 1000)}>{t('runs.evidence_more', { shown, total: rows.length })}</button> : null}
    </section>
  );
};
