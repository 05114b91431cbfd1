import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { SignIn } from '../../../shared/sign-in.ts';
import type { Clock } from '../../clock.ts';
import type { Outbound } from '../../network/outbound.ts';
import { agreedKinds } from '../../store/address-agreements.ts';
import type { Store } from '../../store/database.ts';
import type { Account } from '../../store/sign-ins.ts';
import { AuthFault } from './auth-fault.ts';
import type { Challenge } from './challenge.ts';
import { clientFor } from './client-for.ts';
import { Credentials, isFor, type TokenSecrets } from './credentials.ts';
import type { AddressRules } from './judge-address.ts';
import { pendingView, signInView } from './sign-in-view.ts';
import type { RequestAuthorization } from './request-authorization.ts';
import type { BegunSignIn, KnownClient } from './sign-in-flow.ts';

export interface SignInDeps {
  readonly store: Store;
  readonly secrets: TokenSecrets;
  readonly clock: Clock;
  readonly outbound: Outbound;
  /** the https address of Gantry's client metadata document; null where none is published */
  readonly clientDocument: () => string | null;
  /** facts changed */
  readonly changed: () => void;
  readonly limitMs?: number | undefined;
}

/** Sign-ins in a row without a call that went through, after which more rights are not asked for. */
const MOST_IN_A_ROW = 3;
/** A token this close to its end, or in the last tenth of its life, is renewed before it is used. */
const EARLY_MS = 10_000;

/**
 * Signing in at one server (OAuth 2.1 as MCP profiles it): one sign-in and one renewal at a time, whoever asks. Nothing here opens a browser, registers or asks for
 * rights by itself: that begins with a person. Tokens leave only to the exact address they were made for, and to the login server that made them.
 */
export class ServerSignIn {
  readonly #serverId: string;
  readonly #deps: SignInDeps;
  readonly #outbound: Outbound;
  readonly #credentials: Credentials;
  #challenge: Challenge | null = null;
  #refusedToken: string | null = null;
  #begun: BegunSignIn | null = null;
  #stop: AbortController | null = null;
  #beginning: Promise<Result<BegunSignIn, Fault>> | null = null;
  #until = 0;
  #step: 'waiting' | 'finishing' = 'waiting';
  #failure: Fault | null = null;
  #renewing: Promise<Result<void, Fault>> | null = null;
  /** sign-ins that came to their end since a call went through */
  #inARow = 0;
  /** registered in this run and not used up by a sign-in that came to its end */
  readonly #registered = new Map<string, KnownClient>();

  constructor(serverId: string, deps: SignInDeps) {
    this.#serverId = serverId;
    this.#deps = deps;
    this.#outbound = deps.outbound.for(serverId);
    this.#credentials = new Credentials(serverId, deps);
  }

  /** For requests to this address, exactly: another one gets no token. */
  authorizationFor(address: string): RequestAuthorization {
    return {
      token: () => this.#token(address),
      refused: (challenge, token) => {
        this.#challenge = challenge;
        this.#refusedToken = token;
        this.#deps.changed();
      },
      passed: () => {
        this.#inARow = 0;
        if (this.#challenge === null) return;
        this.#challenge = null;
        this.#deps.changed();
      },
      recover: (last) => this.#recover(address, last),
    };
  }

  view(): SignIn {
    const row = this.#credentials.read();
    const pending = this.#begun === null ? null : pendingView(this.#begun, { account: row.account, missing: this.#missing(row.account), step: this.#step, until: this.#until });
    return signInView(row, { missing: this.#missing(row.account), pending, failure: this.#failure });
  }

  /** Resolves when the page to open is known; `done` tells how it ended. One that was begun already is that one. Errors: those of beginSignIn, `scope_missing` after MOST_IN_A_ROW. */
  async begin(address: string, options: { readonly agree?: string | undefined } = {}): Promise<Result<BegunSignIn, Fault>> {
    if (options.agree !== undefined) this.#credentials.agree(options.agree);
    if (this.#begun !== null) return ok(this.#begun);
    return (this.#beginning ??= this.#begin(address).finally(() => {
      this.#beginning = null;
    }));
  }

  cancel(): void {
    this.#stop?.abort();
  }

  /** Errors: those of the secret store. */
  setClient(client: Parameters<Credentials['setClient']>[0]): Result<void, Fault> {
    this.cancel();
    this.#failure = null;
    const done = this.#credentials.setClient(client);
    this.#deps.changed();
    return done;
  }

  /** The tokens go, whatever the login server says. `revoked`: it took them back; null where it offers no such thing or there was nothing to take. */
  async signOut(): Promise<{ readonly revoked: boolean | null }> {
    this.cancel();
    const { account } = this.#credentials.read();
    const refresh = this.#credentials.reveal(account?.refreshRef ?? null);
    const access = this.#credentials.reveal(account?.accessRef ?? null);
    // read before anything goes: the server may be removed next
    const at = account === null ? null : this.#atLoginServer(account);
    this.#credentials.ended('signed_out');
    this.#forget();
    this.#deps.changed();
    if (at === null || account?.revocationEndpoint == null) return { revoked: null };
    const { revokeToken } = await import('./renew-tokens.ts');
    const taken: boolean[] = [];
    if (refresh.ok && refresh.value !== null) taken.push(await revokeToken(at, account.revocationEndpoint, refresh.value, 'refresh_token'));
    if (access.ok && access.value !== null) taken.push(await revokeToken(at, account.revocationEndpoint, access.value, 'access_token'));
    return { revoked: taken.length === 0 ? null : taken.every((one) => one) };
  }

  #forget(): void {
    this.#challenge = null;
    this.#refusedToken = null;
    this.#failure = null;
    this.#inARow = 0;
  }

  #rules(address: string): AddressRules {
    return { serverUrl: address, agreed: this.#credentials.read().agreed, ownKinds: this.#deps.store.read((db) => agreedKinds(db, this.#serverId, address)) };
  }

  #missing(account: Account | null): string[] {
    const challenge = this.#challenge;
    return challenge?.wantsScope ? challenge.scopes.filter((one) => !account?.scopes.includes(one)) : [];
  }

