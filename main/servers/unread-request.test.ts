import { afterEach, expect, test } from 'vitest';
import { createHarness, ECHO, textOf, until, type Harness } from './pool-harness.fixture.ts';
import { unreadRequest } from './unread-request.ts';

const harnesses: Harness[] = [];
afterEach(async () => {
  for (const h of harnesses.splice(0)) await h.close();
});

const DEEP = `${'['.repeat(600)}${']'.repeat(600)}`;

test('F13 a request is told from an answer without being parsed, and its id is its own', () => {
  const of = (text: string): unknown => unreadRequest(Buffer.from(text));
  expect(of(`{"jsonrpc":"2.0","id":7,"method":"ping","params":${DEEP}}`)).toBe(7);
  expect(of(`{"params":{"id":9,"x":${DEEP}},"method" : "ping","id": "a-1"}`)).toBe('a-1');
  expect(of(`{"method":"notifications/x","params":{"id":9}`)).toBeNull();
  // a method further in, or one that is no text, makes no request
  expect(of(`{"jsonrpc":"2.0","id":7,"result":{"method":"ping","x":${DEEP}}}`)).toBeUndefined();
  expect(of(`{"jsonrpc":"2.0","id":7,"method":{},"result":${DEEP}}`)).toBeUndefined();
  expect(of(`{"jsonrpc":"2.0","id":7,"result":{"text":"\\"method\\":\\"ping\\""}}`)).toBeUndefined();
  expect(of('')).toBeUndefined();
});

test.each(['stdio', 'http'] as const)('F13 F10 a request of the server over %s that is nested too deeply or broken is answered with an error, and ends no call of ours under the same id', async (transport) => {
  const h = createHarness();
  harnesses.push(h);
  const deep = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"elicitation/create","params":{"message":"Hi","requestedSchema":${DEEP}}}`;
  const broken = '{"jsonrpc":"2.0","id":"broken-1","method":"ping","params":{]}';
  const lines = [deep('"deep-1"'), deep('{{id}}'), broken];
  const frame = (line: string): string => (transport === 'stdio' ? `${line}\n` : `event: message\ndata: ${line}\n\n`);
  const scenario = { transport, tools: [ECHO], script: [{ on: 'tools/call', do: [{ notify: { method: 'notifications/message', params: { level: 'info', data: 'begins' } } }, ...lines.map((line) => ({ raw: frame(line) })), { reply: { content: [{ type: 'text', text: 'done' }] } }] }] } as never;
  if (transport === 'stdio') h.addFake('srv', scenario);
  else h.add('srv', { kind: 'http', url: `${await h.serveFake('srv', scenario)}/mcp` });
  await h.pool.connect('srv');
  expect(textOf(await h.call('srv', 'echo', { text: 'x' }))).toBe('done');
  const refused = (id: unknown) => h.records('srv').some(({ msg }) => msg?.id === id && msg?.error?.code === -32600);
  await until(() => refused('deep-1') && refused('broken-1'), 90_000, 'an error for each request');
});
