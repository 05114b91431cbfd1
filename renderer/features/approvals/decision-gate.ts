import type { Approval } from '../../../shared/approval.ts';

export interface GateFacts {
  readonly state: Approval['state'];
  readonly tier: Approval['tier'];
  /** the short delay after the dialog appeared has passed */
  readonly armed: boolean;
  /** the last line of the input has been in sight */
  readonly endSeen: boolean;
  readonly busy: boolean;
  readonly expired: boolean;
}

export type Gate = { readonly open: true } | { readonly open: false; readonly why: 'decided' | 'expired' | 'busy' | 'arming' | 'unread' };

/** Denying needs only that the dialog did not appear under the hand (A14). */
export const denyGate = ({ state, armed, busy, expired }: GateFacts): Gate => {
  if (state !== 'pending') return { open: false, why: 'decided' };
  if (expired) return { open: false, why: 'expired' };
  if (busy) return { open: false, why: 'busy' };
  return armed ? { open: true } : { open: false, why: 'arming' };
};

/** Approving what may be hard to undo also needs that the whole input was in sight (A13). */
export const approveGate = (facts: GateFacts): Gate => {
  const gate = denyGate(facts);
  if (!gate.open) return gate;
  const risky = facts.tier === 'high_write' || facts.tier === 'unknown';
  return risky && !facts.endSeen ? { open: false, why: 'unread' } : gate;
};