  async #token(address: string): Promise<string | null> {
    const found = this.#credentials.tokenFor(address);
    if (!found.ok) throw new AuthFault(found.error);
    if (found.value === null) return null;
    const { account, token } = found.value;
    const now = this.#deps.clock.now();
    const early = account.expiresAt === null ? 0 : Math.min(EARLY_MS, (account.expiresAt - account.issuedAt) / 10);
    if (account.expiresAt === null || now < account.expiresAt - early || account.refreshRef === null) return token;
    const renewed = await this.#renew(address, token);
    if (!renewed.ok) throw new AuthFault(renewed.error);
    const fresh = this.#credentials.tokenFor(address);
    return fresh.ok ? (fresh.value?.token ?? null) : token;
  }

  async #recover(address: string, last: boolean): Promise<Result<void, Fault>> {
    const challenge = this.#challenge;
    const found = this.#credentials.tokenFor(address);
    if (!found.ok) return found;
    const { account } = this.#credentials.read();
    const missing = this.#missing(account);
    if (challenge?.status === 403 && (last || !challenge.wantsScope || missing.length > 0 || challenge.scopes.length === 0)) return err(this.#rightsMissing(challenge, missing));
    if (found.value !== null) {
      if (!last && this.#refusedToken !== null && found.value.token !== this.#refusedToken) return ok(undefined);
      if (!last && found.value.account.refreshRef !== null) return this.#renew(address, found.value.token);
      if (challenge?.status === 401) this.#credentials.ended('refused');
    }
    return err(await this.#needed(address, challenge));
  }

  #rightsMissing(challenge: Challenge, missing: readonly string[]): Fault {
    if (!challenge.wantsScope) return fault('auth_required', 'The endpoint answered 403: it wants more rights, and does not say which.', { remedy: 'Ask who runs the server which rights your account needs.', details: { status: 403 } });
    const scopes = missing.length > 0 ? missing : challenge.scopes;
    if (this.#inARow >= MOST_IN_A_ROW) return fault('scope_missing', `The server keeps asking for rights (${scopes.join(' ')}), after ${this.#inARow} sign-ins that granted what it asked for.`, { remedy: 'Ask who runs the server; sign out to begin afresh.', details: { scopes, tries: this.#inARow } });
    return fault('scope_missing', `The server wants a right that the sign-in does not have: ${scopes.join(' ')}.`, { remedy: 'Sign in again and grant it, if you want that.', details: { scopes } });
  }

  /** What a 401 means: a sign-in, where the server names a login server; else a key. Asks the server's own origin alone. */
  async #needed(address: string, challenge: Challenge | null): Promise<Fault> {
    const { account } = this.#credentials.read();
    if (account !== null && isFor(account, address)) return signInRequired(new URL(account.issuer).host, account.ended?.why ?? 'refused');
    const [{ AuthFetch }, { discoverResource, judgeMetadataUrl }] = await Promise.all([import('./auth-fetch.ts'), import('./discover.ts')]);
    const rules = this.#rules(address);
    const named = challenge?.resourceMetadataUrl ?? null;
    const refused = named === null ? null : judgeMetadataUrl(named, rules);
    if (refused !== null) return refused;
    const asks = new AuthFetch({ outbound: this.#outbound, rules });
    try {
      const resource = await discoverResource(named, rules, asks.fetch);
      if (!resource.ok) return resource.error;
      const { metadata, authorizationServerUrl } = resource.value;
      if (metadata !== null) return signInRequired(URL.parse(authorizationServerUrl)?.host ?? null, 'none');
      const { discoverLoginServer } = await import('./discover.ts');
      // earlier revisions: the server is its own login server
      const own = await discoverLoginServer(resource.value, rules, asks.fetch);
      return own.ok ? signInRequired(new URL(own.value.server.issuer).host, 'none') : own.error;
    } finally {
      await asks.close();
    }
  }

  /** One use of the refresh token at a time; whoever comes meanwhile gets its outcome. What is stored by then counts, not what was read before (C103). */
  #renew(address: string, token: string): Promise<Result<void, Fault>> {
    return (this.#renewing ??= this.#renewOnce(address, token).finally(() => {
      this.#renewing = null;
      this.#deps.changed();
    }));
  }

  async #renewOnce(address: string, token: string): Promise<Result<void, Fault>> {
    const { renewTokens } = await import('./renew-tokens.ts');
    const found = this.#credentials.tokenFor(address);
    if (!found.ok) return found;
    if (found.value !== null && found.value.token !== token) return ok(undefined);
    const { account } = this.#credentials.read();
    const refresh = this.#credentials.reveal(account?.refreshRef ?? null);
    if (!refresh.ok) return refresh;
    if (account === null || refresh.value === null) return err(await this.#needed(address, null));
    const renewed = await renewTokens(this.#atLoginServer(account), refresh.value);
    const now = this.#credentials.read().account;
    // signed out, or signed in anew, while the login server was asked
    if (now?.refreshRef !== account.refreshRef || now.since !== account.since) return now?.accessRef ? ok(undefined) : err(signInRequired(new URL(account.issuer).host, 'signed_out'));
    if (renewed.ok) return this.#credentials.renewed(account, renewed.value);
    if (!renewed.error.refused) return err(renewed.error.fault);
    const stored = this.#credentials.reveal(now.refreshRef);
    if (stored.ok && stored.value !== refresh.value) return ok(undefined);
    this.#credentials.ended('expired');
    return err(renewed.error.fault);
  }

  #atLoginServer(account: Account) {
    const secret = this.#credentials.reveal(account.clientSecretRef);
    return { account, clientSecret: secret.ok ? secret.value : null, rules: this.#rules(account.origin), outbound: this.#outbound };
  }

  async #begin(address: string): Promise<Result<BegunSignIn, Fault>> {
    const { account, client: own } = this.#credentials.read();
    const missing = this.#missing(account);
    const challenge = this.#challenge;
    if (challenge?.wantsScope && this.#inARow >= MOST_IN_A_ROW) return err(this.#rightsMissing(challenge, missing));
    this.#failure = null;
    const stop = (this.#stop = new AbortController());
    const { beginSignIn, SIGN_IN_LIMIT_MS } = await import('./sign-in-flow.ts');
    const limitMs = this.#deps.limitMs ?? SIGN_IN_LIMIT_MS;
    // rights that were granted before are asked for again with the new ones: a token has those of its own request alone
    const scopes = challenge?.wantsScope ? [...new Set([...(account?.scopes ?? []), ...challenge.scopes])] : (challenge?.scopes ?? []);
    const begun = await beginSignIn({
      rules: this.#rules(address),
      outbound: this.#outbound,
      resourceMetadataUrl: challenge?.resourceMetadataUrl ?? null,
      scopes,
      clientDocument: this.#deps.clientDocument(),
      clientFor: (loginServer) => clientFor(loginServer, { account, own, registered: this.#registered, reveal: (ref) => this.#credentials.reveal(ref) }),
      limitMs,
      signal: stop.signal,
      onAnswer: () => {
        this.#step = 'finishing';
        this.#deps.changed();
      },
    });
    if (!begun.ok) {
      if (begun.error.code !== 'cancelled') this.#failure = begun.error;
      this.#deps.changed();
      return begun;
    }
    this.#begun = begun.value;
    this.#step = 'waiting';
    this.#until = this.#deps.clock.now() + limitMs;
    const { server } = begun.value.loginServer;
    const kind = own !== null ? 'own' : begun.value.client.client_id === this.#deps.clientDocument() ? 'document' : 'registered';
    if (kind === 'registered') this.#registered.set(`${server.issuer} ${server.token_endpoint}`, { information: begun.value.client, port: begun.value.port, own: false });
    const done = begun.value.done.then((ended) => {
      this.#begun = null;
      const kept = ended.ok ? this.#credentials.signedIn(address, kind, own, ended.value) : ended;
      if (kept.ok) {
        this.#inARow += 1;
        this.#refusedToken = null;
        this.#challenge = null;
      } else if (kept.error.code !== 'cancelled') this.#failure = kept.error;
      this.#deps.changed();
      return ended.ok && !kept.ok ? kept : ended;
    });
    this.#deps.changed();
    return ok({ ...begun.value, done });
  }
}

const signInRequired = (host: string | null, reason: 'none' | 'signed_out' | 'expired' | 'refused'): Fault => {
  const why = { none: 'The server wants you to sign in', signed_out: 'You signed out of this server', expired: 'The sign-in is over', refused: 'The server does not take the sign-in any more' }[reason];
  return fault('sign_in_required', `${why}${host === null ? '' : ` (at ${host})`}.`, { remedy: 'Sign in on the server’s page.', details: { reason, ...(host === null ? {} : { host }) } });
};
