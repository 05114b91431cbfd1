import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as NetServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askModel } from '../main/agent/model-adapter.ts';
import { isPassing } from '../main/agent/model-fault.ts';
import { tryModel } from '../main/agent/try-model.ts';
import { plainOutbound } from '../main/network/plain-network.fixture.ts';
import { codesEn } from '../renderer/i18n/codes.en.ts';
import { codesZh } from '../renderer/i18n/codes.zh.ts';
import { InProcess } from './support/in-process.ts';

const host = new InProcess();
const open: NetServer[] = [];
const listening = async (server: NetServer): Promise<number> => {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};
let provider: Server;
let port = 0;
let answer: (response: ServerResponse) => void = () => undefined;
let asked = 0;

beforeAll(async () => {
  await host.start();
  provider = createServer((request, response) => {
    asked += 1;
    request.resume().on('end', () => answer(response));
  });
  port = await listening(provider);
});
afterAll(async () => {
  provider.closeAllConnections();
  for (const server of open) server.close();
  await host.end();
});

const codes: Readonly<Record<'en' | 'zh', Readonly<Record<string, { readonly remedy: string; readonly because?: Readonly<Record<string, string>> }>>>> = { en: codesEn, zh: codesZh };
/** Each language has words of its own for this cause. */
const hasWords = (code: string, why: string | undefined): void => {
  for (const words of Object.values(codes)) expect([code, why, (why === undefined ? words[code]?.remedy : words[code]?.because?.[why]) ?? '']).toEqual([code, why, expect.stringMatching(/.{5}/)]);
};

test('AC23 a model that is not reached within a run is told by the cause that its test tells, whatever is in the way', async () => {
  const closed = createServer();
  const closedPort = await listening(closed);
  await new Promise((resolve) => closed.close(resolve));
  const strange = await listening(createTcpServer((socket) => socket.on('error', () => {}).end('220 mail.example ESMTP\r\n')));
  const hangingUp = await listening(createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.destroy())));
  const moved = await listening(createServer((_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/v2/chat/completions?key=secret' }).end()));
  const ways = { refused: `http://127.0.0.1:${closedPort}/v1`, not_tls: `https://127.0.0.1:${port}/v1`, not_http: `http://127.0.0.1:${strange}/v1`, broke_off: `http://127.0.0.1:${hangingUp}/v1`, redirect: `http://127.0.0.1:${moved}/v1` };
  for (const [why, baseUrl] of Object.entries(ways)) {
    for (const providerName of ['ollama', 'openai-responses', 'anthropic']) {
      const model = { provider: providerName, baseUrl, model: 'm', key: null };
      const told = await askModel(model, { prompt: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }], tools: [], signal: new AbortController().signal, mask: String, outbound: plainOutbound() });
      expect([why, told]).toMatchObject([why, { ok: false, error: { code: 'model_unreachable', details: { why } } }]);
      // what may pass is asked again, what answers in another way is not
      expect([why, !told.ok && isPassing(told.error)]).toEqual([why, ['refused', 'broke_off'].includes(why)]);
      expect(JSON.stringify(told)).not.toContain('key=secret');
      const { steps } = await tryModel({ ...model, id: 'm', routeId: 'openai-chat', prices: null, limits: {} } as never, { outbound: plainOutbound(), mask: String, monotonic: () => 0 });
      expect([why, steps[0]]).toMatchObject([why, { state: 'failed', fault: { code: 'model_unreachable', details: { why } } }]);
    }
    hasWords('model_unreachable', why);
  }
});

const refuses = (status: number, message: string, headers: Record<string, string> = {}) => (response: ServerResponse): void => void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error: { message } }));
test.each<[string, string | undefined, (response: ServerResponse) => void]>([
  ['model_key_refused', undefined, refuses(401, 'Incorrect API key')],
  ['model_key_refused', 'no_right', refuses(403, 'not for this project')],
  ['model_unknown', 'no_such_model', refuses(404, 'The model `m` does not exist')],
  ['model_unknown', 'no_such_path', refuses(404, 'Not Found')],
  ['model_quota', undefined, refuses(402, 'Payment required')],
  ['model_busy', 'rate_limit', refuses(429, 'Rate limit reached', { 'retry-after': '3600' })],
  ['model_busy', 'overloaded', refuses(503, 'overloaded', { 'retry-after': '3600' })],
  ['model_failed', 'request_refused', refuses(422, 'no such parameter')],
  ['model_unreachable', 'redirect', (response) => void response.writeHead(307, { location: '/elsewhere' }).end()],
  ['model_protocol', undefined, (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>portal</html>')],
])('AC23 AC06 a run that its provider answers so ends as %s (%s), on record with what is in the way, and is not asked again', async (code, why, how) => {
  answer = how;
  await host.ask('models:set', { provider: 'openai', baseUrl: `http://127.0.0.1:${port}/v1`, model: 'm' });
  asked = 0;
  const before = Date.now();
  const { runId, conversationId } = await host.ask('agent:run', { prompt: 'hello', wait: true });
  expect(asked).toBe(1);
  const { run, events } = await host.ask('runs:get', { runId });
  expect(run).toMatchObject({ state: 'failed', code });
  const [one] = (await host.ask('conversations:get', { conversationId })).runs;
  const details = one?.answer?.why?.details ?? {};
  expect(details['why']).toBe(why);
  if (code === 'model_busy') expect(Number(details['retryAt']) - before).toBeGreaterThanOrEqual(3_600_000);
  expect(events.find(({ type }) => type === 'run.answer')!.data['why']).toMatchObject({ message: expect.any(String) as string });
  expect(await host.ask('runs:verify', { runId })).toMatchObject({ ok: true });
  hasWords(code, why);
  // a later question hears that there was no answer, and nothing of the address
  let later = '';
  const next = createServer((request, response) => void request.on('data', (part) => (later += String(part))).on('end', () => refuses(401, 'no')(response)));
  await host.ask('models:set', { provider: 'openai', baseUrl: `http://127.0.0.1:${await listening(next)}/v1`, model: 'm' });
  await host.ask('agent:run', { prompt: 'and?', conversationId, wait: true });
  expect(later).toContain(`no answer was given: ${code}`);
  expect(later).not.toContain(String(port));
});
