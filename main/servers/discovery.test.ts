import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { readDiscovery } from '../store/discoveries.ts';
import { listServerFacts } from '../store/server-facts.ts';
import { census, createHarness, ECHO, hasCases, sleep, textOf, until, type Harness } from './pool-harness.fixture.ts';

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
const names = (h: Harness, serverId = 'srv'): string[] => h.discovered.filter((l) => l.serverId === serverId).at(-1)!.definitions.map((d) => d.definition.name);
const tool = (name: unknown, extra: object = {}) => ({ name, description: `tool ${String(name)}`, inputSchema: { type: 'object' }, ...extra });
const pages = (list: Record<string, unknown>) => ({ transport: 'stdio', script: Object.entries(list).reverse().map(([cursor, reply]) => ({ on: 'tools/list', ...(cursor === '-' ? {} : { match: { params: { cursor } } }), do: [{ reply }] })) });

test.skipIf(!hasCases)('C025 all pages are read, cursors unchanged, an empty page and a null cursor are ordinary', async () => {
  const h = harness();
  h.addFake('srv', 'C025');
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  expect(names(h)).toEqual(['p1a', 'p1b', 'p3a', 'p3b']);
  expect(h.records('srv').filter((r) => r.msg?.method === 'tools/list').map((r) => r.msg!.params?.['cursor'])).toEqual([undefined, 'c2', 'c3']);
});

test('F20 a repeated cursor and endless pages end as a partial list, "" is a cursor', async () => {
  const h = harness();
  h.addFake('loop', pages({ '-': { tools: [tool('a')], nextCursor: 'x' }, x: { tools: [tool('b')], nextCursor: 'x' } }));
  h.addFake('empty', pages({ '-': { tools: [tool('a')], nextCursor: '' }, '': { tools: [tool('b')] } }));
  h.addFake('endless', { transport: 'stdio', script: [{ on: 'tools/list', do: [{ reply: { tools: [tool('t')], nextCursor: '{{rand:1:999999999}}c' } }] }] });
  await Promise.all(['loop', 'empty', 'endless'].map((id) => h.pool.connect(id)));
  expect(h.store.read((db) => readDiscovery(db, 'loop'))?.tools).toMatchObject({ outcome: 'read', count: 2, partial: true });
  expect(h.store.read((db) => readDiscovery(db, 'empty'))?.tools).toMatchObject({ outcome: 'read', count: 2, partial: false });
  expect(h.store.read((db) => readDiscovery(db, 'endless'))?.tools).toMatchObject({ partial: true, count: 64 });
});

test('S10 a malformed entry loses itself alone and is listed; odd fields lose the field', async () => {
  const h = harness();
  h.addFake('srv', { transport: 'stdio', tools: [tool('good'), null, { description: 'no name' }, tool(7), tool(''), tool('odd', { description: 5, annotations: 'x', outputSchema: null }), tool('list', { inputSchema: [] }), tool('last')] });
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  expect(names(h)).toEqual(['good', 'odd', 'last']);
  const reading = h.store.read((db) => readDiscovery(db, 'srv'))!.tools;
  expect(reading).toMatchObject({ outcome: 'read', count: 3, partial: false });
  expect(reading.outcome === 'read' && reading.malformed.map((m) => m.index)).toEqual([1, 2, 3, 4, 6]);
  const odd = h.discovered[0]!.definitions.find((d) => d.definition.name === 'odd')!.definition;
  expect(Object.keys(odd).sort()).toEqual(['inputSchema', 'name']);
});

