import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { readDiscovery } from '../store/discoveries.ts';
import { FrameLane } from './frame-lane.ts';
import { readFrame } from './incoming-frame.ts';
import { ENTRY_CAP_BYTES, ENTRY_STRUCTURE_CAP_BYTES, tooLargeReason, withoutLargeEntries } from './large-entries.ts';
import { createHarness, type Harness } from './pool-harness.fixture.ts';
import { ITEM_CAP } from './read-lists.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});
const harness = (): Harness => {
  const lane = new FrameLane(new URL('../calls/frame-worker.ts', import.meta.url));
  const h = createHarness({ open: { frames: lane } });
  endings.push(() => lane.close(), h.close);
  return h;
};
const names = (h: Harness, serverId: string): string[] => h.discovered.filter((l) => l.serverId === serverId).at(-1)!.definitions.map((d) => d.definition.name);
const toolsOf = (h: Harness, serverId: string) => h.store.read((db) => readDiscovery(db, serverId))!.tools;
const listing = (tools: string): string => `{"jsonrpc":"2.0","id":{{id}},"result":{"tools":[${tools}]}}\n`;
const GOOD = '{"name":"good","inputSchema":{"type":"object"}}';
const LAST = '{"name":"last","inputSchema":{"type":"object"}}';

test('S10 an entry that is too large is found in the bytes before they are parsed, whatever its texts hold', () => {
  const message = (tools: string, rest = ''): string => `{"jsonrpc":"2.0","id":1,"result":{${rest}"tools":[${tools}]}}`;
  const numbers = `{"name":"numbers","inputSchema":{"enum":[${'0,'.repeat(ENTRY_STRUCTURE_CAP_BYTES / 2)}0]}}`;
  const text = `{"name":"text","description":"${'\\"],}{['.repeat(ENTRY_CAP_BYTES / 7)} and more, more","inputSchema":{}}`;
  const near = `{"name":"near","description":"${'],}{['.repeat(100_000)}","inputSchema":{}}`;
  for (const [large, at] of [[numbers, 1], [text, 1]] as const) {
    for (const tools of [`${GOOD},${large},${near},${LAST}`, ` ${GOOD} , ${large}\t,${near}, ${LAST} `, `[],${large}`, `${GOOD},${large}`]) {
      const smaller = JSON.parse(withoutLargeEntries(Buffer.from(message(tools, '"_meta":{"tools":[1]},"x":["tools"],')))!.toString()) as { result: { tools: unknown[] } };
      const whole = JSON.parse(message(tools)) as { result: { tools: unknown[] } };
      expect(smaller.result.tools.length).toBe(whole.result.tools.length);
      expect(smaller.result.tools.filter((_, i) => i !== at)).toEqual(whole.result.tools.filter((_, i) => i !== at));
      expect(tooLargeReason(smaller.result.tools[at])).toMatch(/^a definition of \d+ bytes/);
    }
  }
  expect(withoutLargeEntries(Buffer.from(message(`${GOOD},${near}`)))).toBeNull();
  // not a list of definitions, however it is called
  for (const other of [`{"jsonrpc":"2.0","id":1,"params":{"tools":[${numbers}]}}`, `[{"result":{"tools":[${numbers}]}}]`, `{"result":[{"tools":[${numbers}]}]}`, `{"result":{"tools":{"tools":[${numbers}]}}}`]) expect(withoutLargeEntries(Buffer.from(other))).toBeNull();
  // the words of a server are no reason of ours
  expect(tooLargeReason('(left out: a definition of all you own bytes)')).toBeNull();
});

test('S10 a call\'s result is never read without a part of it', () => {
  const call = `{"jsonrpc":"2.0","id":1,"result":{"content":[],"tools":[{"x":[${'0,'.repeat(9 * 1024 * 1024)}0]}]}}`;
  expect(readFrame(Buffer.from(call))).toMatchObject([{ kind: 'unreadable', id: 1, fault: { code: 'too_large' } }]);
});

