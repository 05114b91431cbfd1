import i18next from 'i18next';
import { memo, useState } from 'react';
import type { ReactElement } from 'react';
import type { EvidenceEvent } from '../../shared/run.ts';
import { useWords } from '../i18n/use-words.ts';
import { decider } from './decider.ts';
import { sentenceKeys, sentenceValues } from './event-words.ts';
import { Hash } from './Hash.tsx';
import { JsonView } from './JsonView.tsx';
import { ruleSentence } from './rule-sentence.ts';
import { clockTime, exactTime, isoTime } from './times.ts';
import { UntrustedText } from './UntrustedText.tsx';
import css from './EventLine.module.css';

const TONES: Readonly<Record<string, 'awaits' | 'bad' | 'unsure'>> = {
  'approval.asked': 'awaits', 'question.asked': 'awaits', 'question.refused': 'bad', 'question.model_failed': 'bad', 'question.voided': 'unsure', 'call.refused': 'bad', 'approval.expired': 'bad', 'approval.voided': 'bad', 'call.recovered_at_start': 'unsure', 'call.late_result': 'unsure', 'call.retry': 'unsure', 'source.isolated': 'bad', 'source.retry': 'unsure', 'source.returned': 'unsure', 'work.open': 'unsure', 'attachment.failed': 'bad', 'resource.stale': 'unsure',
};
const toneOf = (event: EvidenceEvent): string => {
  if (event.data['decision'] === 'deny' || event.data['state'] === 'failed') return 'bad';
  return TONES[event.type] ?? 'plain';
};

/** One row of evidence: when, what happened in words, and on demand the row itself with its hash. */
export const EventLine = memo(function EventLine({ event, as: Row = 'li' }: { readonly event: EvidenceEvent; /** `div` where a list draws the item itself */ readonly as?: 'li' | 'div' }): ReactElement {
  const { t, language } = useWords();
  const [open, setOpen] = useState(false);
  const cause = event.type === 'approval.voided' ? [`parts.void.${String(event.data['cause'])}`, `code.${String(event.data['cause'])}.sentence`].find((k) => i18next.exists(k)) : undefined;
  const key = cause === undefined ? (sentenceKeys(event).find((k) => i18next.exists(k)) ?? null) : 'parts.event.approval_voided_why';
  const values = sentenceValues(event, language);
  if (typeof event.data['by'] === 'string') values['by'] = decider(event.data['by'], t);
  if (typeof event.data['ruleId'] === 'string') values['rule'] = t(ruleSentence(event.data['ruleId'], (k) => i18next.exists(k)));
  if (cause !== undefined) values['cause'] = t(cause);
  if (typeof event.data['class'] === 'string' && i18next.exists(`parts.result.class.${event.data['class']}`)) values['class'] = t(`parts.result.class.${event.data['class']}`);
  const code = typeof event.data['code'] === 'string' ? event.data['code'] : null;
  return (
    <Row className={css['event']} data-tone={toneOf(event)}>
      <button type="button" className={css['head']} aria-expanded={open} onClick={() => setOpen(!open)}>
        <time className={css['time']} dateTime={isoTime(event.at)} title={exactTime(event.at, language)}>{clockTime(event.at)}</time>
        <span className={css['dot']} aria-hidden="true" />
        <span className={css['words']}>
          {key === null ? <UntrustedText text={event.type} /> : <UntrustedText text={t(key, values)} maxLength={400} />}
          {code === null ? null : <code className={css['code']}><UntrustedText text={code} /></code>}
        </span>
      </button>
      {open ? (
        <div className={css['row']}>
          <JsonView text={JSON.stringify(event.data)} label={t('parts.event.row', { seq: event.seq })} maxHeight={260} />
          <div className={css['hashes']}>
            <span>{t('parts.event.row', { seq: event.seq })} <code>{event.type}</code></span>
            <Hash value={event.hash} label={t('parts.event.hash')} />
            <Hash value={event.prevHash} label={t('parts.event.previous')} />
          </div>
        </div>
      ) : null}
    </Row>
  );
});
