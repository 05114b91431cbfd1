import { timingSafeEqual } from 'node:crypto';
import { IssuerMismatchError, validateAuthorizationResponseIssuer, type AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { wrongIssuer } from './discover.ts';

/** In constant time for texts of as many bytes; `timingSafeEqual` throws for others. */
const same = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8')];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** Errors of an authorization request by their names (RFC 6749, 4.1.2.1); others are the server's own. */
const NAMED: ReadonlySet<string> = new Set(['access_denied', 'invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope', 'server_error', 'temporarily_unavailable', 'invalid_target']);

/** Whether an answer is of the sign-in that was begun: our own `state`, once. */
export const isOwnAnswer = (query: URLSearchParams, state: string): boolean => query.getAll('state').length === 1 && same(query.get('state')!, state);

/**
 * Judges what came back to the loopback address, in this order: our own `state`, then `iss` (RFC 9207: compared exactly, missing where the login server always sends
 * it), and only then what it says. Errors: `sign_in_unsafe` (state, issuer), `sign_in_failed` with the login server's error by its name.
 */
export const judgeCallback = (query: URLSearchParams, expected: { readonly state: string; readonly server: AuthorizationServerMetadata }): Result<{ readonly code: string; readonly iss: string | undefined }, Fault> => {
  const { server } = expected;
  if (!isOwnAnswer(query, expected.state)) {
    return err(fault('sign_in_unsafe', 'The answer does not belong to the sign-in that was begun; it was not used.', { remedy: 'Begin again, and use the page that Gantry opens.', details: { why: 'state' } }));
  }
  const iss = query.get('iss') ?? undefined;
  try {
    validateAuthorizationResponseIssuer({ iss, expectedIssuer: server.issuer, issParameterSupported: server.authorization_response_iss_parameter_supported === true });
  } catch (error) {
    if (error instanceof IssuerMismatchError) return err(wrongIssuer(error, 'answer'));
    throw error;
  }
  const code = query.get('code');
  const named = query.get('error');
  if (named !== null || code === null || code === '') {
    const why = named !== null && NAMED.has(named) ? named : 'other';
    const host = new URL(server.issuer).host;
    return err(
      why === 'access_denied'
        ? fault('sign_in_failed', `${host} says that access was denied.`, { remedy: 'Sign in again, and allow it there.', details: { why, host } })
        : fault('sign_in_failed', `${host} did not sign you in${named === null ? '' : ` (${why})`}.`, { remedy: 'Try again; if it stays so, ask who runs the server.', details: { why, host } }),
    );
  }
  return ok({ code, iss });
};
