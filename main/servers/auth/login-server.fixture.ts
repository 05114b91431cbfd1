import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly query: URLSearchParams;
  readonly body: string;
}

type Answer = (request: Asked, response: ServerResponse) => boolean | void;

/**
 * An MCP server of one tool that wants a token, with its login server at the same or another origin, on this computer: metadata, registration, a page that allows at
 * once, PKCE, rotating refresh tokens, revocation. Each part may be changed by a test; `before` answers in its place.
 */
export class LoginServer {
  readonly #server: Server;
  readonly asked: Asked[] = [];
  readonly #codes = new Map<string, { readonly challenge: string; readonly redirect: string; readonly scope: string }>();
  readonly #access = new Map<string, { readonly until: number; readonly scope: string }>();
  #refresh: { token: string; scope: string } | null = null;
  readonly revoked: string[] = [];
  /** of the next tokens */
  lifeSeconds = 3600;
  tokens: 'ok' | 'unreachable' | 'busy' | 'invalid_grant' = 'ok';
  /** scopes that tools/call wants */
  wants: readonly string[] = [];
  /** shows a page with a link to allow, instead of allowing at once */
  asksPerson = false;
  /** changes what is sent back to the program */
  answer: (to: URL) => void = () => {};
  metadata: (own: Record<string, unknown>) => unknown = (own) => own;
  resource: (own: Record<string, unknown>) => unknown = (own) => own;
  challenge = (base: string): string => `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;
  before: Answer = () => false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<LoginServer> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => {
        const url = new URL(request.url ?? '/', one.base);
        const asked = { path: url.pathname, method: request.method ?? 'GET', headers: request.headers, query: url.searchParams, body };
        one.asked.push(asked);
        if (one.before(asked, response) !== true) one.#answer(asked, response);
      });
    });
    const one = new LoginServer(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return one;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.base}/mcp`;
  }

  /** What was asked of one path. */
  at(path: string): Asked[] {
    return this.asked.filter((one) => one.path === path);
  }

  /** Every token is over from now on, whatever was said of its life. */
  forgetTokens(): void {
    this.#access.clear();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  #answer(asked: Asked, response: ServerResponse): void {
    const json = (value: unknown, status = 200, headers: Record<string, string> = {}): void => void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    const { base } = this;
    switch (asked.path) {
      case '/.well-known/oauth-protected-resource/mcp':
        return json(this.resource({ resource: this.url, authorization_servers: [base] }));
      case '/.well-known/oauth-authorization-server':
        return json(
          this.metadata({
            issuer: base,
            authorization_endpoint: `${base}/authorize`,
            token_endpoint: `${base}/token`,
            registration_endpoint: `${base}/register`,
            revocation_endpoint: `${base}/revoke`,
            response_types_supported: ['code'],
            grant_types_supported: ['authorization_code', 'refresh_token'],
            code_challenge_methods_supported: ['S256'],
            token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
          }),
        );
      case '/register':
        return json({ ...(JSON.parse(asked.body) as object), client_id: randomUUID() }, 201);
      case '/authorize':
        return this.#authorize(asked, response);
      case '/token':
        if (this.tokens === 'unreachable') return void response.destroy();
        if (this.tokens === 'busy') return json({ error: 'temporarily_unavailable' }, 503);
        return this.#token(new URLSearchParams(asked.body), json);
      case '/revoke':
        this.revoked.push(new URLSearchParams(asked.body).get('token') ?? '');
        return void response.writeHead(200).end();
      case '/mcp':
        return this.#mcp(asked, response, json);
      default:
        return void response.writeHead(404).end();
    }
  }

  #authorize({ query }: Asked, response: ServerResponse): void {
    if (this.asksPerson && !query.has('allowed')) {
      const allow = new URL('/authorize', this.base);
      for (const [name, value] of query) allow.searchParams.append(name, value);
      allow.searchParams.set('allowed', '1');
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Log in</title><h1>Gantry wants access</h1><a href="${allow.href.replaceAll('&', '&amp;')}">Allow</a>`);
    }
    const code = randomUUID();
    const to = new URL(query.get('redirect_uri') ?? '');
    this.#codes.set(code, { challenge: query.get('code_challenge') ?? '', redirect: to.href, scope: query.get('scope') ?? '' });
    to.searchParams.set('code', code);
    if (query.has('state')) to.searchParams.set('state', query.get('state')!);
    this.answer(to);
    response.writeHead(302, { location: to.href }).end();
  }

  #token(form: URLSearchParams, json: (value: unknown, status?: number) => void): void {
    let scope: string;
    if (form.get('grant_type') === 'refresh_token') {
      if (this.tokens === 'invalid_grant' || form.get('refresh_token') !== this.#refresh?.token) return json({ error: 'invalid_grant' }, 400);
      scope = this.#refresh.scope;
    } else {
      const code = this.#codes.get(form.get('code') ?? '');
      this.#codes.delete(form.get('code') ?? '');
      const proved = createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url');
      if (code === undefined || proved !== code.challenge || form.get('redirect_uri') !== code.redirect) return json({ error: 'invalid_grant' }, 400);
      scope = code.scope;
    }
    const access = `access-${randomUUID()}`;
    this.#access.set(access, { until: Date.now() + this.lifeSeconds * 1000, scope });
    this.#refresh = { token: `refresh-${randomUUID()}`, scope };
    json({ access_token: access, token_type: 'Bearer', expires_in: this.lifeSeconds, refresh_token: this.#refresh.token, ...(scope === '' ? {} : { scope }) });
  }

  #mcp(asked: Asked, response: ServerResponse, json: (value: unknown, status?: number, headers?: Record<string, string>) => void): void {
    const known = this.#access.get((asked.headers.authorization ?? '').replace(/^Bearer /, ''));
    if (known === undefined || known.until < Date.now()) return json({ error: 'unauthorized' }, 401, { 'www-authenticate': this.challenge(this.base) });
    if (asked.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(asked.body) as { id?: number; method: string; params?: { protocolVersion?: string; arguments?: { text?: string } } };
    if (id === undefined) return void response.writeHead(202).end();
    const missing = method === 'tools/call' && this.wants.some((scope) => !known.scope.split(' ').includes(scope));
    if (missing) return json({ error: 'insufficient_scope' }, 403, { 'www-authenticate': `${this.challenge(this.base)}, error="insufficient_scope", scope="${this.wants.join(' ')}"` });
    const results: Record<string, unknown> = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'locked', version: '1.0.0' } },
      'tools/list': { tools: [{ name: 'echo', description: 'Says it back.', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }] },
      'tools/call': { content: [{ type: 'text', text: params?.arguments?.text ?? 'ok' }] },
    };
    json({ jsonrpc: '2.0', id, ...(method in results ? { result: results[method] } : { error: { code: -32601, message: 'Method not found' } }) });
  }
}
