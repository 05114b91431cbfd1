import type { Question } from '../../../shared/question.ts';

/**
 * How a question stands for a person. `asks`: they have to answer. `working`: the model that they chose writes. `review`: its reply is to be seen. `opened`: they agreed to
 * open an address, and the call goes on when they or the server say that it is done there. `ended`: nothing is left to do.
 */
export type Standing = 'asks' | 'working' | 'review' | 'opened' | 'ended';

export const standingOf = (question: Question): Standing => {
  if (question.state === 'review') return 'review';
  if (question.state === 'waiting' && question.kind === 'url' && question.url.openedAt !== null) return 'opened';
  if (question.state === 'waiting') return question.kind === 'sampling' && question.sampling.asked !== null && question.sampling.failed === undefined ? 'working' : 'asks';
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
export const isOpenGate = ({ standing, armed, busy, expired }: GateFacts): boolean => standing !== 'ended' && armed && !busy && !expired;
