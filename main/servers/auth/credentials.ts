import { createHash } from 'node:crypto';
import type { StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { Fault } from '../../../shared/fault.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../../clock.ts';
import type { Store } from '../../store/database.ts';
import { readSignIn, saveSignIn, type Account, type OwnClient, type SignInRow } from '../../store/sign-ins.ts';
import { scopesIn } from './scopes.ts';
import type { SignedIn } from './sign-in-flow.ts';

/** What of the secret store signing in needs. */
export interface TokenSecrets {
  put(input: { readonly serverId: string; readonly place: string; readonly value: string }): Result<string, Fault>;
  reveal(ref: string): Result<string, Fault>;
  remove(ref: string): void;
}

const ACCESS = 'signin.access_token';
const REFRESH = 'signin.refresh_token';
const REGISTERED_SECRET = 'signin.registered_secret';
const OWN_SECRET = 'signin.client_secret';
/** Places of a server's secrets that a sign-in makes by itself; they are of no use elsewhere. */
export const MADE_PLACES: readonly string[] = [ACCESS, REFRESH, REGISTERED_SECRET];

const hashOf = (address: string): string => createHash('sha256').update(address, 'utf8').digest('hex');
/** A sign-in belongs to one address, exactly. */
export const isFor = (account: Account, address: string): boolean => account.addressSha256 === hashOf(address);

/** The sign-in of one server as it is kept: tokens and secrets sealed, facts in their table. */
export class Credentials {
  readonly #serverId: string;
  readonly #store: Store;
  readonly #secrets: TokenSecrets;
  readonly #clock: Clock;

  constructor(serverId: string, deps: { readonly store: Store; readonly secrets: TokenSecrets; readonly clock: Clock }) {
    this.#serverId = serverId;
    this.#store = deps.store;
    this.#secrets = deps.secrets;
    this.#clock = deps.clock;
  }

  read(): SignInRow {
    return this.#store.read((db) => readSignIn(db, this.#serverId));
  }

  reveal(ref: string | null): Result<string | null, Fault> {
    return ref === null ? ok(null) : this.#secrets.reveal(ref);
  }

  /** The account with its access token, where tokens are kept for exactly this address. */
  tokenFor(address: string): Result<{ readonly account: Account; readonly token: string } | null, Fault> {
    const { account } = this.read();
    if (account === null || !isFor(account, address) || account.accessRef === null) return ok(null);
    const token = this.#secrets.reveal(account.accessRef);
    if (!token.ok && token.error.code === 'not_found') {
      // a data folder that was restored without them
      this.ended('expired');
      return ok(null);
    }
    return token.ok ? ok({ account, token: token.value }) : token;
  }

  agree(origin: string): void {
    const { agreed } = this.read();
    if (!agreed.includes(origin)) this.#save({ agreed: [...agreed, origin] });
  }

  /** Null removes it. Errors: those of the secret store. */
  setClient(client: { readonly clientId: string; readonly secret: string | null; readonly port: number | null } | null): Result<void, Fault> {
    const before = this.read().client;
    let secretRef: string | null = null;
    if (client?.secret) {
      const sealed = this.#secrets.put({ serverId: this.#serverId, place: OWN_SECRET, value: client.secret });
      if (!sealed.ok) return sealed;
      secretRef = sealed.value;
    } else if (before?.secretRef) this.#secrets.remove(before.secretRef);
    this.#save({ client: client === null ? null : { clientId: client.clientId, secretRef, port: client.port, issuer: null, tokenEndpoint: null } });
    return ok(undefined);
  }

  /** Tokens first, the refresh token ahead of the other: what a crash leaves behind can be renewed. Errors: those of the secret store. */
  signedIn(address: string, kind: Account['client'], own: OwnClient | null, { loginServer: { server }, client, tokens, resource, port, askedScope }: SignedIn): Result<Account, Fault> {
    this.#forgetTokens();
    const ofClient = kind === 'registered' && client.client_secret !== undefined ? this.#secrets.put({ serverId: this.#serverId, place: REGISTERED_SECRET, value: client.client_secret }) : ok(kind === 'own' ? (own?.secretRef ?? null) : null);
    if (!ofClient.ok) return ofClient;
    const sealed = this.#seal(tokens);
    if (!sealed.ok) return sealed;
    const registeredWith = (client as { token_endpoint_auth_method?: unknown }).token_endpoint_auth_method;
    const account: Account = {
      addressSha256: hashOf(address),
      origin: new URL(address).origin,
      issuer: server.issuer,
      tokenEndpoint: server.token_endpoint,
      revocationEndpoint: 'revocation_endpoint' in server && typeof server.revocation_endpoint === 'string' ? server.revocation_endpoint : null,
      authMethods: server.token_endpoint_auth_methods_supported ?? [],
      authMethod: typeof registeredWith === 'string' ? registeredWith : null,
      resource,
      clientId: client.client_id,
      client: kind,
      clientSecretRef: ofClient.value,
      port,
      scopes: scopesIn(tokens.scope ?? askedScope),
      ...sealed.value,
      since: this.#clock.now(),
      ended: null,
    };
    this.#save({ account, ...(kind === 'own' && own !== null ? { client: { ...own, issuer: server.issuer, tokenEndpoint: server.token_endpoint } } : {}) });
    return ok(account);
  }

  /** Errors: those of the secret store. */
  renewed(account: Account, tokens: StoredOAuthTokens): Result<void, Fault> {
    const sealed = this.#seal(tokens);
    if (!sealed.ok) return sealed;
    this.#save({ account: { ...account, ...sealed.value, refreshRef: sealed.value.refreshRef ?? account.refreshRef, scopes: tokens.scope === undefined ? account.scopes : scopesIn(tokens.scope) } });
    return ok(undefined);
  }

  /** The tokens go; whose they were, and the registration, stay. */
  ended(why: NonNullable<Account['ended']>['why']): void {
    const { account } = this.read();
    if (account === null) return;
    this.#forgetTokens();
    this.#save({ account: { ...account, accessRef: null, refreshRef: null, expiresAt: null, ended: { at: this.#clock.now(), why } } });
  }

  #forgetTokens(): void {
    const { account } = this.read();
    for (const ref of [account?.accessRef, account?.refreshRef]) if (ref) this.#secrets.remove(ref);
  }

  #seal(tokens: StoredOAuthTokens): Result<Pick<Account, 'accessRef' | 'refreshRef' | 'expiresAt' | 'issuedAt'>, Fault> {
    const refresh = tokens.refresh_token === undefined ? ok(null) : this.#secrets.put({ serverId: this.#serverId, place: REFRESH, value: tokens.refresh_token });
    if (!refresh.ok) return refresh;
    const access = this.#secrets.put({ serverId: this.#serverId, place: ACCESS, value: tokens.access_token });
    if (!access.ok) return access;
    const issuedAt = this.#clock.now();
    return ok({ accessRef: access.value, refreshRef: refresh.value, expiresAt: tokens.expires_in === undefined ? null : issuedAt + tokens.expires_in * 1000, issuedAt });
  }

  #save(change: Partial<SignInRow>): void {
    this.#store.writeDurable((db) => saveSignIn(db, this.#serverId, change));
  }
}
