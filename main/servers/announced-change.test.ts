import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { census, createHarness, ECHO, sleep, until, type Harness } from './pool-harness.fixture.ts';
import { RefreshPace, type ToolsRead } from './refresh-pace.ts';

const MODERN = fileURLToPath(new URL('../../e2e/fixtures/modern-changing-server.mjs', import.meta.url));
const open: Harness[] = [];
const harness = (options: Parameters<typeof createHarness>[0] = {}): Harness => {
  const h = createHarness(options);
  open.push(h);
  return h;
};
afterEach(async () => {
  const marks = open.map((h) => h.mark);
  await Promise.all(open.splice(0).map((h) => h.close()));
  expect(marks.flatMap(census)).toEqual([]);
});
const tool = (name: string, description = name) => ({ name, description, inputSchema: { type: 'object' } });
const CHANGED = { notify: { method: 'notifications/tools/list_changed' } };
const readings = (h: Harness): number => h.records('srv').filter((r) => r.msg?.method === 'tools/list').length;
const described = (h: Harness, name: string): string | undefined => h.discovered.at(-1)?.definitions.find((d) => d.definition.name === name)?.definition.description;

/** A pace over readings that the test answers one by one, with a clock by hand. */
const paced = () => {
  const answers: ((read: ToolsRead) => void)[] = [];
  let now = 0;
  const pace = new RefreshPace(() => new Promise((done) => answers.push(done)), () => now);
  return { pace, answers, pass: (ms: number) => (now += ms) };
};

test('S63 a reading that began before the announcement does not count; whoever waits shares the one after it', async () => {
  const { pace, answers } = paced();
  const first = pace.now();
  pace.notice();
  expect(pace.isDue()).toBe(true);
  const waits = [1, 2, 3].map(() => pace.settle(60_000));
  answers[0]!({ ok: true });
  await first;
  expect(pace.isDue()).toBe(true);
  await until(() => answers.length === 2);
  answers[1]!({ ok: true });
  expect(await Promise.all(waits)).toEqual([true, true, true]);
  expect([pace.isDue(), answers.length]).toEqual([false, 2]);
  pace.stop();
});

test('S63 a change announced during the reading costs another one; one announced during each does not starve the call nor read for ever', async () => {
  const { pace, answers } = paced();
  pace.notice();
  const wait = pace.settle(60_000);
  for (let n = 0; n < 3; n += 1) {
    await until(() => answers.length === n + 1);
    pace.notice();
    answers[n]!({ ok: true });
  }
  expect(await wait).toBe(true);
  expect([answers.length, pace.isDue()]).toEqual([3, true]);
  pace.stop();
});

test('C028 a server that announces a change whenever it is read, and never changes, is heard through after two such readings; a change of its own is waited for', async () => {
  const { pace, answers } = paced();
  const read = async (asked: Promise<unknown>, found: unknown): Promise<void> => {
    const n = answers.length;
    await until(() => answers.length === n + 1);
    pace.notice();
    answers[n]!({ ok: true, found });
    await Promise.race([asked, until(() => answers.length > n + 1)]);
  };
  void pace.now();
  pace.notice();
  answers[0]!({ ok: true, found: ['a'] });
  const first = pace.settle(60_000);
  await read(first, ['a']);
  expect(pace.isDue()).toBe(true);
  await until(() => answers.length === 3);
  pace.notice();
  answers[2]!({ ok: true, found: ['a'] });
  expect(await first).toBe(true);
  expect([pace.isDue(), answers.length]).toEqual([false, 3]);
  pace.stop();
});

test('S63 every announcement gets a reading of its own, also where none is under way and the last one was long ago', async () => {
  const { pace, answers, pass } = paced();
  for (let n = 1; n <= 4; n += 1) {
    pass(20_000);
    pace.notice();
    const wait = pace.settle(60_000);
    await until(() => answers.length === n);
    answers[n - 1]!({ ok: true });
    expect(await wait).toBe(true);
    expect([answers.length, pace.isDue()]).toEqual([n, false]);
  }
  pass(20_000);
  pace.notice();
  expect(await pace.settle(30)).toBe(false);
  pace.stop();
});

test('S63 a failed or stopped reading is not fresh, and is tried again by the next call', async () => {
  const { pace, answers } = paced();
  pace.notice();
  const wait = pace.settle(60_000);
  await until(() => answers.length === 1);
  answers[0]!({ ok: false });
  expect(await wait).toBe(false);
  expect(pace.isDue()).toBe(true);
  const late = pace.settle(30);
  expect(await late).toBe(false);
  const again = pace.settle(60_000);
  pace.stop();
  expect(await again).toBe(false);
  expect(await pace.settle(60_000)).toBe(false);
});

test('S64 a time to live that is over, and an age that is asked for, are due; a short one counts as a minute; resources are no tools', async () => {
  const { pace, answers, pass } = paced();
  const read = async (ttlMs?: number): Promise<void> => {
    const reading = pace.now();
    answers.at(-1)!({ ok: true, ttlMs });
    await reading;
  };
  await read(0);
  pass(59_000);
  expect([pace.isDue(), pace.isDue(60_000), pace.isDue(58_000)]).toEqual([false, false, true]);
  pass(1_000);
  expect(pace.isDue()).toBe(true);
  await read(300_000);
  pass(299_000);
  expect([pace.isDue(), pace.isDue(60_000)]).toEqual([false, true]);
  pass(1_000);
  expect(pace.isDue()).toBe(true);
  await read();
  pass(10_000_000);
  pace.notice(false);
  expect(pace.isDue()).toBe(false);
  pace.stop();
});

