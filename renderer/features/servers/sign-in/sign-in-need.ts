import type { ServerDetail } from '../../../../shared/server.ts';
import type { ShownFault } from '../../../parts/FaultView.tsx';

export interface SignInNeed {
  readonly why: 'none' | 'signed_out' | 'expired' | 'refused' | 'scope' | 'unsafe' | 'failed';
  /** the login server, where it is known */
  readonly host: string | null;
  readonly scopes: readonly string[];
  readonly fault: ShownFault | null;
}

const REASONS: ReadonlySet<string> = new Set(['none', 'signed_out', 'expired', 'refused']);

/** What a remote server waits for that a sign-in gives; null where nothing is missing. */
export const signInNeed = ({ enabled, quarantinedAt, status, signIn }: Pick<ServerDetail, 'enabled' | 'quarantinedAt' | 'status' | 'signIn'>): SignInNeed | null => {
  if (signIn === null || !enabled || quarantinedAt !== null) return null;
  const host = signIn.account?.host ?? null;
  if (signIn.missingScopes.length > 0) return { why: 'scope', host, scopes: signIn.missingScopes, fault: null };
  if (status.state !== 'unavailable') return signIn.failure === null ? null : { why: 'failed', host, scopes: [], fault: null };
  const { fault } = status;
  const named = fault.details?.['host'];
  const at = typeof named === 'string' ? named : host;
  if (status.code === 'sign_in_required') {
    const reason = String(fault.details?.['reason']);
    return { why: REASONS.has(reason) ? (reason as SignInNeed['why']) : 'none', host: at, scopes: [], fault: null };
  }
  if (status.code === 'scope_missing') return { why: 'scope', host: at, scopes: [], fault };
  return status.code === 'sign_in_unsafe' ? { why: 'unsafe', host: at, scopes: [], fault } : null;
};

/** The origin that a person may agree to by name, where that is what stands in the way. */
export const agreeableOrigin = (fault: ShownFault | null): string | null => {
  const origin = fault?.details?.['origin'];
  const why = fault?.details?.['why'];
  return fault?.code === 'sign_in_unsafe' && (why === 'other_origin' || why === 'private_address') && typeof origin === 'string' ? origin : null;
};
