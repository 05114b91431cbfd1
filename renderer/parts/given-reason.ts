import type { Approval } from '../../shared/approval.ts';

/** What the host writes down when a person denied without a word (main/calls). */
const WITHOUT_WORDS = 'A person denied this call; nothing was sent.';

/** The reason that a person gave, if one was given; what the host notes by itself is told by the state's own words. */
export const givenReason = (approval: Pick<Approval, 'state' | 'reason'>): string | null =>
  approval.state === 'denied' && approval.reason !== null && approval.reason !== '' && approval.reason !== WITHOUT_WORDS ? approval.reason : null;
