import { auth, checkResourceAllowed, OAuthError, RegistrationRejectedError, resourceUrlFromServerUrl, type StoredOAuthClientInformation, type StoredOAuthTokens } from '@modelcontextprotocol/client';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { isTooLarge } from '../../network/answer-too-large.ts';
import { AuthFetch, type AuthFetchOptions } from './auth-fetch.ts';
import { authFaultOf } from './auth-fault.ts';
import { isOwnAnswer, judgeCallback } from './callback.ts';
import { discoverLoginServer, discoverResource, requestFault, type LoginServer } from './discover.ts';
import { judgeAddress, unsafeAddress, type AddressRules } from './judge-address.ts';
import { LoopbackCallback, redirectAddress } from '../../network/loopback-callback.ts';
import { SignInProvider } from './sign-in-provider.ts';

export const SIGN_IN_LIMIT_MS = 10 * 60_000;
const CANCELLED = fault('cancelled', 'The sign-in was stopped.');

/** A client that is known already, for one issuer and token endpoint. `port`: of its registered redirect address, null where any will do. */
export interface KnownClient {
  readonly information: StoredOAuthClientInformation;
  readonly port: number | null;
  /** entered by a person: never registered anew */
  readonly own: boolean;
}

export interface FlowInput {
  readonly rules: AddressRules;
  readonly outbound: AuthFetchOptions['outbound'];
  readonly resourceMetadataUrl: string | null;
  /** wanted by the server; empty: what its metadata lists */
  readonly scopes: readonly string[];
  readonly clientDocument: string | null;
  /** the client to use there. Error: why none may be */
  readonly clientFor: (loginServer: LoginServer) => Result<KnownClient | null, Fault>;
  readonly limitMs: number;
  /** the person does not want it any more */
  readonly signal: AbortSignal;
  /** the login server's answer is there and tokens are asked for */
  readonly onAnswer: () => void;
}

/** What a sign-in ended with. */
export interface SignedIn {
  readonly loginServer: LoginServer;
  readonly client: StoredOAuthClientInformation;
  readonly tokens: StoredOAuthTokens;
  readonly resource: string | null;
  readonly port: number;
  /** as asked for; a token without a scope of its own has these (RFC 6749, 5.1) */
  readonly askedScope: string | null;
}

/** A sign-in that waits for the person's browser. */
export interface BegunSignIn {
  /** the page to open: https, or http on this computer; re-serialized (N02) */
  readonly address: string;
  readonly loginServer: LoginServer;
  readonly scopes: readonly string[];
  readonly port: number;
  readonly client: StoredOAuthClientInformation;
  readonly done: Promise<Result<SignedIn, Fault>>;
}

/** Why the SDK's flow ended. What the login server wrote is not repeated but for the names that the RFCs give. */
const flowFault = (error: unknown, { server }: LoginServer, canRegister: boolean): Fault => {
  const { host } = new URL(server.issuer);
  const own = authFaultOf(error);
  if (own !== null) return own;
  const idNeeded = (why: string, details: Readonly<Record<string, unknown>>): Fault =>
    fault('client_id_required', `${host} ${why}, so it has to know Gantry beforehand.`, { remedy: `Register Gantry there with the redirect address ${redirectAddress(null)}, and enter the client id that you get.`, details: { host, issuer: server.issuer, redirectAddress: redirectAddress(null), ...details } });
  if (error instanceof RegistrationRejectedError) return idNeeded(`refused to register Gantry (HTTP ${error.status})`, { status: error.status });
  if (!canRegister) return idNeeded('registers no program by itself', {});
  if (error instanceof OAuthError) {
    const name = /^[a-z_]{1,40}$/.test(error.code) ? error.code : 'other';
    return fault('sign_in_failed', `${host} gave no token (${name}).`, { remedy: 'Sign in again; if it stays so, ask who runs the server.', details: { why: name, host } });
  }
  if (error instanceof TypeError || isTooLarge(error)) return requestFault(error, host);
  return fault('sign_in_failed', `What ${host} answered cannot be used.`, { remedy: 'Ask who runs the server.', details: { why: 'answer', host } });
};

