import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHarness, type Harness } from './pool-harness.fixture.ts';

interface Params {
  readonly name?: string;
  readonly [name: string]: unknown;
}
interface Seen {
  readonly id: unknown;
  readonly method: string;
  readonly params: Params;
  /** the request as it came */
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}
interface Answer {
  readonly status?: number;
  readonly result?: object;
  readonly error?: object;
}

const open: { readonly harness: Harness; readonly server: Server }[] = [];

/** An HTTP endpoint with tools that speaks one era and answers everything but the introduction as told (null: not at all); what came is kept. A pool knows it as `srv`. */
export const openEndpoint = async (era: 'legacy' | 'modern', answer: (method: string, params: Params) => Answer | null, options: Parameters<typeof createHarness>[0] = {}): Promise<{ readonly harness: Harness; readonly seen: Seen[] }> => {
  const seen: Seen[] = [];
  const about = { capabilities: { tools: {} }, serverInfo: { name: 'srv', version: '1' } };
  const introduction = (method: string): Answer | null => {
    if (method === 'server/discover') return era === 'modern' ? { result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', supportedVersions: ['2026-07-28'], ...about } } : { error: { code: -32601, message: 'no' } };
    return method === 'initialize' ? { result: { protocolVersion: '2025-11-25', ...about } } : null;
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method, params = {} } = JSON.parse(body);
      seen.push({ id, method, params, body, headers: request.headers });
      if (id === undefined) return response.writeHead(202).end();
      const answered = introduction(method) ?? answer(method, params);
      if (answered === null) return undefined;
      const { status = 200, ...told } = answered;
      return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...told }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const harness = createHarness(options);
  open.push({ harness, server });
  harness.add('srv', { kind: 'http', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` });
  return { harness, seen };
};

export const closeEndpoints = async (): Promise<void> => {
  for (const { harness, server } of open.splice(0)) {
    await harness.close();
    server.closeAllConnections();
    server.close();
  }
};