test('S10 F13 an entry nested too deeply loses itself alone, over stdio, HTTP and an event stream', { timeout: 120_000 }, async () => {
  const h = harness();
  const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const deep = (name: string, levels: number): string => `{"name":"${name}","inputSchema":{"type":"object","default":${nested(levels)}}}`;
  const wide = JSON.stringify(tool('wide', { description: 'w'.repeat(1024 * 1024) }));
  const list = `[${JSON.stringify(tool('first'))},${deep('deep', 600)},${deep('bottomless', 20_000)},${wide},${JSON.stringify(tool('last'))}]`;
  const endpoint = (stream: boolean) =>
    createServer((req, res) => {
      let body = '';
      req.on('data', (chunk: Buffer) => (body += String(chunk)));
      req.on('end', () => {
        if (req.method !== 'POST') return void res.writeHead(405).end();
        const m = JSON.parse(body) as { id?: number; method?: string; params?: { protocolVersion?: string } };
        if (m.id === undefined) return void res.writeHead(202).end();
        const result = m.method === 'initialize' ? JSON.stringify({ protocolVersion: m.params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }) : m.method === 'tools/list' ? `{"tools":${list}}` : m.method === 'tools/call' ? `{"content":[],"structuredContent":${nested(20_000)}}` : null;
        const text = `{"jsonrpc":"2.0","id":${m.id},${result === null ? '"error":{"code":-32601,"message":"no"}' : `"result":${result}`}}`;
        if (stream && result !== null && m.method !== 'initialize') return void res.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${text}\n\n`);
        return void res.writeHead(200, { 'content-type': 'application/json' }).end(text);
      });
    });
  const endpoints = [endpoint(false), endpoint(true)];
  try {
    for (const [i, server] of endpoints.entries()) {
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      h.add(['json', 'stream'][i]!, { kind: 'http', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` });
    }
    h.addFake('srv', { transport: 'stdio', script: [{ on: 'tools/list', do: [{ raw: `{"jsonrpc":"2.0","id":{{id}},"result":{"tools":${list}}}\n` }] }] });
    for (const id of ['srv', 'json', 'stream']) {
      expect([id, await h.pool.connect(id)]).toEqual([id, { state: 'ready' }]);
      expect(names(h, id)).toEqual(['first', 'wide', 'last']);
      const { tools: reading } = h.store.read((db) => readDiscovery(db, id))!;
      expect(reading).toMatchObject({ outcome: 'read', count: 3, malformed: [{ index: 1, reason: expect.stringContaining('512 levels') }, { index: 2 }] });
    }
    for (const id of ['json', 'stream']) expect(await h.call(id, 'first', {})).toMatchObject({ kind: 'failed', fault: { code: 'protocol_error', message: expect.stringContaining('512') } });
  } finally {
    for (const server of endpoints) {
      server.close();
      server.closeAllConnections();
    }
  }
});

test.skipIf(!hasCases)('C038 "not offered" is not a failure, a failure is not zero', async () => {
  const h = harness();
  h.addFake('srv', 'C038');
  const answer = { on: 'initialize', do: [{ reply: { protocolVersion: '2025-06-18', capabilities: { tools: {}, resources: {}, prompts: {} }, serverInfo: { name: 'x', version: '1' } } }] };
  h.addFake('half', { transport: 'stdio', tools: [ECHO], script: [answer, { on: 'resources/list', do: [{ error: { code: -32603, message: 'no database' } }] }] });
  h.addFake('none', { transport: 'stdio', script: [answer, ...['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'].map((on) => ({ on, do: [{ error: { code: -32603, message: 'fetch failed' } }] }))] });
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  expect(h.store.read((db) => readDiscovery(db, 'srv'))).toMatchObject({ tools: { outcome: 'not_offered' }, resources: { outcome: 'read', count: 1 } });
  expect(await h.pool.connect('half')).toEqual({ state: 'ready' });
  expect(h.store.read((db) => readDiscovery(db, 'half'))).toMatchObject({ tools: { outcome: 'read', count: 1 }, resources: { outcome: 'failed', fault: { code: 'discovery_failed' } }, prompts: { outcome: 'not_offered' } });
  expect(await h.pool.connect('none')).toMatchObject({ state: 'unavailable', code: 'discovery_failed', fault: { message: expect.stringContaining('fetch failed') } });
});

test.skipIf(!hasCases)('C027 a changed list is read within 3 s, and the new tool is callable without a reconnect', async () => {
  const h = harness();
  h.addFake('srv', 'C027');
  await h.pool.connect('srv');
  expect(textOf(await h.call('srv', 'boot', {}))).toBe('booted');
  await until(() => names(h).includes('late'), 90_000, 'late tool');
  expect(names(h)).toEqual(['late']);
  expect(h.pool.status('srv').state).toBe('ready');
  expect((await h.call('srv', 'late', {})).kind).toBe('result');
});

