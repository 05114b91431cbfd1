import { useEffect, useState } from 'react';
import { create } from 'zustand';
import type { Fault } from '../../shared/fault.ts';
import type { Question } from '../../shared/question.ts';
import { bridge } from '../bridge/bridge.ts';
import { useHealth } from './health.ts';
import { loading, type Mirror } from './mirror.ts';

interface Questions {
  /** those that a person has to answer, or whose reply they have to see; the first asked first */
  readonly questions: Mirror<readonly Question[]>;
  /** grows with each that ends, for lists of those that ended to hang on */
  readonly ended: number;
}
/** Mirror of `questions:list` of those that wait for a person. */
export const useQuestions = create<Questions>(() => ({ questions: loading(), ended: 0 }));

/** It needs something of a person; a model that is at work on it does too, for who wants to stop it. */
export const isOpen = ({ state }: Pick<Question, 'state'>): boolean => state === 'waiting' || state === 'review';

/** One that changed: it waits, or waits no longer. */
export const withQuestion = (waiting: readonly Question[], question: Question): readonly Question[] => {
  const others = waiting.filter((one) => one.id !== question.id);
  return isOpen(question) ? [...others, question].sort((a, b) => a.askedAt - b.askedAt || (a.id < b.id ? -1 : 1)) : others;
};

/** Those that wait; none while they are being read. */
export const useWaitingQuestions = (): readonly Question[] => {
  const questions = useQuestions((state) => state.questions);
  return questions.phase === 'ready' ? questions.value : NONE;
};
const NONE: readonly Question[] = [];

/** The one that a call waits with; undefined where it waits with none. */
export const useQuestionOfCall = (invocationId: string): Question | undefined => useWaitingQuestions().find((one) => one.invocationId === invocationId);

export type QuestionRead = { readonly phase: 'none' } | { readonly phase: 'loading' } | { readonly phase: 'failed'; readonly fault: Fault } | { readonly phase: 'ready'; readonly question: Question };

/** One question as it is now. */
export const useQuestion = (questionId: string | null): QuestionRead => {
  const [read, setRead] = useState<{ readonly of: string | null; readonly is: QuestionRead }>({ of: null, is: { phase: 'none' } });
  const connection = useHealth((health) => health.connection);
  useEffect(() => {
    if (questionId === null || connection === 'lost') return undefined;
    let current = true;
    let heard = false;
    const end = bridge.on('question:changed', (event) => {
      if (event.question.id !== questionId) return;
      heard = true;
      setRead({ of: questionId, is: { phase: 'ready', question: event.question } });
    });
    void bridge.request('questions:get', { questionId }).then((answer) => {
      // what was heard while the reading was on its way is newer than it
      if (current && !heard) setRead({ of: questionId, is: answer.ok ? { phase: 'ready', question: answer.value.question } : { phase: 'failed', fault: answer.error } });
    });
    return () => {
      current = false;
      end();
    };
  }, [questionId, connection]);
  if (questionId === null) return { phase: 'none' };
  return read.of === questionId ? read.is : { phase: 'loading' };
};
