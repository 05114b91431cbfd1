import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import type { Question } from '../../../shared/question.ts';
import { countdown } from '../../parts/times.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useNow } from '../../parts/use-now.ts';
import { href } from '../../routes.ts';
import { openQuestion } from '../../stores/open-question.ts';
import { useWaitingQuestions } from '../../stores/questions.ts';
import css from './QuestionsPage.module.css';
import { standingOf } from './question-standing.ts';

const Waiting = ({ question }: { readonly question: Question }): ReactElement => {
  const { t } = useTranslation();
  const now = useNow(1000);
  const standing = standingOf(question);
  return (
    <div className={css['row']}>
      <div className={css['what']}>
        <p className={css['name']}><UntrustedText text={question.serverName} maxLength={80} />{t(`questions.banner.${standing === 'review' ? 'review' : question.kind}`)}</p>
        <p className={css['who']}>
          {question.runId === null || question.invocationId === null || question.capabilityId === null ? t('questions.row_no_call') : <>{t('questions.row_call')}<a href={href.call(question.runId, question.invocationId)}><UntrustedText text={parseCapabilityId(question.capabilityId)?.name ?? question.capabilityId} maxLength={80} /></a></>}
          {standing === 'working' ? ` · ${t('questions.state.working')}` : question.message.trim() === '' ? null : <> · <UntrustedText text={question.message} maxLength={140} /></>}
        </p>
      </div>
      <span className={css['left']} role="timer">{countdown(Math.max(0, question.expiresAt - now))}</span>
      <Button color="accent" variant="outline" data-review onClick={() => openQuestion(question.id)} aria-label={t('questions.open_name', { name: question.serverName })}>{t('questions.open')}</Button>
    </div>
  );
};

/** What servers ask and nobody has answered yet, the first asked first; nothing at all where nothing waits. */
export const WaitingQuestions = (): ReactElement | null => {
  const { t } = useTranslation();
  const waiting = useWaitingQuestions();
  if (waiting.length === 0) return null;
  return (
    <section className={css['section']} aria-label={t('questions.page')}>
      <h2>{t('questions.page')}{t('questions.count', { count: waiting.length })}</h2>
      <ul className={css['list']}>{waiting.map((question) => <li key={question.id}><Waiting question={question} /></li>)}</ul>
    </section>
  );
};
