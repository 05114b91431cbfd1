import { ok } from '../../shared/result.ts';
import type { QuestionDesk } from '../questions/question-desk.ts';
import { onRecord, type HandlersOf } from './handlers.ts';

export const questionsRequests = (desk: QuestionDesk): HandlersOf<'questions'> => ({
  'questions:list': ({ state }) => ok({ questions: desk.list(state) }),
  'questions:get': ({ questionId }) => {
    const found = desk.get(questionId);
    return found.ok ? ok({ question: found.value }) : found;
  },
  'questions:answer': ({ questionId, ...answer }, caller) => {
    const answered = desk.answer(questionId, answer, onRecord(caller));
    return answered.ok ? ok({ question: answered.value }) : answered;
  },
  'questions:declineAll': ({ questionId }, caller) => desk.declineAll(questionId, onRecord(caller)),
  'questions:models': () => ok({ models: [...desk.models()] }),
});
