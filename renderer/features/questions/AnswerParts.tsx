import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { Question } from '../../../shared/question.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import css from './QuestionDialog.module.css';
import type { Answering } from './use-answer.ts';

/** Which words the accepting button and its meaning have. */
export type AcceptWords = 'form' | 'url' | 'done' | 'sampling' | 'review';

/** The two ways to say no, in order of how much they say. */
export const RefuseButtons = ({ answering, open, withhold = false, onDone }: { readonly answering: Answering; readonly open: boolean; readonly withhold?: boolean; readonly onDone: () => void }): ReactElement => {
  const { t } = useTranslation();
  const say = async (action: 'decline' | 'cancel'): Promise<void> => {
    if (await answering.send({ action })) onDone();
  };
  return (
    <>
      <Button disabled={!open} onClick={() => void say('cancel')}>{t('questions.act.cancel')}</Button>
      <Button color="danger" variant="outline" disabled={!open} onClick={() => void say('decline')}>{t(withhold ? 'questions.act.withhold' : 'questions.act.decline')}</Button>
    </>
  );
};

const DeclineAll = ({ question, open, onDone }: { readonly question: Question; readonly open: boolean; readonly onDone: () => void }): ReactElement => {
  const { t } = useTranslation();
  const [sure, setSure] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const run = question.runId === null ? 'server' : 'run';
  const decline = async (): Promise<void> => {
    setBusy(true);
    const answer = await bridge.request('questions:declineAll', { questionId: question.id });
    setBusy(false);
    if (answer.ok) onDone();
    else setFault(answer.error);
  };
  if (!sure) return <div className={css['all']}><Button size="xs" disabled={!open} onClick={() => setSure(true)}>{t(`questions.all.open_${run}`)}</Button></div>;
  return (
    <div className={css['all']}>
      <p>{t(`questions.all.means_${run}`)}</p>
      <Button size="xs" color="danger" variant="outline" loading={busy} onClick={() => void decline()}>{t('questions.all.do')}</Button>
      <Button size="xs" disabled={busy} onClick={() => setSure(false)}>{t('questions.all.back')}</Button>
      {fault === null ? null : <FaultView fault={fault} compact />}
    </div>
  );
};

/** What each way out tells the server, before one is taken. */
export const AnswerMeans = ({ question, words, open, onDone }: { readonly question: Question; readonly words: AcceptWords; readonly open: boolean; readonly onDone: () => void }): ReactElement => {
  const { t } = useTranslation();
  return (
    <section className={css['section']}>
      <h3>{t('questions.means.title')}</h3>
      <dl className={css['means']}>
        <dt>{t(`questions.act.accept_${words}`)}</dt>
        <dd>{t(`questions.means.accept_${words}`)}</dd>
        <dt>{t(words === 'review' ? 'questions.act.withhold' : 'questions.act.decline')}</dt>
        <dd>{t(words === 'review' ? 'questions.means.withhold' : words === 'sampling' ? 'questions.means.decline_sampling' : 'questions.means.decline')}</dd>
        <dt>{t('questions.act.cancel')}</dt>
        <dd>{t('questions.means.cancel')}</dd>
        <dt>{t('questions.later')}</dt>
        <dd>{t('questions.means.later')}</dd>
      </dl>
      <DeclineAll question={question} open={open} onDone={onDone} />
    </section>
  );
};

/** The server's own words, marked as such; where it gave none, that is said. */
export const ServerSays = ({ text }: { readonly text: string }): ReactElement => {
  const { t } = useTranslation();
  return (
    <section className={css['section']}>
      <h3>{t('questions.server_says')}</h3>
      {text.trim() === '' ? <p className={css['small']}>{t('questions.says_nothing')}</p> : <div className={css['said']} tabIndex={0} role="group" aria-label={t('questions.server_says')}><UntrustedText text={text} block maxLength={2000} /></div>}
    </section>
  );
};

export const AnswerFault = ({ fault }: { readonly fault: Fault | null }): ReactElement | null => (fault === null ? null : <div className={css['section']}><FaultView fault={fault} compact /></div>);
