import { afterEach, expect, test } from 'vitest';
import { closeEndpoints, openEndpoint } from './era-endpoint.fixture.ts';
import { createHarness, ECHO, textOf, type Harness } from './pool-harness.fixture.ts';

const open: Harness[] = [];
afterEach(async () => {
  await closeEndpoints();
  await Promise.all(open.splice(0).map((harness) => harness.close()));
});

const TOOLS = [ECHO, { name: 'no schema' }, { name: 'a title that is no text', title: 5, inputSchema: {} }, { name: 7, inputSchema: {} }, 'no object', { name: 'a pattern as a schema', inputSchema: { type: 'object', properties: { a: { type: 'text', pattern: 5 } } } }];
const KEPT = ['echo', 'no schema', 'a title that is no text', 'a pattern as a schema'];
/** no time to live, no scope of a cache, no type of result: all three are wanted of a server of the newer era */
const ANSWERS: Record<string, object> = {
  'tools/list': { tools: TOOLS },
  echo: { content: [{ type: 'text', text: 'plain' }] },
  large: { content: [{ type: 'text', text: 'x'.repeat(400 * 1024) }] },
  odd: { content: [{ type: 'text', text: 'kept' }, { type: 'hologram', data: 5 }, { type: 'image' }], business: { rows: [1, null] }, structuredContent: [1, 'two'] },
  asks: { resultType: 'input_required', inputRequests: { q: { method: 'elicitation/create', params: {} } } },
  unknown: { resultType: 'pending', content: [] },
  mistyped: { resultType: 5, content: [] },
};

const overHttp = async (): Promise<Harness> => (await openEndpoint('modern', (method, { name }) => ({ result: ANSWERS[name ?? method]! }))).harness;

const overStdio = async (): Promise<Harness> => {
  const harness = createHarness();
  open.push(harness);
  const discovered = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo: { name: 'srv', version: '1' } };
  const calls = Object.keys(ANSWERS).filter((name) => name !== 'tools/list');
  harness.addFake('srv', { transport: 'stdio', script: [{ on: 'server/discover', do: [{ reply: discovered }] }, { on: 'tools/list', do: [{ reply: ANSWERS['tools/list'] }] }, ...calls.map((name) => ({ on: 'tools/call', times: 1, do: [{ reply: ANSWERS[name] }] }))] });
  return harness;
};

test.each([['Streamable HTTP', overHttp], ['stdio', overStdio]])('S91: over %s in the newer era one odd entry loses itself alone, and a result reaches the stages that judge it as it came', async (_what, begin) => {
  const harness = await begin();
  expect(await harness.pool.connect('srv')).toEqual({ state: 'ready' });
  expect(harness.pool.connectionInfo('srv')).toMatchObject({ era: 'modern' });
  const { fact, definitions } = harness.discovered.at(-1)!;
  expect(fact.tools).toMatchObject({ outcome: 'read', count: 4, malformed: [{ index: 3 }, { index: 4 }] });
  expect(definitions.map(({ definition }) => definition.name)).toEqual(KEPT);
  expect(definitions[3]!.definition.inputSchema).toEqual((TOOLS[5] as { inputSchema: object }).inputSchema);
  expect(textOf(await harness.call('srv', 'echo', {}))).toBe('plain');
  expect(textOf(await harness.call('srv', 'large', {}))).toHaveLength(400 * 1024);
  expect(await harness.call('srv', 'odd', {})).toMatchObject({ kind: 'result', raw: ANSWERS['odd'] });
  expect(await harness.call('srv', 'asks', {})).toMatchObject({ kind: 'failed', fault: { code: 'protocol_error', message: expect.stringContaining('did not offer') } });
  for (const name of ['unknown', 'mistyped']) expect(await harness.call('srv', name, {})).toMatchObject({ kind: 'failed', sent: true, fault: { code: 'invalid_result' } });
});
