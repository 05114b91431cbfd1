import { discoverAuthorizationServerMetadata, discoverOAuthProtectedResourceMetadata, IssuerMismatchError, type AuthorizationServerMetadata, type OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { networkFault } from '../../network/network-fault.ts';
import { isTooLarge } from '../../network/answer-too-large.ts';
import { networkCauseOf } from '../connect-fault.ts';
import { plainWords } from '../spoken-error.ts';
import { authFaultOf } from './auth-fault.ts';
import { judgeAddress, unsafeAddress, type AddressRules } from './judge-address.ts';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
type ResourceMetadata = NonNullable<OAuthDiscoveryState['resourceMetadata']>;

/** What a server says of itself as a protected resource (RFC 9728); null metadata: it says nothing, and its own origin is taken for the login server. */
export interface FoundResource {
  readonly metadataUrl: string | null;
  readonly metadata: ResourceMetadata | null;
  readonly authorizationServerUrl: string;
  /** where its own metadata led on to, which was not followed */
  readonly led?: string;
}

/** Where to sign in: metadata that names the issuer it was asked of (RFC 8414, 3.3), and knows S256. */
export interface LoginServer extends FoundResource {
  readonly server: AuthorizationServerMetadata;
}

/** Errors: the fault that our own fetch threw, of the network, or `connection_failed`. */
export const requestFault = (error: unknown, whom: string): Fault => {
  const own = authFaultOf(error);
  if (own !== null) return own;
  if (isTooLarge(error)) return fault('sign_in_failed', `${whom} answered with more than Gantry reads.`, { remedy: 'Ask who runs it.', details: { why: 'answer' } });
  const way = networkFault(error, whom);
  if (way !== null) return way;
  const code = networkCauseOf(error)?.code;
  return fault('connection_failed', `${whom} could not be reached${code === undefined ? '' : ` (${code})`}; nothing was changed.`, { remedy: 'Check the network and try again.', details: { cause: code ?? 'fetch_failed' } });
};

/** An address of metadata that the server named lies at its own origin unless the person agreed to the other (N01). */
export const judgeMetadataUrl = (metadataUrl: string, rules: AddressRules): Fault | null => {
  const judged = judgeAddress(metadataUrl, 'The server’s metadata', rules);
  if (!judged.ok) return judged.error;
  const { url } = judged.value;
  return url.origin === new URL(rules.serverUrl).origin || rules.agreed.includes(url.origin) ? null : unsafeAddress('The server’s metadata', url.origin + url.pathname, 'other_origin', url.origin);
};

export const discoverResource = async (named: string | null, rules: AddressRules, fetchFn: Fetch): Promise<Result<FoundResource, Fault>> => {
  if (named !== null) {
    const refused = judgeMetadataUrl(named, rules);
    if (refused !== null) return err(refused);
  }
  const without = { metadataUrl: named, metadata: null, authorizationServerUrl: String(new URL('/', rules.serverUrl)) };
  const watched = watchRedirects(fetchFn);
  try {
    const metadata = await discoverOAuthProtectedResourceMetadata(rules.serverUrl, named === null ? {} : { resourceMetadataUrl: named }, watched.fetch);
    return ok({ metadataUrl: named, metadata, authorizationServerUrl: metadata.authorization_servers?.[0] ?? without.authorizationServerUrl });
  } catch (error) {
    // nothing there, or nothing that can be read: servers of earlier revisions are their own login server
    return authFaultOf(error) !== null || error instanceof TypeError || isTooLarge(error) ? err(requestFault(error, new URL(rules.serverUrl).host)) : ok({ ...without, ...(watched.led() === null ? {} : { led: watched.led()! }) });
  }
};

/** The other spelling of an issuer without a path: the one difference that is none (C099). */
const otherSlash = (issuer: string): string | null => {
  const url = URL.parse(issuer);
  return url === null || url.pathname !== '/' || url.search !== '' ? null : issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
};

const readLoginServer = async (issuer: string, fetchFn: Fetch): Promise<AuthorizationServerMetadata | undefined> => {
  try {
    return await discoverAuthorizationServerMetadata(issuer, { fetchFn });
  } catch (error) {
    if (!(error instanceof IssuerMismatchError) || error.received === undefined || error.received !== otherSlash(issuer)) throw error;
    return discoverAuthorizationServerMetadata(error.received, { fetchFn });
  }
};

/** Keeps where metadata led on to another origin, which is not followed. */
const watchRedirects = (fetchFn: Fetch): { readonly fetch: Fetch; readonly led: () => string | null } => {
  let led: string | null = null;
  return {
    fetch: async (input, init) => {
      const response = await fetchFn(input, init);
      const to = response.status >= 300 && response.status < 400 ? URL.parse(response.headers.get('location') ?? '', String(input)) : null;
      if (to !== null && to.origin !== new URL(input).origin) led ??= `${to.origin}${to.pathname}`.slice(0, 300).toWellFormed();
      return response;
    },
    led: () => led,
  };
};

const noMetadata = (host: string, led: string | null): Fault =>
  led === null
    ? fault('auth_required', `The server wants a sign-in or a key, and ${host} says nothing of how to sign in.`, { remedy: 'Add the key or the header that it asks for in the configuration.', details: { status: 401 } })
    : fault('auth_required', `The server wants a sign-in or a key. Asked how to sign in, ${host} leads on to ${led}; that was not followed.`, { remedy: 'Ask who runs it to say so at its own address, or add the key or the header that it asks for in the configuration.', details: { status: 401, redirect: led } });

/** Errors: `sign_in_unsafe` (address, issuer, pkce), `auth_required` where no sign-in is offered, those of the network. */
export const discoverLoginServer = async (resource: FoundResource, rules: AddressRules, fetchFn: Fetch): Promise<Result<LoginServer, Fault>> => {
  const { authorizationServerUrl } = resource;
  const judged = judgeAddress(authorizationServerUrl, 'The login server', rules);
  if (!judged.ok) return judged;
  let server: AuthorizationServerMetadata | undefined;
  const watched = watchRedirects(fetchFn);
  try {
    server = await readLoginServer(authorizationServerUrl, watched.fetch);
  } catch (error) {
    if (error instanceof IssuerMismatchError) return err(wrongIssuer(error, 'metadata'));
    if (authFaultOf(error) !== null || error instanceof TypeError || isTooLarge(error)) return err(requestFault(error, judged.value.url.host));
    return err(fault('sign_in_failed', `What ${judged.value.url.host} says of itself as a login server cannot be used.`, { remedy: 'Ask who runs the server.', details: { why: 'metadata', cause: plainWords(error).slice(0, 300).toWellFormed() } }));
  }
  if (server === undefined) return err(noMetadata(judged.value.url.host, watched.led() ?? resource.led ?? null));
  if (server.code_challenge_methods_supported?.includes('S256') !== true) {
    return err(fault('sign_in_unsafe', `The login server ${server.issuer} does not say that it protects the sign-in (PKCE with S256); Gantry does not sign in there.`, { remedy: 'Ask who runs it to switch that on.', details: { why: 'pkce', issuer: server.issuer } }));
  }
  for (const [what, address] of [['The page to sign in', server.authorization_endpoint], ['The address for tokens', server.token_endpoint]] as const) {
    const fine = judgeAddress(address, what, rules);
    if (!fine.ok) return fine;
  }
  return ok({ ...resource, server });
};

/** RFC 8414, 3.3, and RFC 9207, 2.4: both values are told, nothing else of the answer. */
export const wrongIssuer = ({ expected, received }: IssuerMismatchError, where: 'metadata' | 'answer'): Fault => {
  const short = (text: string | undefined): string => (text ?? '').slice(0, 300).toWellFormed();
  const [wanted, got] = [short(expected), short(received)];
  const message = where === 'metadata' ? `The login server was named ${wanted}, and says that it is ${got}.` : got === '' ? `The answer does not say that it comes from ${wanted}, as this login server always does.` : `The answer says that it comes from ${got}, not from ${wanted}.`;
  return fault('sign_in_unsafe', `${message} Nothing was sent to it.`, { remedy: 'Do not sign in there; ask who runs the server.', details: { why: 'issuer', expected: wanted, received: got } });
};
