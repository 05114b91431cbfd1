import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { scopesIn } from './scopes.ts';

/** What an endpoint said with its refusal (RFC 6750, 3; RFC 9728, 5.1). Untrusted. */
export interface Challenge {
  readonly status: 401 | 403;
  readonly resourceMetadataUrl: string | null;
  readonly scopes: readonly string[];
  /** HTTP 403 with `insufficient_scope` */
  readonly wantsScope: boolean;
}

/** Null for any other answer. */
export const challengeOf = (response: Response): Challenge | null => {
  if (response.status !== 401 && response.status !== 403) return null;
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  return { status: response.status, resourceMetadataUrl: resourceMetadataUrl?.href ?? null, scopes: scopesIn(scope), wantsScope: response.status === 403 && error === 'insufficient_scope' };
};
