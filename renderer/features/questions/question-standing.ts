import type { Question } from '../../../shared/question.ts';

/**
 * How a question stands for a person. `asks`: they have to answer. `working`: the model that they chose writes. `review`: its reply is to be seen. `opened`: they agreed to
 * open an address, and the server has not said that it is done there. `ended`: nothing is left to do.
 */
export type Standing = 'asks' | 'working' | 'review' | 'opened' | 'ended';

export const standingOf = (question: Question): Standing => {
  if (question.state === 'review') return 'review';
  if (question.state === 'waiting') return question.kind === 'sampling' && question.sampling.asked !== null && question.sampling.failed === undefined ? 'working' : 'asks';
  if (question.kind === 'url' && question.state === 'answered' && question.url.elicitationId !== null && question.url.completedAt === null) return 'opened';
  return 'ended';
};

export interface GateFacts {
  readonly standing: Standing;
  /** the short delay after the dialog appeared, or changed, has passed */
  readonly armed: boolean;
  readonly busy: boolean;
  readonly expired: boolean;
}

/** A dialog that appears under someone's hand is answered by nothing that they were about to press. */
export const isOpenGate = ({ standing, armed, busy, expired }: GateFacts): boolean => (standing === 'asks' || standing === 'review' || standing === 'working') && armed && !busy && !expired;
