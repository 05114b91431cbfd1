import type { Fault } from '../../../shared/fault.ts';
import type { PendingSignIn, SignIn } from '../../../shared/sign-in.ts';
import type { Account, SignInRow } from '../../store/sign-ins.ts';
import { redirectAddress } from '../../network/loopback-callback.ts';
import type { BegunSignIn } from './sign-in-flow.ts';

const hostOf = (address: string): string => URL.parse(address)?.host ?? address;

export const pendingView = ({ address, loginServer: { server }, scopes }: BegunSignIn, now: { readonly account: Account | null; readonly missing: readonly string[]; readonly step: PendingSignIn['step']; readonly until: number }): PendingSignIn => {
  const { account } = now;
  const changed = account !== null && (account.issuer !== server.issuer || account.tokenEndpoint !== server.token_endpoint);
  return {
    address,
    host: hostOf(address),
    issuer: server.issuer,
    tokenHost: hostOf(server.token_endpoint),
    scopes: [...scopes],
    newScopes: [...now.missing],
    changedFrom: changed ? account.issuer : null,
    step: now.step,
    until: now.until,
  };
};

export const signInView = ({ account, client, agreed }: SignInRow, now: { readonly missing: readonly string[]; readonly pending: PendingSignIn | null; readonly failure: Fault | null }): SignIn => ({
  account:
    account === null
      ? null
      : {
          issuer: account.issuer,
          host: hostOf(account.issuer),
          tokenHost: hostOf(account.tokenEndpoint),
          clientId: account.clientId,
          client: account.client,
          scopes: [...account.scopes],
          expiresAt: account.expiresAt,
          renewable: account.refreshRef !== null,
          since: account.since,
          ended: account.ended,
        },
  missingScopes: [...now.missing],
  pending: now.pending,
  failure: now.failure,
  ownClient: client === null ? null : { clientId: client.clientId, hasSecret: client.secretRef !== null, port: client.port, issuer: client.issuer },
  redirectAddress: redirectAddress(client?.port ?? null),
  agreedOrigins: [...agreed],
});