test('S10 a definition beyond the caps of an entry loses itself alone, also one that is too large to be parsed, over stdio and an event stream', { timeout: 120_000 }, async () => {
  const h = harness();
  const wide = `{"name":"wide","inputSchema":{"type":"object","enum":[{{fill:0,:400000}}0]}}`;
  const huge = `{"name":"huge","inputSchema":{"type":"object","enum":[{{fill:0,:9000000}}0]}}`;
  const wordy = `{"name":"wordy","description":"{{fill:d:3000000}}","inputSchema":{"type":"object"}}`;
  const million = `{"name":"million","description":"{{fill:d:1000000}}","inputSchema":{"type":"object"}}`;
  for (const [id, tools] of Object.entries({ parsed: `${GOOD},${wide},${wordy},${million},${LAST}`, unparsed: `${GOOD},${huge},${LAST}` })) h.addFake(id, { transport: 'stdio', script: [{ on: 'tools/list', do: [{ raw: listing(tools) }] }] });
  const body = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{"tools":[${GOOD},{"name":"huge","inputSchema":{"enum":[${'0,'.repeat(9_000_000)}0]}},${LAST}]}}`;
  const server = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk: Buffer) => (text += String(chunk)));
    req.on('end', () => {
      if (req.method !== 'POST') return void res.writeHead(405).end();
      const m = JSON.parse(text) as { id?: number; method?: string; params?: { protocolVersion?: string } };
      if (m.id === undefined) return void res.writeHead(202).end();
      if (m.method === 'tools/list') return void res.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${body(m.id)}\n\n`);
      const result = m.method === 'initialize' ? { result: { protocolVersion: m.params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } } : { error: { code: -32601, message: 'no' } };
      return void res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: m.id, ...result }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endings.push(() => server.close());
  h.add('stream', { kind: 'http', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` });
  for (const [id, kept, lost] of [['parsed', ['good', 'million', 'last'], [1, 2]], ['unparsed', ['good', 'last'], [1]], ['stream', ['good', 'last'], [1]]] as const) {
    expect([id, await h.pool.connect(id)]).toEqual([id, { state: 'ready' }]);
    expect(names(h, id)).toEqual(kept);
    expect(toolsOf(h, id)).toMatchObject({ outcome: 'read', partial: false, malformed: lost.map((index) => ({ index, reason: expect.stringMatching(/^a definition of \d+ bytes; at most 2097152 are read/) })) });
  }
});

test('S74 a list that Gantry itself refuses to read fails with that cause and its remedy, and takes no other list along', async () => {
  const h = harness();
  const over = [{ on: 'tools/list', do: [{ raw: listing(`${GOOD},{"name":"big","description":"{{fill:d:46000000}}"}`) }] }];
  const prompts = { protocolVersion: '2025-06-18', capabilities: { tools: {}, prompts: {} }, serverInfo: { name: 'x', version: '1' } };
  h.addFake('alone', { transport: 'stdio', script: over });
  h.addFake('both', { transport: 'stdio', script: [...over, { on: 'initialize', do: [{ reply: prompts }] }, { on: 'prompts/list', do: [{ reply: { prompts: [{ name: 'p' }] } }] }] });
  const refused = { code: 'discovery_failed', message: expect.stringContaining('tools/list'), remedy: expect.any(String), details: { method: 'tools/list', cause: 'too_large', sizeBytes: expect.any(Number), limitBytes: expect.any(Number) } };
  expect(await h.pool.connect('alone')).toMatchObject({ state: 'unavailable', code: 'discovery_failed', fault: refused });
  expect(await h.pool.connect('both')).toEqual({ state: 'ready' });
  expect(toolsOf(h, 'both')).toMatchObject({ outcome: 'failed', fault: refused });
  expect(names(h, 'both')).toEqual(['p']);
});

test('F20 what one page holds beyond the cap of items, and pages beyond the bytes of a reading, make the list partial', { timeout: 120_000 }, async () => {
  const h = harness();
  h.addFake('page', { transport: 'stdio', tools: Array.from({ length: ITEM_CAP + 1 }, (_, i) => ({ name: `t${i}`, inputSchema: { type: 'object' } })) });
  const words = Array.from({ length: 12 }, (_, i) => `{"name":"w${i}-{{rand:1:999999999}}","description":"{{fill:d:1000000}}","inputSchema":{}}`).join(',');
  h.addFake('bytes', { transport: 'stdio', script: [{ on: 'tools/list', do: [{ raw: `{"jsonrpc":"2.0","id":{{id}},"result":{"tools":[${words}],"nextCursor":"{{rand:1:999999999}}c"}}\n` }] }] });
  expect(await h.pool.connect('page')).toEqual({ state: 'ready' });
  expect(toolsOf(h, 'page')).toMatchObject({ count: ITEM_CAP, partial: true });
  expect(await h.pool.connect('bytes')).toEqual({ state: 'ready' });
  // 64 MiB, in pages of 12 MB
  expect(toolsOf(h, 'bytes')).toMatchObject({ count: 72, partial: true });
});
