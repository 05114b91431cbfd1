import { randomBytes } from 'node:crypto';
import type { OAuthClientMetadata, OAuthClientProvider, OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { LoginServer } from './discover.ts';

export interface ProviderInput {
  readonly redirectUrl: string;
  readonly loginServer: LoginServer;
  /** known at this issuer and token endpoint already, else none */
  readonly client: StoredOAuthClientInformation | null;
  /** the https address of Gantry's client metadata document, where one is published (SEP-991) */
  readonly clientDocument: string | null;
}

/** How a public client authenticates where the login server lets it; else the first way that it offers (RFC 7591, 2). */
const authMethod = (offered: readonly string[] | undefined): string => (offered === undefined || offered.includes('none') ? 'none' : (offered.find((one) => one === 'client_secret_basic' || one === 'client_secret_post') ?? 'none'));

/**
 * The SDK's provider for one sign-in of one server. Holds all of it in memory: what is kept is decided when it has ended well. The login server is the one that was
 * discovered and shown to the person; the SDK cannot come to another in between.
 */
export class SignInProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  readonly expectedState = randomBytes(32).toString('base64url');
  readonly #loginServer: LoginServer;
  client: StoredOAuthClientInformation | null;
  address: URL | null = null;
  savedTokens: StoredOAuthTokens | null = null;
  resource: string | null = null;
  #verifier = '';

  constructor({ redirectUrl, loginServer, client, clientDocument }: ProviderInput) {
    this.redirectUrl = redirectUrl;
    this.#loginServer = loginServer;
    this.client = client;
    if (clientDocument !== null) this.clientMetadataUrl = clientDocument;
    this.clientMetadata = {
      client_name: 'Gantry',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: authMethod(loginServer.server.token_endpoint_auth_methods_supported),
    };
  }

  state(): string {
    return this.expectedState;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.client ?? undefined;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.client = client;
  }

  /** None: a sign-in replaces what was there, and renewing has a way of its own (renew-tokens). */
  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.savedTokens = tokens;
  }

  redirectToAuthorization(address: URL): void {
    this.address = address;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveResourceUrl(resource: string): void {
    this.resource = resource;
  }

  saveDiscoveryState(): void {}

  discoveryState(): OAuthDiscoveryState {
    const { authorizationServerUrl, metadata, metadataUrl, server } = this.#loginServer;
    return { authorizationServerUrl, authorizationServerMetadata: server, ...(metadata === null ? {} : { resourceMetadata: metadata }), ...(metadataUrl === null ? {} : { resourceMetadataUrl: metadataUrl }) };
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'client' || scope === 'all') this.client = null;
    if (scope === 'tokens' || scope === 'all') this.savedTokens = null;
  }
}
