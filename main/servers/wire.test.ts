import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { census, createHarness, ECHO, REPO, textOf, until, type Harness } from './pool-harness.fixture.ts';
import { updateServer } from '../store/servers.ts';

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

const FROZEN = '{"10":1,"9":2,"__proto__":{"a":1},"big":1e+21,"dollar":"$& $1 $$","nfc":"é","nfd":"é","text":"€\\u2028\u0000😀"}'.replace('\u0000', '\\u0000');
const withText = (text: unknown, extra: object = {}) => ({ transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/call', do: [{ reply: { content: [{ type: 'text', text }] } }] }], ...extra });

test('S01 the frozen arguments reach a stdio server byte for byte', async () => {
  const h = harness();
  h.addFake('srv', withText('ok'));
  await h.pool.connect('srv');
  let sentBefore = 0;
  await h.call('srv', 'echo', FROZEN, { onSent: () => (sentBefore = h.records('srv').filter((r) => r.msg?.method === 'tools/call').length + 1) });
  const line = h.records('srv').find((r) => r.ev === 'line' && r.text!.includes('tools/call'))!.text!;
  expect(line).toContain(`"arguments":${FROZEN}`);
  expect(sentBefore).toBe(1);
});

test('S01 the frozen arguments reach an HTTP endpoint byte for byte', async () => {
  const h = harness();
  const base = await h.serveFake('srv', { transport: 'http', tools: [ECHO], script: [{ on: 'tools/call', do: [{ reply: { content: [{ type: 'text', text: 'ok' }] } }] }] });
  h.add('srv', { kind: 'http', url: `${base}/mcp` });
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  expect(textOf(await h.call('srv', 'echo', FROZEN))).toBe('ok');
  expect(h.records('srv').filter((r) => typeof r['body'] === 'string' && (r['body'] as string).includes(`"arguments":${FROZEN}`))).toHaveLength(1);
});

test('S02 a server that speaks only the older era is probed in place, once; the verdict is kept and the next start asks no more', async () => {
  const h = harness();
  h.addFake('srv', { transport: 'stdio', tools: [ECHO] });
  await h.pool.connect('srv');
  expect(h.starts('srv')).toHaveLength(1);
  expect(h.pool.connectionInfo('srv')).toMatchObject({ era: 'legacy', protocolVersion: '2025-11-25', transport: 'stdio' });
  expect(h.row('srv')?.era).toBe('legacy');
  await h.pool.disable('srv');
  await h.pool.enable('srv');
  await until(() => h.pool.status('srv').state === 'ready');
  expect(h.records('srv').filter((r) => r.msg?.method === 'server/discover')).toHaveLength(1);
});

test('S02 a server that was renewed and refuses the older era, which was kept of it, is asked anew at once', async () => {
  const h = harness();
  h.add('srv', { kind: 'command', command: process.execPath, args: [`${REPO}/e2e/fixtures/huge-answers-server.mjs`, 'modern', 'stdio', 'nothing', '1'] });
  h.store.write((db) => updateServer(db, 'srv', { era: 'legacy', eraAt: Date.now() }));
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  expect(h.pool.connectionInfo('srv')).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28' });
  expect(h.row('srv')?.era).toBe('modern');
});

test('S02 a server that ends on the probe is started once more in the older era; one that is silent is spoken to on the same process', async () => {
  const h = harness({ open: { probeTimeoutMs: 300 } });
  h.addFake('ends', { transport: 'stdio', tools: [ECHO], script: [{ on: 'server/discover', do: [{ exit: 1 }] }] });
  h.addFake('silent', { transport: 'stdio', tools: [ECHO], script: [{ on: 'server/discover', do: [] }] });
  expect(await h.pool.connect('ends')).toEqual({ state: 'ready' });
  expect(h.starts('ends')).toHaveLength(2);
  expect(await h.pool.connect('silent')).toEqual({ state: 'ready' });
  expect(h.starts('silent')).toHaveLength(1);
  expect(textOf(await h.call('ends', 'echo', { text: 'a' }))).toBe('a');
});

test('S02 a server that hears nothing after the probe has the time of its start; the next try is in the older era', async () => {
  const h = harness({ open: { probeTimeoutMs: 100, startLimitMs: 1500 }, crashFirstWaitMs: 100 });
  h.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [{ on: 'server/discover', do: [{ record: 'stuck' }] }, { on: 'initialize', times: 1, do: [{ delayMs: 60000 }] }] });
  expect((await h.pool.connect('srv')).code).toBe('start_timeout');
  expect(h.starts('srv')).toHaveLength(1);
  await until(() => h.starts('srv').length === 2, 90_000, 'second start');
  await until(() => h.records('srv').some((r) => r.pid === h.starts('srv')[1]!.pid && r.msg?.method === 'initialize'), 90_000, 'initialize');
  expect(h.records('srv').filter((r) => r.msg?.method === 'server/discover')).toHaveLength(1);
  await h.pool.disable('srv');
});