test.skipIf(!hasCases)('C028 F21 (short) a storm of notices costs few readings, and the last change is not lost', async () => {
  const h = harness();
  h.addFake('srv', 'C028');
  await h.pool.connect('srv');
  const before = h.records('srv').filter((r) => r.msg?.method === 'tools/list').length;
  await h.call('srv', 'echo', { text: 'hi' });
  const read = (): number => h.records('srv').filter((r) => r.msg?.method === 'tools/list').length - before;
  await sleep(4000);
  await until(() => read() >= 1, 90_000, 'a reading');
  const after = read();
  expect(after).toBeGreaterThanOrEqual(1);
  expect(after).toBeLessThanOrEqual(3);
});

test('S11 each arrow leaves a fact with its time; facts are bounded', async () => {
  const h = harness();
  h.addFake('srv', { transport: 'stdio', tools: [ECHO] }, { consented: false });
  expect(await h.pool.connect('srv')).toMatchObject({ code: 'consent_required' });
  expect(h.starts('srv')).toHaveLength(0);
  const launch = h.pool.launches.of('srv')!.fingerprint;
  expect(await h.pool.connect('srv', { consent: 'another' })).toMatchObject({ code: 'consent_required', fault: { details: { launch } } });
  expect(await h.pool.connect('srv', { consent: launch })).toEqual({ state: 'ready' });
  await h.pool.quarantine('srv', 'odd behaviour');
  expect(h.census()).toEqual([]);
  expect(await h.pool.connect('srv')).toMatchObject({ code: 'quarantined' });
  await h.pool.release('srv');
  expect(await h.pool.connect('srv')).toMatchObject({ code: 'disabled' });
  const facts = h.store.read((db) => listServerFacts(db, 'srv'));
  expect(facts.map((f) => f.step).filter((s) => s !== 'failure')).toEqual(['consented', 'connected', 'discovered', 'quarantine', 'quarantine']);
  for (let n = 0; n < 250; n++) await h.pool.release('srv');
  expect(h.store.read((db) => listServerFacts(db, 'srv')).length).toBeLessThanOrEqual(200);
});

test('S12 a changed configuration empties the candidates at once; a rotated secret restarts, an unrelated change does nothing', async () => {
  const h = harness();
  h.secrets.set('k', 'one');
  h.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [{ on: 'start', do: [{ record: '{{env.KEY}}' }] }] }, { env: { KEY: { secretRef: 'k' } } });
  await h.pool.connect('srv');
  h.store.write((db) => db.run(`UPDATE servers SET name = 'renamed' WHERE id = 'srv'`));
  await h.pool.configChanged('srv');
  expect(h.left).toEqual([]);
  expect(h.starts('srv')).toHaveLength(1);
  h.secrets.set('k', 'two');
  const changing = h.pool.configChanged('srv');
  expect(h.left).toEqual([{ serverId: 'srv', reason: 'configuration changed' }]);
  await changing;
  await until(() => h.starts('srv').length === 2 && h.pool.status('srv').state === 'ready');
  expect(h.records('srv').filter((r) => r.ev === 'record').map((r) => r.text)).toEqual(['one', 'two']);
  h.store.write((db) => db.run(`UPDATE servers SET args_json = '["x"]' WHERE id = 'srv'`));
  await h.pool.configChanged('srv');
  await until(() => { const s = h.pool.status('srv'); return s.state === 'unavailable' && s.code === 'consent_required'; });
  expect(h.census()).toEqual([]);
});

test('S13 a locked secret store keeps a server from starting, opening it starts the server', async () => {
  const h = harness();
  h.addFake('srv', { transport: 'stdio', tools: [ECHO] }, { env: { KEY: { secretRef: 'k' } } });
  expect(await h.pool.connect('srv')).toMatchObject({ code: 'secret_store_locked', fault: { field: 'env.KEY' } });
  h.secrets.set('k', 'v');
  h.pool.secretsUnlocked();
  await until(() => h.pool.status('srv').state === 'ready');
});
