import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { updateServer } from '../store/servers.ts';
import type { ServerLogLevel } from '../../shared/log-level.ts';
import { createMasker } from '../secrets/mask.ts';
import { createHarness, ECHO, REPO, textOf, until, type Harness } from './pool-harness.fixture.ts';

const open: Harness[] = [];
const harness = (options: Parameters<typeof createHarness>[0] = {}): Harness => {
  const h = createHarness(options);
  open.push(h);
  return h;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((h) => h.close()));
});

const WITH_LOG = { on: 'initialize', do: [{ reply: { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo: { name: 'fake', version: '1' } } }] };
const says = (level: unknown, data: unknown, logger?: string) => ({ notify: { method: 'notifications/message', params: { level, data, ...(logger === undefined ? {} : { logger }) } } });
const levelOf = (h: Harness, logLevel: ServerLogLevel): void => void h.store.write((db) => updateServer(db, 'srv', { logLevel }));
const lines = (h: Harness): string[] => h.pool.logs('srv').lines.filter(({ source }) => source === 'log').map(({ text }) => text);
const asked = (h: Harness): unknown[] => h.records('srv').filter((r) => r.msg?.method === 'logging/setLevel').map((r) => r.msg!.params!['level']);

test('TK20 TK22 in the older era the level is told once a session and at each change, and nothing is restarted for it; without one nothing is told', async () => {
  const h = harness();
  h.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [WITH_LOG, { on: 'logging/setLevel', do: [{ reply: {} }] }] });
  await h.pool.connect('srv');
  expect(textOf(await h.call('srv', 'echo', { text: 'a' }))).toBe('a');
  expect(asked(h)).toEqual([]);
  const { fingerprint } = h.pool.launches.of('srv')!;
  levelOf(h, 'warning');
  await h.pool.configChanged('srv');
  expect(asked(h)).toEqual(['warning']);
  levelOf(h, 'error');
  await h.pool.configChanged('srv');
  await h.pool.configChanged('srv');
  expect(asked(h)).toEqual(['warning', 'error']);
  expect(h.pool.launches.of('srv')!.fingerprint).toBe(fingerprint);
  expect(h.starts('srv')).toHaveLength(1);
  await h.pool.disable('srv');
  await h.pool.enable('srv');
  await until(() => asked(h).length === 3);
  expect(asked(h)).toEqual(['warning', 'error', 'error']);
});

test('TK20 a server that has no log is not told, and one that refuses the level goes on', async () => {
  const h = harness();
  h.addFake('srv', { transport: 'stdio', tools: [ECHO] });
  levelOf(h, 'warning');
  await h.pool.connect('srv');
  expect(textOf(await h.call('srv', 'echo', { text: 'a' }))).toBe('a');
  expect(asked(h)).toEqual([]);
  const r = harness();
  r.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [WITH_LOG, { on: 'logging/setLevel', do: [{ error: { code: -32602, message: 'no such level' } }] }] });
  levelOf(r, 'warning');
  await r.pool.connect('srv');
  await until(() => r.pool.logs('srv').lines.some(({ source, text }) => source === 'host' && text.includes('level of its log')));
  expect(textOf(await r.call('srv', 'echo', { text: 'a' }))).toBe('a');
});

test('TK20 in the newer era each call says the level, and without one says none', async () => {
  const h = harness();
  const record = join(h.dataDir, 'modern.record');
  h.add('srv', { kind: 'command', command: process.execPath, args: [join(REPO, 'e2e/fixtures/task-server.mjs'), 'modern', 'stdio', record] });
  await h.pool.connect('srv');
  await h.call('srv', 'plain', {});
  levelOf(h, 'notice');
  await h.pool.configChanged('srv');
  await h.call('srv', 'plain', {});
  levelOf(h, 'default');
  await h.pool.configChanged('srv');
  await h.call('srv', 'plain', {});
  const said = readFileSync(record, 'utf8').trim().split('\n').map((line) => (JSON.parse(line) as { message: { method?: string; params: { _meta?: Record<string, unknown> } } }).message);
  expect(said.filter(({ method }) => method === 'tools/call').map(({ params }) => params._meta?.['io.modelcontextprotocol/logLevel'])).toEqual([undefined, 'notice', undefined]);
  expect(said.map(({ method }) => method)).not.toContain('logging/setLevel');
});

