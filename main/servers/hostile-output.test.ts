import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { closeEndpoints, openEndpoint } from './era-endpoint.fixture.ts';
import { census, createHarness, ECHO, textOf, until, type Harness } from './pool-harness.fixture.ts';

const open: Harness[] = [];
afterEach(async () => {
  const marks = open.map((h) => h.mark);
  await Promise.all(open.splice(0).map((h) => h.close()));
  await closeEndpoints();
  expect(marks.flatMap(census)).toEqual([]);
});

/** A server as a few lines of JavaScript: `onCall(message, say)` runs for tools/call. */
const serve = (onCall: string): Harness => {
  const h = createHarness();
  open.push(h);
  const file = join(h.dataDir, 'hostile.mjs');
  writeFileSync(file, `
const say = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n');
const onCall = ${onCall};
let held = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (held + text).split('\\n');
  held = lines.pop();
  for (const line of lines) {
    const m = JSON.parse(line);
    if (m.method === 'initialize') say({ id: m.id, result: { protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'hostile', version: '1' } } });
    else if (m.method === 'tools/list') say({ id: m.id, result: { tools: [${JSON.stringify(ECHO)}] } });
    else if (m.method === 'tools/call') onCall(m, say);
    else if (m.id !== undefined) say({ id: m.id, error: { code: -32601, message: 'no' } });
  }
}).on('end', () => process.exit(0));
`);
  h.add('srv', { kind: 'command', command: process.execPath, args: [file] });
  return h;
};

test('F15 an unknown notification is ignored', async () => {
  const h = serve(`(m, say) => { for (const method of ['notifications/unheard_of', 'x', 'notifications/']) say({ method, params: { a: 1 } }); say({ id: m.id, result: { content: [{ type: 'text', text: 'ok' }] } }); }`);
  await h.pool.connect('srv');
  expect(textOf(await h.call('srv', 'echo', {}))).toBe('ok');
  expect(h.pool.status('srv').state).toBe('ready');
  expect(h.pool.diagnostics('srv').anomalies).toEqual([]);
});

test('F15 an unknown resultType is an invalid result, never a success', async () => {
  const { harness } = await openEndpoint('modern', (method) => (method === 'tools/list' ? { result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [ECHO] } } : method === 'tools/call' ? { result: { resultType: 'surprise', content: [{ type: 'text', text: 'done' }] } } : { error: { code: -32601, message: 'no' } }));
  expect(await harness.pool.connect('srv')).toEqual({ state: 'ready' });
  expect(await harness.call('srv', 'echo', { text: 'x' })).toMatchObject({ kind: 'failed', mayHaveRun: true, fault: { code: 'invalid_result' } });
});

test('F24 a flood of log notifications and of stderr during a call: the call ends, what is kept is bounded and counted', async () => {
  const h = serve(`(m, say) => {
    for (let n = 0; n < 20000; n++) say({ method: 'notifications/message', params: { level: 'info', data: 'log line ' + n } });
    for (let n = 0; n < 200; n++) process.stderr.write(('e' + n + ' ' + 'x'.repeat(200) + '\\n').repeat(500));
    say({ id: m.id, result: { content: [{ type: 'text', text: 'ok' }] } });
  }`);
  await h.pool.connect('srv');
  expect(textOf(await h.call('srv', 'echo', {}, { timeoutMs: 50_000 }))).toBe('ok');
  await until(() => h.pool.logs('srv').droppedLines > 1000, 90_000, 'the flood was read');
  const { lines } = h.pool.logs('srv');
  expect(lines.length).toBeLessThanOrEqual(2200);
  expect(lines.reduce((sum, line) => sum + line.text.length, 0)).toBeLessThanOrEqual(608 * 1024);
  expect(textOf(await h.call('srv', 'echo', {}, { timeoutMs: 50_000 }))).toBe('ok');
});

test('F25 a server that does not read its input: what waits for it is bounded, calls end by their deadline, the next is refused unsent', async () => {
  const h = serve('() => process.stdin.pause()');
  await h.pool.connect('srv');
  const text = 'a'.repeat(4 * 1024 * 1024);
  const before = process.memoryUsage().rss;
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => h.call('srv', 'echo', { text }, { timeoutMs: 2000 })));
  expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
  const refused = outcomes.filter((outcome) => outcome.kind === 'failed' && !outcome.sent);
  expect(refused.length).toBeGreaterThanOrEqual(8);
  expect(refused[0]).toMatchObject({ mayHaveRun: false, fault: { message: expect.stringContaining('does not read its input') } });
  for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'failed' });
});
