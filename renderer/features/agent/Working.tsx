import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { EvidenceEvent } from '../../../shared/run.ts';
import { AnswerText } from '../../parts/AnswerText.tsx';
import { duration } from '../../parts/times.ts';
import { useNow } from '../../parts/use-now.ts';
import { useStreams } from '../../stores/agent-streams.ts';
import css from './Agent.module.css';
import { lastRetry, lastTurn } from './timeline-of.ts';

/** A wait is told from then on, and what helps against it. */
const TOLD_MS = 5_000;
const LONG_MS = 30_000;

/** How long nothing has come: since it was asked, or since the last words. */
const Waiting = ({ since, begun }: { readonly since: number; readonly begun: boolean }): ReactElement | null => {
  const { t, i18n } = useTranslation();
  const silent = useNow(1_000) - since;
  if (silent < TOLD_MS) return begun ? null : <p className={css['thinking']}>{t('agent.thinking')}</p>;
  const time = duration(Math.floor(silent / 1_000) * 1_000, i18n.language);
  return <p className={css['thinking']}>{t(begun ? 'agent.silent' : 'agent.thinking_for', { time })}{silent < LONG_MS ? null : <> {t('agent.thinking_long')}</>}</p>;
};

/** What a model is saying now, after the last turn that is on record; while it says nothing, for how long, and which try it is. `turns`: rows of replies, failures and tries. `askedAt`: the last thing before it. */
export const Working = ({ runId, turns, askedAt }: { readonly runId: string; readonly turns: readonly EvidenceEvent[]; readonly askedAt: number }): ReactElement => {
  const { t, i18n } = useTranslation();
  const after = lastTurn(turns);
  const streamed = useStreams(({ streams }) => streams.get(runId));
  const text = streamed !== undefined && streamed.turn > after ? streamed.text : '';
  const [heardAt, setHeardAt] = useState(askedAt);
  const length = useRef(text.length);
  useEffect(() => {
    if (length.current === text.length) return;
    length.current = text.length;
    setHeardAt(Date.now());
  }, [text]);
  // not checked before the answer is whole
  const citation = useCallback((label: string) => <span className={css['citation']} data-standing="unchecked">{label}</span>, []);
  const retry = lastRetry(turns, after);
  return (
    <>
      {text === '' ? null : <div className={css['said']}><AnswerText text={text} citation={citation} /></div>}
      {retry === null ? null : <p className={css['retried']}>{t('agent.retried', { tries: retry.tries, why: i18n.exists(`agent.retry_why.${retry.code}`) ? t(`agent.retry_why.${retry.code}`) : t('agent.retry_why.model_failed') })} <code>{retry.code}</code></p>}
      <Waiting since={Math.max(askedAt, heardAt, retry?.at ?? 0)} begun={text !== ''} />
    </>
  );
};
