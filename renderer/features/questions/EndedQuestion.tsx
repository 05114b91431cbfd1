import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { decider } from '../../parts/decider.ts';
import { TimeText } from '../../parts/TimeText.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { ServerSays } from './AnswerParts.tsx';
import { DialogFrame } from './DialogFrame.tsx';
import { endWords } from './end-words.ts';
import type { QuestionViewProps } from './QuestionDialog.tsx';
import css from './QuestionDialog.module.css';

/** A question that is over: what came of it, by whom, and where its record is. */
export const EndedQuestion = ({ question, ...around }: QuestionViewProps): ReactElement => {
  const { t } = useTranslation();
  return (
    <DialogFrame question={question} {...around} title={t(`questions.title.${question.kind}`)} acts={<Button onClick={around.onClose}>{t('questions.close')}</Button>}>
      <section className={css['section']} role="status">
        <p className={css['effect']}>{t(endWords(question))}</p>
        <p className={css['small']}>
          {question.by === null ? null : <>{t('questions.by', { by: decider(question.by, t) })} </>}
          {question.endedAt === null ? null : <TimeText at={question.endedAt} />}
          {question.runId === null || question.invocationId === null ? null : <> <a href={href.call(question.runId, question.invocationId)}>{t('questions.record')}</a></>}
        </p>
      </section>
      {question.kind === 'url' ? (
        <section className={css['section']}>
          <h3>{t('questions.url.whole')}</h3>
          <div className={css['address']}><UntrustedText text={question.url.url} maxLength={2000} /></div>
          {question.url.completedAt === null ? null : <p className={css['small']}>{t('questions.url.completed')} <TimeText at={question.url.completedAt} /></p>}
        </section>
      ) : null}
      {question.kind === 'form' && question.form.fields.length > 0 ? (
        <section className={css['section']}>
          <h3>{t('questions.asked_fields')}</h3>
          <ul className={css['tools']}>{question.form.fields.map((field) => <li key={field.name}><UntrustedText text={field.title ?? field.name} maxLength={120} /> <code className={css['name']}><UntrustedText text={field.name} maxLength={80} /></code></li>)}</ul>
        </section>
      ) : null}
      {question.kind === 'sampling' ? null : <ServerSays text={question.message} />}
    </DialogFrame>
  );
};