test('TK21 lines below the level are not kept; those kept are masked and bounded, with their level and logger', async () => {
  const h = harness({ mask: createMasker(() => [{ ref: 'r', value: 'tell-nobody-1234' }]) });
  const flood = [says('debug', 'chatter'), says('warning', 'key tell-nobody-1234', 'db'), says('error', { code: 7 }), says('verbose'.repeat(20), 'odd'), says('emergency', 'x'.repeat(20_000), 'y'.repeat(500))];
  h.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [WITH_LOG, { on: 'logging/setLevel', do: [{ reply: {} }] }, { on: 'tools/call', do: [...flood, { reply: { content: [{ type: 'text', text: 'ok' }] } }] }] });
  await h.pool.connect('srv');
  await h.call('srv', 'echo', {});
  expect(lines(h)).toHaveLength(5);
  levelOf(h, 'warning');
  await h.pool.configChanged('srv');
  await h.call('srv', 'echo', {});
  const kept = lines(h).slice(5);
  expect(kept.map((text) => text.slice(0, 60))).toEqual(['warning (db): key [secret]', 'error: {"code":7}', expect.stringMatching(/^verbose/), expect.stringMatching(/^emergency \(y+/)]);
  expect(Math.max(...kept.map((text) => text.length))).toBeLessThan(8_400);
  expect(kept[2]!.split(':')[0]!.length).toBeLessThanOrEqual(40);
});

test('TK30 progress that does not grow, has no number or another token renews no deadline and is not told', async () => {
  const h = harness();
  const reports = (progress: unknown) => ({ progress: { progress, message: 'm' } });
  const foreign = { notify: { method: 'notifications/progress', params: { progressToken: 'gantry-0', progress: 99 } } };
  h.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/call', do: [reports(1), reports(1), reports(0.5), reports('9'), foreign, { delayMs: 150 }, reports(1.5), { delayMs: 150 }, reports(1.5), { reply: { content: [{ type: 'text', text: 'ok' }] } }] }] });
  await h.pool.connect('srv');
  const told: number[] = [];
  expect(textOf(await h.call('srv', 'echo', {}, { onProgress: ({ progress }) => told.push(progress) }))).toBe('ok');
  expect(told).toEqual([1, 1.5]);
});

test('TK31 a call that takes too long, or is stopped, is cancelled with a reason that says nothing of the host; an introduction never is', async () => {
  const h = harness();
  h.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/call', do: [] }] });
  await h.pool.connect('srv');
  expect(await h.call('srv', 'echo', {}, { timeoutMs: 50 })).toMatchObject({ fault: { code: 'timeout' } });
  const stop = new AbortController();
  const stopped = h.call('srv', 'echo', {}, { signal: stop.signal });
  await until(() => h.records('srv').filter((r) => r.msg?.method === 'tools/call').length === 2);
  stop.abort();
  await stopped;
  await until(() => h.records('srv').filter((r) => r.msg?.method === 'notifications/cancelled').length === 2);
  const calls = h.records('srv').filter((r) => r.msg?.method === 'tools/call').map((r) => r.msg!.id);
  expect(h.records('srv').filter((r) => r.msg?.method === 'notifications/cancelled').map((r) => r.msg!.params)).toEqual([{ requestId: calls[0], reason: 'No answer in time.' }, { requestId: calls[1], reason: 'The caller stopped it.' }]);
  const deaf = harness({ open: { probeTimeoutMs: 50, startLimitMs: 300 } });
  deaf.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [{ on: 'initialize', do: [] }] });
  expect((await deaf.pool.connect('srv')).code).toBe('start_timeout');
  const introductions = deaf.records('srv').filter((r) => r.msg?.method === 'initialize').map((r) => r.msg!.id);
  expect(introductions.length).toBeGreaterThan(0);
  expect(deaf.records('srv').filter((r) => r.msg?.method === 'notifications/cancelled').map((r) => r.msg!.params?.['requestId'])).not.toEqual(expect.arrayContaining(introductions));
});
