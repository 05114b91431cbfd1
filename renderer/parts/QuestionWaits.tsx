import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Question } from '../../shared/question.ts';
import css from './QuestionWaits.module.css';

/** A call that waits because its server asks something of the person, with the way to the question. */
export const QuestionWaits = ({ question, onOpen }: { readonly question: Question; readonly onOpen: (questionId: string) => void }): ReactElement => {
  const { t } = useTranslation();
  return (
    <div className={css['waits']}>
      <p>{t(question.state === 'review' ? 'questions.call_reviews' : 'questions.call_waits')}</p>
      <Button color="accent" variant="outline" onClick={() => onOpen(question.id)}>{t('questions.open')}</Button>
    </div>
  );
};
