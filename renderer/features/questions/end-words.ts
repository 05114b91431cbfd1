import type { Question } from '../../../shared/question.ts';

/** The key of the sentence on what came of a question; of one that waits, that it waits. */
export const endWords = (question: Question): string => {
  if (question.state === 'void') return `questions.void.${question.voidReason ?? 'call_ended'}`;
  if (question.state === 'cancelled' && question.by === 'Gantry') return 'questions.end.timed_out';
  if (question.state === 'answered') return `questions.end.answered_${question.kind}`;
  return `questions.end.${question.state}`;
};

/** The same in a word or two, for lists. */
export const stateWord = (question: Question): string => {
  if (question.state === 'cancelled' && question.by === 'Gantry') return 'questions.state.timed_out';
  if (question.state === 'waiting' && question.kind === 'sampling' && question.sampling.asked !== null) return 'questions.state.working';
  return `questions.state.${question.state}`;
};
