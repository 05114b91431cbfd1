import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Account, OwnClient } from '../../store/sign-ins.ts';
import type { LoginServer } from './discover.ts';
import type { KnownClient } from './sign-in-flow.ts';

interface Known {
  readonly account: Account | null;
  readonly own: OwnClient | null;
  readonly registered: ReadonlyMap<string, KnownClient>;
  readonly reveal: (ref: string | null) => Result<string | null, Fault>;
}

/**
 * The client to use at a login server, null for a new one. A client belongs to one issuer and token endpoint (N03): one that was entered is bound to the first that it
 * was used with, one that was registered is used nowhere else. Errors: `sign_in_unsafe` (changed), those of the secret store.
 */
export const clientFor = ({ server }: LoginServer, { account, own, registered, reveal }: Known): Result<KnownClient | null, Fault> => {
  const { issuer, token_endpoint: tokenEndpoint } = server;
  if (own !== null) {
    if (own.issuer !== null && (own.issuer !== issuer || own.tokenEndpoint !== tokenEndpoint)) {
      return err(
        fault('sign_in_unsafe', `The client id was entered for ${own.issuer}; the server now names ${issuer === own.issuer ? `another address for tokens (${new URL(tokenEndpoint).host})` : issuer}. Nothing was sent there.`, {
          remedy: 'Ask who runs the server. If the change is right, enter the client id again.',
          details: { why: 'changed', expected: own.issuer, received: issuer },
        }),
      );
    }
    const secret = reveal(own.secretRef);
    if (!secret.ok) return secret;
    return ok({ information: { client_id: own.clientId, ...(secret.value === null ? {} : { client_secret: secret.value }), issuer }, port: own.port, own: true });
  }
  const now = registered.get(`${issuer} ${tokenEndpoint}`);
  if (now !== undefined) return ok(now);
  if (account?.client !== 'registered' || account.issuer !== issuer || account.tokenEndpoint !== tokenEndpoint) return ok(null);
  const secret = reveal(account.clientSecretRef);
  // one that cannot be opened any more is registered anew
  if (!secret.ok) return ok(null);
  const information = { client_id: account.clientId, ...(secret.value === null ? {} : { client_secret: secret.value }), ...(account.authMethod === null ? {} : { token_endpoint_auth_method: account.authMethod }), issuer };
  return ok({ information, port: account.port, own: false });
};
