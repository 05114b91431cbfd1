import { Button, Modal } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Question } from '../../../shared/question.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import type { QuestionRead } from '../../stores/questions.ts';
import { EndedQuestion } from './EndedQuestion.tsx';
import { FormQuestion } from './FormQuestion.tsx';
import css from './QuestionDialog.module.css';
import { ReviewReply } from './ReviewReply.tsx';
import { SamplingQuestion } from './SamplingQuestion.tsx';
import { standingOf } from './question-standing.ts';
import { UrlQuestion } from './UrlQuestion.tsx';

export interface QuestionDialogProps {
  readonly read: QuestionRead;
  /** all that wait, the first asked first */
  readonly waiting: readonly Question[];
  readonly onClose: () => void;
  readonly onGo: (questionId: string) => void;
}

export interface QuestionViewProps<K extends Question['kind'] = Question['kind']> extends Pick<QuestionDialogProps, 'waiting' | 'onClose' | 'onGo'> {
  readonly question: Extract<Question, { readonly kind: K }>;
}

/** What a server asks, by what has to be done about it. No model ever answers it, and nothing is preselected. */
export const QuestionDialog = ({ read, ...around }: QuestionDialogProps): ReactElement | null => {
  const { t } = useTranslation();
  if (read.phase === 'failed') {
    return (
      <Modal opened onClose={around.onClose} title={t('questions.gone')} closeButtonProps={{ 'aria-label': t('questions.close') }} centered>
        <FaultView fault={read.fault} />
        <div className={css['goneActs']}><Button onClick={around.onClose}>{t('questions.close')}</Button></div>
      </Modal>
    );
  }
  if (read.phase !== 'ready') return null;
  const { question } = read;
  const standing = standingOf(question);
  if (standing === 'ended') return <EndedQuestion question={question} {...around} />;
  if (question.kind === 'url') return <UrlQuestion question={question} {...around} />;
  if (question.kind === 'form') return <FormQuestion question={question} {...around} />;
  return standing === 'review' ? <ReviewReply question={question} {...around} /> : <SamplingQuestion question={question} {...around} />;
};