test('S03 both eras of a modern server, and server-everything over stdio and Streamable HTTP', async () => {
  const h = harness();
  h.add('modern', { kind: 'command', command: process.execPath, args: [join(REPO, 'e2e/fixtures/modern-server.mjs')] });
  h.add('everything', { kind: 'command', command: process.execPath, args: [join(REPO, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'] });
  h.add('files', { kind: 'command', command: process.execPath, args: [join(REPO, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'), h.dataDir] });
  const all = await Promise.all(['modern', 'everything', 'files'].map((id) => h.pool.connect(id)));
  expect(all.map((c) => c.state)).toEqual(['ready', 'ready', 'ready']);
  expect(h.pool.connectionInfo('modern')).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28' });
  expect(textOf(await h.call('modern', 'echo', { text: 'new era' }))).toBe('new era');
  expect(textOf(await h.call('everything', 'echo', { message: 'hi' }))).toContain('hi');
  const listed = await h.call('files', 'list_directory', { path: h.dataDir });
  expect(listed.kind).toBe('result');
  const lists = h.discovered.find((l) => l.serverId === 'everything')!;
  expect(lists.fact.tools).toMatchObject({ outcome: 'read', partial: false, malformed: [] });
  expect(lists.fact.prompts).toMatchObject({ outcome: 'read' });
  expect(h.discovered.find((l) => l.serverId === 'files')!.fact.resources).toEqual({ outcome: 'not_offered' });
});

test('F01 F02 lines that are no messages are counted and kept, the session goes on', async () => {
  const h = harness();
  h.addFake('srv', withText('hi', { script: [{ on: 'start', do: [{ raw: 'Welcome to srv!\n' }, { raw: '{"level":"info","msg":"up"}\n' }] }, { on: 'tools/call', do: [{ raw: 'in the middle\n[1,2]\n' }, { reply: { content: [{ type: 'text', text: 'hi' }] } }] }] }));
  await h.pool.connect('srv');
  expect(textOf(await h.call('srv', 'echo', {}))).toBe('hi');
  expect(h.pool.diagnostics('srv')).toMatchObject({ junkLines: 4, junkSamples: ['Welcome to srv!', '{"level":"info","msg":"up"}', 'in the middle', '[1,2]'] });
});

test('F03 half a line before the end is no message', async () => {
  const h = harness();
  h.addFake('srv', withText('', { script: [{ on: 'tools/call', do: [{ raw: '{"jsonrpc":"2.0","id":{{id}},"result":{"content":[' }, { exit: 0 }] }] }));
  await h.pool.connect('srv');
  expect(await h.call('srv', 'echo', {})).toMatchObject({ kind: 'failed', mayHaveRun: true, fault: { code: 'exited' } });
});

test('F04 bytes that are not UTF-8 are shown with marks and a note, and the connection stays usable', async () => {
  const h = harness();
  h.addFake('srv', withText('', { script: [{ on: 'tools/call', times: 1, do: [{ replyHexText: '41ff42' }] }, { on: 'tools/call', times: 1, do: [{ raw: '{"jsonrpc":"2.0","id":{{id}},"result":{"content":[{"type":"text","text":"x\\ud800y"}]}}\n' }] }, { on: 'tools/call', do: [{ replyChunked: { result: { content: [{ type: 'text', text: '€😀é' }] }, chunkBytes: 1 } }] }] }));
  await h.pool.connect('srv');
  const bad = await h.call('srv', 'echo', {});
  expect(textOf(bad)).toBe('A\ufffdB');
  expect(bad).toMatchObject({ notes: [expect.stringContaining('not valid UTF-8')] });
  expect(textOf(await h.call('srv', 'echo', {}))).toBe('x\ufffdy');
  expect(textOf(await h.call('srv', 'echo', {}))).toBe('€😀é');
});

test('C045 F05 a line without end stops that server, pending calls fail at once, others go on; 8 MB are an ordinary answer', async () => {
  const h = harness();
  const script = [
    { on: 'tools/call', match: { params: { arguments: { text: 'big' } } }, do: [{ reply: { content: [{ type: 'text', text: '{{fill:a:8000000}}' }] } }] },
    { on: 'tools/call', do: [{ repeat: 400, do: [{ raw: '{{fill:z:1000000}}' }] }] },
  ];
  h.addFake('srv', { transport: 'stdio', tools: [ECHO], script });
  h.addFake('other', withText('fine'));
  await Promise.all([h.pool.connect('srv'), h.pool.connect('other')]);
  expect(textOf(await h.call('srv', 'echo', { text: 'big' }))).toHaveLength(8_000_000);
  const before = process.memoryUsage().rss;
  expect(await h.call('srv', 'echo', { text: 'endless' })).toMatchObject({ kind: 'failed', sent: true, fault: { code: 'frame_too_large' } });
  expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
  expect(textOf(await h.call('other', 'echo', {}))).toBe('fine');
});

test('F07 F08 F10 unknown, doubled and mistyped ids are counted and never delivered', async () => {
  const h = harness();
  h.addFake('srv', withText('', { script: [{ on: 'tools/call', do: [{ send: { jsonrpc: '2.0', id: 999, result: { content: [] } } }, { raw: '{"jsonrpc":"2.0","id":"{{id}}","result":{"content":[{"type":"text","text":"wrong type"}]}}\n' }, { reply: { content: [{ type: 'text', text: 'first' }] } }, { reply: { content: [{ type: 'text', text: 'second' }] } }] }] }));
  await h.pool.connect('srv');
  expect(textOf(await h.call('srv', 'echo', {}))).toBe('first');
  const seen = await until(() => { const { anomalies } = h.pool.diagnostics('srv'); return anomalies.length >= 3 && anomalies.map((a) => a.what); });
  expect(seen[0]).toContain('999');
  expect(seen[1]).toMatch(/"\d+", which was not asked/);
  expect(seen[2]).toContain('a second answer');
});

test('F09 a late answer is handed to whoever asked, as late; the server was told to stop', async () => {
  const h = harness();
  h.addFake('srv', withText('', { script: [{ on: 'tools/call', do: [{ delayMs: 600 }, { reply: { content: [{ type: 'text', text: 'late' }] } }] }] }));
  await h.pool.connect('srv');
  const late: unknown[] = [];
  expect(await h.call('srv', 'echo', {}, { timeoutMs: 200, onLate: (result) => late.push(result) })).toMatchObject({ kind: 'failed', sent: true, mayHaveRun: true, fault: { code: 'timeout' } });
  await until(() => late.length === 1, 90_000, 'late answer');
  expect(late[0]).toMatchObject({ kind: 'result', raw: { content: [{ type: 'text', text: 'late' }] } });
  expect(h.records('srv').some((r) => r.msg?.method === 'notifications/cancelled')).toBe(true);
});

test('C036 F10 an error without an id ends the only open call', async () => {
  const h = harness();
  h.addFake('srv', withText('', { script: [{ on: 'tools/call', times: 1, do: [{ send: { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'database offline' } } }] }] }));
  await h.pool.connect('srv');
  expect(await h.call('srv', 'echo', {}, { timeoutMs: 5000 })).toEqual({ kind: 'rpc_error', rpcCode: -32000, message: 'database offline' });
  expect(textOf(await h.call('srv', 'echo', { text: 'next' }))).toBe('next');
});

test('C036 an error under an id that was never asked, and an answer without its version, end the only open call; a wrongly numbered result does not', async () => {
  const h = harness();
  const once = (send: unknown) => ({ on: 'tools/call', times: 1, do: [{ send }] });
  const error = { code: -32000, message: 'database offline' };
  const said = [{ jsonrpc: '2.0', id: 'null', error }, { jsonrpc: '2.0', id: 'server-error', error }, { jsonrpc: '2.0', id: -1, error }, { jsonrpc: '2.0', id: 999_999, error }, { id: null, error }, { id: '{{id}}', error }];
  h.addFake('srv', withText('', { script: [...said.map(once), { on: 'tools/call', times: 1, do: [{ send: { id: '{{id}}', result: { content: [{ type: 'text', text: 'unversioned' }] } } }] }, { on: 'tools/call', do: [{ send: { jsonrpc: '2.0', id: 'null', result: { content: [] } } }, { raw: '{"level":"info","id":{{id}},"error":"of a log"}\n' }, { reply: { content: [{ type: 'text', text: 'its own' }] } }] }] }));
  await h.pool.connect('srv');
  for (const one of said) expect([one, await h.call('srv', 'echo', {}, { timeoutMs: 5000 })]).toEqual([one, { kind: 'rpc_error', rpcCode: -32000, message: 'database offline' }]);
  expect(textOf(await h.call('srv', 'echo', {}))).toBe('unversioned');
  expect(textOf(await h.call('srv', 'echo', {}))).toBe('its own');
});

test('F11 both a result and an error, or neither, is a protocol error of that call', async () => {
  const h = harness();
  h.addFake('srv', withText('', { script: [{ on: 'tools/call', times: 1, do: [{ raw: '{"jsonrpc":"2.0","id":{{id}},"result":{},"error":{"code":1,"message":"x"}}\n' }] }, { on: 'tools/call', do: [{ raw: '{"jsonrpc":"2.0","id":{{id}}}\n' }] }] }));
  await h.pool.connect('srv');
  for (const what of ['both', 'neither']) expect(await h.call('srv', 'echo', {})).toMatchObject({ kind: 'failed', mayHaveRun: true, fault: { code: 'protocol_error', message: expect.stringContaining(what) } });
});

test('F13 deeply nested JSON ends its call before it is parsed', async () => {
  const h = harness();
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  h.addFake('srv', withText('', { script: [{ on: 'tools/call', times: 1, do: [{ raw: `{"jsonrpc":"2.0","id":{{id}},"result":{"content":${deep}}}\n` }] }] }));
  await h.pool.connect('srv');
  expect(await h.call('srv', 'echo', {})).toMatchObject({ kind: 'failed', fault: { code: 'protocol_error', message: expect.stringContaining('nested') } });
  expect(textOf(await h.call('srv', 'echo', { text: 'next' }))).toBe('next');
});

test('F16 C023 C032 ping and roots are answered, everything else is refused with its own id', async () => {
  const h = harness();
  h.addFake('srv', withText('', { script: [{ on: 'tools/call', do: [{ request: { id: 'p-1', method: 'ping' } }, { request: { id: 'r-1', method: 'roots/list' } }, { request: { id: 7001, method: 'x/unknown', params: {} } }, { request: { id: 'e-1', method: 'elicitation/create', params: {} } }, { delayMs: 300 }, { reply: { content: [{ type: 'text', text: 'asked' }] } }] }] }));
  await h.pool.connect('srv');
  expect(textOf(await h.call('srv', 'echo', {}))).toBe('asked');
  const answers = h.records('srv').flatMap((r) => (r.msg !== undefined && r.msg.method === undefined ? [[r.msg.id, r.msg.result ?? r.msg.error?.code]] : []));
  expect(answers).toEqual([['p-1', {}], ['r-1', { roots: [] }], [7001, -32601], ['e-1', -32601]]);
});

test('F18 a server that never answers the handshake is given up, its process is gone', async () => {
  const h = harness({ open: { startLimitMs: 600, probeTimeoutMs: 200 }, crashFirstWaitMs: 60_000 });
  h.addFake('srv', { transport: 'stdio', script: [{ on: 'start', do: [{ stderr: 'waiting for the moon\n' }] }, { on: 'server/discover', do: [] }, { on: 'initialize', do: [] }] });
  expect(await h.pool.connect('srv')).toMatchObject({ state: 'unavailable', code: 'start_timeout', fault: { message: expect.not.stringContaining('waiting for the moon'), details: { stderr: expect.arrayContaining([expect.stringContaining('waiting for the moon')]) } } });
  expect(h.census()).toEqual([]);
});

test('F23 C030 progress extends the deadline, up to the absolute one, and is coalesced; stray progress is nothing', async () => {
  const h = harness();
  h.addFake('srv', withText('', { script: [{ on: 'tools/call', match: { params: { name: 'flood' } }, do: [{ repeat: 400, do: [{ progress: { progress: '{{n}}' } }, { delayMs: 5 }] }] }, { on: 'tools/call', match: { params: { name: 'slow' } }, do: [{ repeat: 12, do: [{ progress: { progress: '{{n}}' } }, { delayMs: 200 }] }, { reply: { content: [{ type: 'text', text: 'done' }] } }] }, { on: 'tools/call', do: [{ reply: { content: [{ type: 'text', text: 'hi' }] } }, { progress: { progress: 4, total: 4 } }, { notify: { method: 'notifications/progress', params: { progressToken: 'made-up', progress: 1 } } }] }] }));
  await h.pool.connect('srv');
  // the answer takes longer than the deadline, which each report moves
  expect(textOf(await h.call('srv', 'slow', {}, { timeoutMs: 2000 }))).toBe('done');
  const reports: number[] = [];
  expect(await h.call('srv', 'flood', {}, { timeoutMs: 60_000, maxTotalMs: 900, onProgress: ({ progress }) => reports.push(progress) })).toMatchObject({ kind: 'failed', fault: { code: 'timeout' } });
  expect(reports).toEqual([...reports].sort((a, b) => a - b));
  expect(reports.length).toBeLessThan(reports.at(-1)!);
  for (let n = 0; n < 2; n++) expect(textOf(await h.call('srv', 'echo', {}))).toBe('hi');
  expect(h.starts('srv')).toHaveLength(1);
});

test('S04 a stop by the caller: before it is sent nothing leaves, after it the server is told', async () => {
  const h = harness();
  h.addFake('srv', withText('', { script: [{ on: 'tools/call', do: [] }] }));
  await h.pool.connect('srv');
  expect(await h.call('srv', 'echo', {}, { signal: AbortSignal.abort() })).toMatchObject({ kind: 'failed', sent: false, mayHaveRun: false, fault: { code: 'cancelled' } });
  const stop = new AbortController();
  const running = h.call('srv', 'echo', {}, { signal: stop.signal });
  await until(() => h.records('srv').some((r) => r.msg?.method === 'tools/call'));
  stop.abort();
  expect(await running).toMatchObject({ kind: 'failed', sent: true, mayHaveRun: true, fault: { code: 'interrupted' } });
  await until(() => h.records('srv').some((r) => r.msg?.method === 'notifications/cancelled'));
  expect(h.records('srv').filter((r) => r.msg?.method === 'tools/call')).toHaveLength(1);
});

test('F19 C019 C021 an older version is accepted, a refused one is proposed again once, an unknown one is named', async () => {
  const h = harness();
  const answer = (protocolVersion: string) => ({ on: 'initialize', do: [{ reply: { protocolVersion, capabilities: { tools: {} } } }] });
  h.addFake('old', { transport: 'stdio', tools: [ECHO], script: [answer('2024-11-05')] });
  h.addFake('strict', { transport: 'stdio', tools: [ECHO], script: [{ on: 'initialize', matchNot: { params: { protocolVersion: '2025-06-18' } }, do: [{ error: { code: -32602, message: 'Unsupported protocol version', data: { supported: ['2025-06-18'] } } }] }] });
  h.addFake('alien', { transport: 'stdio', script: [answer('1999-01-01')] });
  const all = await Promise.all(['old', 'strict', 'alien'].map((id) => h.pool.connect(id)));
  expect(all[0]).toEqual({ state: 'ready' });
  expect(h.pool.connectionInfo('old')?.protocolVersion).toBe('2024-11-05');
  expect(all[1]).toEqual({ state: 'ready' });
  expect(h.records('strict').filter((r) => r.msg?.method === 'initialize')).toHaveLength(2);
  expect(all[2]).toMatchObject({ code: 'protocol_version', fault: { message: expect.stringContaining('1999-01-01') } });
});

test('S10 a tool whose name cannot be read is listed as malformed and registered under no other name, in small frames and large', async () => {
  const h = harness();
  const named = (id: string, more: string): void => {
    const tools = `[{"name":"half \\ud800","inputSchema":{"type":"object"}},{"name":"ok","description":"${more}","inputSchema":{"type":"object"}}]`;
    h.addFake(id, withText('', { script: [{ on: 'tools/list', do: [{ raw: `{"jsonrpc":"2.0","id":{{id}},"result":{"tools":${tools}}}\n` }] }] }));
  };
  named('small', 'd');
  named('large', '{{fill:x:400000}}');
  for (const id of ['small', 'large']) {
    expect(await h.pool.connect(id)).toEqual({ state: 'ready' });
    expect(h.discovered.at(-1)!.fact.tools).toMatchObject({ outcome: 'read', count: 1, malformed: [{ index: 0, reason: expect.stringContaining('cannot be read') }] });
  }
});
