import type { Fault } from '../../../shared/fault.ts';
import type { Result } from '../../../shared/result.ts';
import type { Challenge } from './challenge.ts';

/** How requests to one address are authorized by the sign-in at its server. */
export interface RequestAuthorization {
  /** The token for the next request, renewed when it is over; null: sent without. Rejects with AuthFault where it cannot be renewed; nothing was sent then. */
  token(): Promise<string | null>;
  /** The endpoint refused a request that carried this token, or none. */
  refused(challenge: Challenge, token: string | null): void;
  /** A call that carried the token was carried out. */
  passed(): void;
  /**
   * After a refusal: ok when another token is there that may do better; `last`: another one was tried. Error: what is missing, with the step that mends it
   * (`sign_in_required`, `scope_missing`, `auth_required` where no sign-in is offered), or why it could not be renewed just now.
   */
  recover(last: boolean): Promise<Result<void, Fault>>;
}
