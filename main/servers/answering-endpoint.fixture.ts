import type { IncomingMessage, ServerResponse } from 'node:http';
import { ECHO } from './pool-harness.fixture.ts';

type Answered = { readonly status?: number; readonly headers?: Record<string, string>; readonly result?: unknown } | null;
/** An endpoint of the older era: `onCall` answers tools/call; null: the default result. */
export const answering = (onCall: (n: number) => Answered | Promise<Answered>, onList: () => Answered = () => null) => {
  const seen: string[] = [];
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += String(chunk)));
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const m = JSON.parse(body) as { id?: number; method: string; params?: { protocolVersion?: string } };
      seen.push(m.method);
      if (m.id === undefined) return void response.writeHead(202).end();
      const send = (result: unknown, status = 200, headers = {}): void => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(status === 200 ? JSON.stringify(result === undefined ? { jsonrpc: '2.0', id: m.id, error: { code: -32601, message: 'no' } } : { jsonrpc: '2.0', id: m.id, result }) : 'busy');
      };
      if (m.method === 'initialize') return send({ protocolVersion: m.params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
      if (m.method === 'tools/list') {
        const other = onList();
        return send(other?.result ?? { tools: [ECHO] }, other?.status, other?.headers);
      }
      if (m.method !== 'tools/call') return send(undefined);
      return void Promise.resolve(onCall(seen.filter((method) => method === 'tools/call').length)).then((other) => send(other?.result ?? { content: [{ type: 'text', text: 'ok' }] }, other?.status, other?.headers));
    });
  };
  return { handler, seen };
};
