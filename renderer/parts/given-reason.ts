import type { Approval } from '../../shared/approval.ts';

/** The reason that a person gave, if one was given. */
export const givenReason = (approval: Pick<Approval, 'state' | 'reason'>): string | null => (approval.state === 'denied' && approval.reason !== null && approval.reason !== '' ? approval.reason : null);

/** The key of our words for why an approval became void; null where the cause has none. */
export const voidKey = (approval: Pick<Approval, 'state' | 'reason'>, exists: (key: string) => boolean): string | null => {
  if (approval.state !== 'void' || approval.reason === null) return null;
  return [`parts.void.${approval.reason}`, `code.${approval.reason}.sentence`].find(exists) ?? null;
};
