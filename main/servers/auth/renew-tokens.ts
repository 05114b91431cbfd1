import { OAuthError, refreshAuthorization, selectClientAuthMethod, type AuthorizationServerMetadata, type OAuthTokens } from '@modelcontextprotocol/client';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Outbound } from '../../network/outbound.ts';
import type { Account } from '../../store/sign-ins.ts';
import { AuthFetch } from './auth-fetch.ts';
import { requestFault } from './discover.ts';
import type { AddressRules } from './judge-address.ts';

export interface AtLoginServer {
  readonly account: Account;
  readonly clientSecret: string | null;
  readonly rules: AddressRules;
  readonly outbound: Outbound;
}

/** What of the metadata a token request reads; kept from the sign-in, so that no later metadata leads the refresh token elsewhere (N03). */
const keptMetadata = ({ account }: AtLoginServer): AuthorizationServerMetadata =>
  ({ issuer: account.issuer, token_endpoint: account.tokenEndpoint, authorization_endpoint: account.tokenEndpoint, response_types_supported: ['code'], token_endpoint_auth_methods_supported: [...account.authMethods] }) as AuthorizationServerMetadata;

const clientOf = ({ account, clientSecret }: AtLoginServer) => ({
  client_id: account.clientId,
  ...(clientSecret === null ? {} : { client_secret: clientSecret }),
  ...(account.authMethod === null ? {} : { token_endpoint_auth_method: account.authMethod }),
});

/**
 * One use of the refresh token, at the token endpoint that the person signed in at. `refused`: the login server says that it is over (`invalid_grant` and its kind);
 * anything else (no network, 5xx, an answer that cannot be read) is `connection_failed` and says nothing about the tokens.
 */
export const renewTokens = async (at: AtLoginServer, refreshToken: string): Promise<Result<OAuthTokens, { readonly refused: boolean; readonly fault: Fault }>> => {
  const { host } = new URL(at.account.tokenEndpoint);
  const asks = new AuthFetch(at);
  try {
    return ok(
      await refreshAuthorization(at.account.issuer, {
        metadata: keptMetadata(at),
        clientInformation: clientOf(at) as never,
        refreshToken,
        fetchFn: asks.fetch,
        ...(at.account.resource === null ? {} : { resource: at.account.resource as never }),
      }),
    );
  } catch (error) {
    const refused = error instanceof OAuthError && ['invalid_grant', 'invalid_client', 'unauthorized_client'].includes(error.code);
    if (refused) return err({ refused, fault: fault('sign_in_required', `The sign-in at ${host} is over; sign in again.`, { remedy: 'Sign in again.', details: { reason: 'expired', host } }) });
    const cause = error instanceof OAuthError ? fault('connection_failed', `${host} could not renew the sign-in now; nothing was sent to the server, and the sign-in is kept.`, { remedy: 'Try again in a moment.', details: { cause: 'login_server', host } }) : requestFault(error, host);
    return err({ refused: false, fault: cause });
  } finally {
    await asks.close();
  }
};

const REVOKE_LIMIT_MS = 5000;

/** RFC 7009: tells the login server that a token is done with. True where it took it; a failure changes nothing here. */
export const revokeToken = async (at: AtLoginServer, endpoint: string, token: string, kind: 'access_token' | 'refresh_token'): Promise<boolean> => {
  const asks = new AuthFetch({ ...at, signal: AbortSignal.timeout(REVOKE_LIMIT_MS) });
  try {
    const body = new URLSearchParams({ token, token_type_hint: kind });
    const headers = new Headers({ accept: 'application/json' });
    const { account, clientSecret } = at;
    const method = selectClientAuthMethod(clientOf(at), [...account.authMethods]);
    if (method === 'client_secret_basic' && clientSecret !== null) headers.set('authorization', `Basic ${Buffer.from(`${encodeURIComponent(account.clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`);
    else {
      body.set('client_id', account.clientId);
      if (method === 'client_secret_post' && clientSecret !== null) body.set('client_secret', clientSecret);
    }
    headers.set('content-type', 'application/x-www-form-urlencoded');
    return (await asks.fetch(endpoint, { method: 'POST', headers, body })).ok;
  } catch {
    return false;
  } finally {
    await asks.close();
  }
};