test('S63 a quiet server has nothing to wait for; an announced change is read at once, whatever gap a storm has grown', async () => {
  const h = harness();
  const flip = [{ setTools: [tool('flip'), tool('note', 'another')] }, { repeat: 40, do: [CHANGED] }, { reply: 'default' }];
  h.addFake('srv', { transport: 'stdio', tools: [tool('flip'), tool('note')], script: [{ on: 'tools/call', match: { params: { name: 'storm' } }, do: [{ repeat: 30, do: [CHANGED, { delayMs: 100 }] }, { reply: 'default' }] }, { on: 'tools/call', do: flip }] });
  await h.pool.connect('srv');
  expect(h.pool.freshen('srv')).toBeNull();
  await h.call('srv', 'storm', {});
  await h.pool.freshen('srv');
  await h.call('srv', 'flip', {});
  expect(await h.pool.freshen('srv')).toBeNull();
  expect(described(h, 'note')).toBe('another');
  expect(h.pool.freshen('srv')).toBeNull();
});

test('S63 a server that announces at every reading costs a call three readings, not endless ones', async () => {
  const h = harness();
  h.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/list', do: [CHANGED, { reply: 'default' }, CHANGED] }] });
  await h.pool.connect('srv');
  const before = readings(h);
  expect(await h.pool.freshen('srv')).toBeNull();
  expect(readings(h) - before).toBeLessThanOrEqual(4);
});

test('S63 a server that never answers tools/list again is not fresh: coded, with a remedy; one that ended is told as ended', async () => {
  const h = harness();
  h.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/list', times: 1, do: [{ reply: 'default' }, { delayMs: 100 }, CHANGED] }, { on: 'tools/list', do: [{ record: 'deaf' }] }, { on: 'tools/call', do: [{ exit: 3 }] }] });
  await h.pool.connect('srv');
  await until(() => h.pool.freshen('srv') !== null);
  expect(await h.pool.freshen('srv')).toMatchObject({ code: 'source_not_fresh', remedy: expect.any(String), details: { serverId: 'srv' } });
  const waiting = h.pool.freshen('srv');
  void h.call('srv', 'echo', {});
  expect(await waiting).toBeNull();
  expect(h.pool.status('srv').state).not.toBe('ready');
});

test('S63 in the newer era a change comes on the subscription; one that ended is opened again, and counts as a change', async () => {
  const h = harness();
  h.add('srv', { kind: 'command', command: process.execPath, args: [MODERN] });
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  expect(h.pool.connectionInfo('srv')).toMatchObject({ era: 'modern' });
  await h.call('srv', 'change', { description: 'two' });
  await until(() => h.pool.freshen('srv') !== null || described(h, 'note') === 'two');
  expect(await h.pool.freshen('srv')).toBeNull();
  expect(described(h, 'note')).toBe('two');
  const before = h.discovered.length;
  await h.call('srv', 'end_subscriptions', {});
  await until(() => h.discovered.length > before, 90_000, 'a reading after the gap');
  expect(h.pool.status('srv').state).toBe('ready');
});

test('S63 an announcement on the GET stream of an HTTP server counts; a stream that was opened anew may have missed one', async () => {
  const streams: import('node:http').ServerResponse[] = [];
  let lists = 0;
  const server = createServer((req, res) => {
    if (req.method === 'GET') {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(': open\n\n');
      streams.push(res);
      return;
    }
    let body = '';
    req.on('data', (chunk: Buffer) => (body += String(chunk)));
    req.on('end', () => {
      const m = JSON.parse(body || '{}') as { id?: number; method?: string; params?: { protocolVersion?: string } };
      if (m.id === undefined) return void res.writeHead(202).end();
      const answer = (result: object): void => void res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: m.id, result }));
      if (m.method === 'initialize') return answer({ protocolVersion: m.params?.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'x', version: '1' } });
      if (m.method === 'tools/list') {
        lists += 1;
        return answer({ tools: [ECHO] });
      }
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: m.id, error: { code: -32601, message: 'no' } }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const h = harness();
    h.add('srv', { kind: 'http', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` });
    expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
    await until(() => streams.length === 1);
    expect(h.pool.freshen('srv')).toBeNull();
    streams[0]!.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n\n`);
    const waiting = await until(() => h.pool.freshen('srv'));
    expect(await waiting).toBeNull();
    expect(lists).toBeGreaterThanOrEqual(2);
    const before = lists;
    streams[0]!.destroy();
    await until(() => streams.length === 2);
    await until(() => lists > before, 90_000, 'a reading after the gap');
    await sleep(50);
    expect(h.pool.status('srv').state).toBe('ready');
  } finally {
    for (const stream of streams) stream.destroy();
    server.close();
    server.closeAllConnections();
  }
});