/** Discovers, registers where needed, and asks for the page; opens nothing. The place for the answer is open until `done`. Errors: sign_in_unsafe, sign_in_failed, client_id_required, auth_required, those of the network. */
export const beginSignIn = async (input: FlowInput): Promise<Result<BegunSignIn, Fault>> => {
  const over = new AbortController();
  const ended = Promise.withResolvers<Fault>();
  const stop = (): void => {
    ended.resolve(CANCELLED);
    over.abort();
  };
  input.signal.addEventListener('abort', stop, { once: true });
  const asks = new AuthFetch({ outbound: input.outbound, rules: input.rules, signal: over.signal });
  const failed = async (why: Fault): Promise<Result<never, Fault>> => {
    input.signal.removeEventListener('abort', stop);
    over.abort();
    await asks.close();
    return err(input.signal.aborted ? CANCELLED : why);
  };
  const resource = await discoverResource(input.resourceMetadataUrl, input.rules, asks.fetch);
  if (!resource.ok) return failed(resource.error);
  const stated = resource.value.metadata?.resource;
  if (stated !== undefined && !fitsResource(input.rules.serverUrl, stated)) {
    return failed(fault('sign_in_unsafe', `The server says that it is ${stated.slice(0, 300).toWellFormed()}, which is not the address it was asked at.`, { remedy: 'Check the address of the server.', details: { why: 'resource', expected: new URL(input.rules.serverUrl).origin, received: stated.slice(0, 300).toWellFormed() } }));
  }
  const found = await discoverLoginServer(resource.value, input.rules, asks.fetch);
  if (!found.ok) return failed(found.error);
  const loginServer = found.value;
  const known = input.clientFor(loginServer);
  if (!known.ok) return failed(known.error);

  const answer = Promise.withResolvers<URLSearchParams>();
  const outcome = Promise.withResolvers<boolean>();
  const take = (query: URLSearchParams): Promise<boolean> => {
    answer.resolve(query);
    return outcome.promise;
  };
  let expectedState: string | null = null;
  const belongs = (query: URLSearchParams): boolean => expectedState !== null && isOwnAnswer(query, expectedState);
  const wantedPort = known.value?.port ?? null;
  let callback = await LoopbackCallback.open(wantedPort, take, belongs);
  let client = known.value?.information ?? null;
  if (callback === null && wantedPort !== null && !known.value!.own) {
    // a registration holds its port; without it, it is made anew
    client = null;
    callback = await LoopbackCallback.open(null, take, belongs);
  }
  if (callback === null) return failed(fault('sign_in_failed', `The port ${wantedPort ?? ''} of this computer, where the answer is to arrive, is taken.`, { remedy: 'Close what uses it, or enter another port with the client id.', details: { why: 'port', port: wantedPort } }));
  const place = callback;
  const provider = new SignInProvider({ redirectUrl: redirectAddress(place.port), loginServer, client, clientDocument: input.clientDocument });
  expectedState = provider.expectedState;
  const canRegister = client !== null || loginServer.server.registration_endpoint !== undefined || (input.clientDocument !== null && loginServer.server.client_id_metadata_document_supported === true);
  const options = { serverUrl: input.rules.serverUrl, fetchFn: asks.fetch };
  try {
    if (!canRegister) throw new Error('no registration');
    await auth(provider, { ...options, forceReauthorization: true, ...(input.scopes.length === 0 ? {} : { scope: input.scopes.join(' ') }) });
  } catch (error) {
    place.close();
    return failed(flowFault(error, loginServer, canRegister));
  }
  const page = judgeAddress(provider.address?.href ?? '', 'The page to sign in', input.rules);
  if (!page.ok || !/^https?:$/.test(page.value.url.protocol)) {
    place.close();
    return failed(page.ok ? unsafeAddress('The page to sign in', page.value.url.href, 'scheme') : page.error);
  }
  const { url } = page.value;
  const askedScope = url.searchParams.get('scope');

  const timer = setTimeout(() => ended.resolve(fault('sign_in_failed', 'Nobody signed in in time.', { remedy: 'Begin again.', details: { why: 'deadline' } })), input.limitMs).unref();
  const finish = async (query: URLSearchParams): Promise<Result<SignedIn, Fault>> => {
    const judged = judgeCallback(query, { state: provider.expectedState, server: loginServer.server });
    if (!judged.ok) return judged;
    input.onAnswer();
    try {
      await auth(provider, { ...options, authorizationCode: judged.value.code, ...(judged.value.iss === undefined ? {} : { iss: judged.value.iss }) });
    } catch (error) {
      return err(over.signal.aborted ? await ended.promise : flowFault(error, loginServer, true));
    }
    const tokens = provider.savedTokens;
    if (tokens === null || provider.client === null || !/^bearer$/i.test(tokens.token_type)) return err(flowFault(new Error('no bearer token'), loginServer, true));
    return ok({ loginServer, client: provider.client, tokens, resource: provider.resource, port: place.port, askedScope });
  };
  const done = Promise.race([answer.promise.then(finish), ended.promise.then((why) => err(why))]).catch((error: unknown) => err(flowFault(error, loginServer, true))).then(async (result): Promise<Result<SignedIn, Fault>> => {
    clearTimeout(timer);
    input.signal.removeEventListener('abort', stop);
    outcome.resolve(result.ok);
    place.close();
    over.abort();
    await asks.close();
    return result;
  });
  return ok({
    address: url.href,
    loginServer,
    scopes: askedScope === null ? [] : askedScope.split(' '),
    port: place.port,
    client: provider.client!,
    done,
  });
};

const fitsResource = (serverUrl: string, stated: string): boolean => URL.canParse(stated) && checkResourceAllowed({ requestedResource: resourceUrlFromServerUrl(serverUrl), configuredResource: stated });
