import { memo, useId, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { CallStage } from '../../shared/call.ts';
import type { EvidenceEvent } from '../../shared/run.ts';
import { useWords } from '../i18n/use-words.ts';
import { EventLine } from './EventLine.tsx';
import { isRepeat, lineStages } from './line-stages.ts';
import type { LineInvocation, StageView } from './line-stages.ts';
import css from './LineOfCall.module.css';

export interface LineOfCallProps {
  readonly invocation: LineInvocation;
  /** evidence of this invocation; without it a stage opens to what it does */
  readonly events?: readonly EvidenceEvent[];
  /** bars only, for rows of a list; the state is still said to a screen reader */
  readonly compact?: boolean;
}

const NONE: readonly EvidenceEvent[] = [];

const StageFacts = ({ view, id }: { readonly view: StageView; readonly id: string }): ReactElement => {
  const { t } = useWords();
  return (
    <div id={id} className={css['facts']}>
      <p className={css['why']}>{t(`parts.line.${view.stage}_why`)}</p>
      {view.events.length === 0 ? <p className={css['why']}>{t(`parts.line.no_fact_${view.mark}`)}</p> : <ol className={css['events']}>{view.events.map((event) => <EventLine key={event.seq} event={event} />)}</ol>}
    </div>
  );
};

/** One call as its seven stages, filling as they happen; it stops where it stopped, in words, and each stage opens to its facts. */
export const LineOfCall = memo(function LineOfCall({ invocation, events = NONE, compact = false }: LineOfCallProps): ReactElement {
  const { t } = useWords();
  const [open, setOpen] = useState<CallStage | null>(null);
  const id = useId();
  const stages = useMemo(() => lineStages(invocation, events), [invocation, events]);
  const stopped = stages.find((s) => s.mark === 'stopped' || s.mark === 'uncertain' || s.mark === 'awaits' || s.mark === 'active');
  const summary = stopped === undefined ? t(`parts.line.all_${isRepeat(invocation) ? 'repeat' : invocation.state}`) : t(`parts.line.at_${stopped.mark}`, { stage: t(`parts.line.${stopped.stage}`) });
  if (compact) {
    return (
      <span className={css['line']} data-compact="true" role="img" aria-label={summary} title={summary}>
        {stages.map((s) => <span key={s.stage} className={css['bar']} data-mark={s.mark} />)}
      </span>
    );
  }
  const shown = stages.find((s) => s.stage === open);
  return (
    <div>
      <ol className={css['line']} aria-label={`${t('parts.line.title')}: ${summary}`}>
        {stages.map((s) => (
          <li key={s.stage}>
            <button type="button" className={css['stage']} aria-expanded={open === s.stage} aria-controls={open === s.stage ? id : undefined}
              aria-label={t('parts.line.stage', { stage: t(`parts.line.${s.stage}`), mark: t(`parts.line.mark_${s.mark}`) })} onClick={() => setOpen(open === s.stage ? null : s.stage)}>
              <span className={css['bar']} data-mark={s.mark} />
              <span className={css['name']}>{t(`parts.line.${s.stage}`)}</span>
            </button>
          </li>
        ))}
      </ol>
      {shown === undefined ? null : <StageFacts view={shown} id={id} />}
    </div>
  );
});
