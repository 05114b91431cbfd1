import { threadId } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { FrameLane, LARGE_FRAME_BYTES } from './frame-lane.ts';
import { FrameReader, type PassedFrame } from './frame-reader.ts';
import { HttpFrames } from './http-frames.ts';
import { idAtEnds, readFrame } from './incoming-frame.ts';
import { InOrder } from './in-order.ts';
import { reducePart, sliceResult } from './large-part.ts';
import { Ledger } from './ledger.ts';
import { createHarness, ECHO, REPO, until, type Harness } from './pool-harness.fixture.ts';
import { sourceNumbers } from './source-numbers.ts';
import { sseFrames } from './sse-frames.ts';

const WORKER = new URL('../calls/frame-worker.ts', import.meta.url);
const SERVER = `${REPO}/e2e/fixtures/large-server.mjs`;

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});
const harness = (): { h: Harness; lane: FrameLane } => {
  const lane = new FrameLane(WORKER);
  const h = createHarness({ open: { frames: lane } });
  endings.push(() => lane.close(), h.close);
  return { h, lane };
};

test('S70 messages keep their order around a large one; without one, nothing waits', async () => {
  const seen: string[] = [];
  const held: number[] = [];
  const order = new InOrder((bytes) => held.push(bytes));
  expect(order.isIdle).toBe(true);
  let finish = (): void => {};
  order.add(10, async () => {
    seen.push('large begins');
    await new Promise<void>((done) => (finish = done));
    seen.push('large');
  });
  order.add(3, () => void seen.push('small'));
  order.add(0, async () => void seen.push('last'));
  expect(order.isIdle).toBe(false);
  await until(() => seen.length === 1);
  finish();
  await order.idle();
  expect(seen).toEqual(['large begins', 'large', 'small', 'last']);
  expect(held).toEqual([10, 13, 13, 3, 0, 0]);

  const { h } = harness();
  const progress: number[] = [];
  const large = { reply: { content: [{ type: 'text', text: `{{fill:a:${2 * LARGE_FRAME_BYTES}}}` }] } };
  h.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/call', do: [{ progress: { progress: 1 } }, { notify: { method: 'notifications/message', params: { level: 'info', data: `{{fill:b:${2 * LARGE_FRAME_BYTES}}}` } } }, { progress: { progress: 2, total: 2 } }, large] }] });
  await h.pool.connect('srv');
  const answer = await h.call('srv', 'echo', {}, { timeoutMs: 60_000, onProgress: (p) => progress.push(p.progress) });
  expect(answer.kind).toBe('held');
  if (answer.kind === 'held') answer.held.release();
  // a report after the answer would find no call
  expect(progress).toEqual([1, 2]);
  expect((await until(() => h.pool.logs('srv').lines.find((line) => line.text.includes('bbb')))).text).toContain('more characters');
});

test('S70 an answer that is still read when its server has ended counts', async () => {
  const { h } = harness();
  h.add('srv', { kind: 'command', command: process.execPath, args: [SERVER] });
  await h.pool.connect('srv');
  const last = await h.call('srv', 'die', { bytes: 6_000_000 }, { timeoutMs: 60_000 });
  expect(last).toMatchObject({ kind: 'held', sizeBytes: expect.any(Number) });
  if (last.kind === 'held') expect(await last.held.all()).toMatchObject({ ok: true, value: { content: [{ text: expect.stringContaining('lorem') }] } });
});

test('S71 a message over the cap is read past: its two ends are kept and what follows is read; a line that is no message, or has no end, stops the reader (F05)', () => {
  const run = (chunks: readonly string[], caps = { capBytes: 100, passedCapBytes: 1000 }) => {
    const frames: string[] = [];
    const passed: PassedFrame[] = [];
    const tooLarge: number[] = [];
    let most = 0;
    const reader = new FrameReader({ ...caps, onFrame: (bytes) => frames.push(bytes.toString()), onPassed: (frame) => passed.push(frame), onTooLarge: (size) => tooLarge.push(size) });
    for (const chunk of chunks) {
      reader.push(Buffer.from(chunk));
      most = Math.max(most, reader.heldBytes);
    }
    return { frames, passed, tooLarge, most };
  };
  const long = `{"jsonrpc":"2.0","id":7,"result":{"content":"${'x'.repeat(300)}"}}`;
  for (const chunks of [[`${long}\n{"a":1}\n`], [...`${long}\n{"a":1}\n`], [long.slice(0, 99), long.slice(99), '\n{"a":1}\n']]) {
    const { frames, passed, tooLarge, most } = run(chunks);
    expect([frames, tooLarge]).toEqual([['{"a":1}'], []]);
    expect(passed).toHaveLength(1);
    expect(passed[0]!.sizeBytes).toBe(long.length);
    expect(idAtEnds(Buffer.concat([passed[0]!.head, passed[0]!.tail]), true)).toBe(7);
    expect(most).toBeLessThanOrEqual(100);
  }
  expect(run([`{"id":${'1'.repeat(2000)}`]).tooLarge).toHaveLength(1);
  expect(run([...`{"id":${'1'.repeat(2000)}`]).tooLarge).toEqual([1001]);
  expect(run(['z'.repeat(200)]).tooLarge).toEqual([200]);
});

test('S71 the id of a message that is not parsed is taken from where nothing but the version stands beside it', () => {
  const id = (text: string): unknown => idAtEnds(Buffer.from(text), true);
  expect(id(`{"jsonrpc":"2.0","id":5,"result":{"id":9,"x":"${'x'.repeat(300)}"}}`)).toBe(5);
  expect(id(`{"result":{"id":9,"x":"${'x'.repeat(300)}"},"jsonrpc":"2.0","id":"b"}`)).toBe('b');
  expect(id(`{"result":{"id":9,"x":"${'x'.repeat(300)}"},"id":6,"jsonrpc":"2.0"} `)).toBe(6);
  expect(id(`{"result":{"structuredContent":{"id":9,"x":"${'x'.repeat(300)}"}}}`)).toBeNull();
});

test('S72 a list, a notice, a request and an error of more than 256 KiB are read in a worker and do what small ones do', async () => {
  const { h, lane } = harness();
  h.add('srv', { kind: 'command', command: process.execPath, args: [SERVER] }, { env: { PAD_LIST: { plain: String(1_500_000) } } });
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  const tools = h.discovered[0]!.definitions.map((one) => one.definition);
  expect(tools).toHaveLength(1511);
  expect(tools.at(-1)).toMatchObject({ name: 'padding-1499', description: 'p'.repeat(1000) });
  expect(lane.readBy.length).toBeGreaterThan(0);
  expect(lane.readBy).not.toContain(threadId);
  expect(await h.call('srv', 'log', { bytes: 600_000 })).toMatchObject({ kind: 'result' });
  expect(h.pool.logs('srv').lines.some((line) => line.text.startsWith('info: noisy noisy'))).toBe(true);

  const big = 'e'.repeat(LARGE_FRAME_BYTES);
  h.addFake('odd', { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/call', times: 1, do: [{ request: { id: 'p-1', method: 'ping', params: { big } } }, { delayMs: 50 }, { error: { code: -32000, message: big } }] }, { on: 'tools/call', times: 1, do: [{ raw: `{"jsonrpc":"2.0","id":{{id}},"result":{"content":["${big}"}\n` }] }, { on: 'tools/call', do: [{ raw: `{"jsonrpc":"2.0","id":{{id}},"result":["${big}"]}\n` }] }] });
  await h.pool.connect('odd');
  expect(await h.call('odd', 'echo', {})).toMatchObject({ kind: 'rpc_error', rpcCode: -32000, message: expect.stringMatching(/^e{100000}/) });
  expect(await until(() => h.records('odd').find((r) => r.msg?.id === 'p-1' && r.msg.result !== undefined))).toBeTruthy();
  expect(await h.call('odd', 'echo', {})).toMatchObject({ kind: 'failed', mayHaveRun: true, fault: { code: 'protocol_error', message: expect.stringContaining('not JSON') } });
  expect(await h.call('odd', 'echo', {})).toMatchObject({ kind: 'failed', mayHaveRun: true, fault: { code: 'protocol_error', message: expect.stringContaining('not an object') } });
});

test('S72 what crosses to the host of a large part is bounded; a list crosses in slices', () => {
  const part = (message: object) => reducePart({ kind: 'message', message: { jsonrpc: '2.0', ...message }, sizeBytes: 1 });
  const deep = { a: { b: 'c' } };
  expect(part({ id: 1, result: { content: [], ...deep } })).toMatchObject({ part: { kind: 'answer', id: 1 }, result: { content: [], ...deep } });
  expect(part({ id: 1, result: {}, error: deep })).toEqual({ result: null, part: { kind: 'message', message: { jsonrpc: '2.0', id: 1, result: {}, error: {} }, sizeBytes: 1 } });
  expect(part({ method: 'notifications/progress', params: { progressToken: 't', progress: 1, deep, message: 'm'.repeat(1e6), _meta: { s: 1, deep } } })).toMatchObject({ part: { message: { params: { progressToken: 't', progress: 1, message: 'm'.repeat(128 * 1024), _meta: { s: 1 } } } } });
  expect(JSON.stringify(part({ id: { x: 'y'.repeat(1e6) }, error: { code: 1, message: 'm', data: { x: 'y'.repeat(1e6) } } })).length).toBeLessThan(200);
  const { rest, field, slices } = sliceResult({ nextCursor: 'c', tools: Array.from({ length: 1000 }, (_, n) => ({ n, d: 'd'.repeat(1000) })) });
  expect([rest, field, slices.flat().length]).toEqual([{ nextCursor: 'c' }, 'tools', 1000]);
  expect(Math.max(...slices.map((slice) => JSON.stringify(slice).length))).toBeLessThan(140_000);
});

test('S73 an event stream is read event by event in any cut and with any line end; every message stands in, one over the cap ends its call', async () => {
  const lane = new FrameLane(WORKER);
  endings.push(() => lane.close());
  const ledger = new Ledger({ anomaly: () => {}, late: () => {} });
  ledger.sent({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
  const through = async (text: string, cut: number, capBytes = 10_000_000): Promise<{ out: string; frames: HttpFrames }> => {
    const frames = new HttpFrames(lane, ledger);
    const bytes = Buffer.from(text);
    const source = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let from = 0; from < bytes.length; from += cut) controller.enqueue(bytes.subarray(from, from + cut));
        controller.close();
      },
    });
    return { out: await new Response(sseFrames(source, { frames, capBytes, requestId: 1 }) as unknown as BodyInit).text(), frames };
  };
  const dataOf = (out: string): Record<string, unknown> => JSON.parse(/data: (\{.*"gantry-part".*\})/.exec(out)![1]!) as Record<string, unknown>;
  for (const end of ['\n', '\r\n', '\r']) {
    const small = [`: hi`, ``, `event: endpoint`, `data: /x`, ``, `id: 3`, `data: {"jsonrpc":"2.0",`, `data: "id":1,"result":{}}`, ``, ``].join(end);
    for (const cut of [1, 2, 7, 1000]) {
      const { out, frames } = await through(small, cut);
      expect(out.replaceAll(/\r\n?/g, '\n')).toMatch(/^: hi\n\nevent: endpoint\ndata: \/x\n\n/);
      expect(out).toContain('id: 3\ndata: ');
      expect(frames.take(dataOf(out))).toMatchObject({ kind: 'message', message: { id: 1, result: {} } });
    }
    const rounded = [`id: 4`, `data: {"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"n":9007199254740993}}}`, ``, ``].join(end);
    for (const cut of [1, 1000]) {
      const { out, frames } = await through(rounded, cut);
      expect(out).toContain('id: 4\ndata: ');
      expect(frames.take(dataOf(out))).toMatchObject({ kind: 'message', exact: [{ place: '/structuredContent/n', text: '9007199254740993' }] });
      expect(frames.take(dataOf(out))).toBeNull();
    }
  }
  const large = `event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${'x'.repeat(300_000)}"}]}}\n\n`;
  const stood = await through(large, 65_536);
  const part = stood.frames.take(dataOf(stood.out));
  expect(part).toMatchObject({ kind: 'message', message: { id: 1, result: { content: [] } } });
  if (part?.kind === 'message') part.held?.release();
  const over = await through(`${large}: after\n\n`, 65_536, 200_000);
  expect(over.out).toContain(': after\n\n');
  expect(over.frames.take(dataOf(over.out))).toMatchObject({ kind: 'unreadable', id: 1, fault: { code: 'too_large' } });
});

test('CL64 of a name that stands twice the value that counts is named, and no other', () => {
  const big = '9007199254740993';
  const places = (text: string): string[] => {
    const read: unknown = JSON.parse(text);
    return sourceNumbers(text).map(({ place, read: number }) => {
      expect([place, place.split('/').slice(1).reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], read)]).toEqual([place, number]);
      return place;
    });
  };
  expect(places(`{"a":${big},"a":5}`)).toEqual([]);
  expect(places(`{"a":5,"a":${big}}`)).toEqual(['/a']);
  expect(places(`{"a":{"b":[${big},{"c":${big}}],"d":${big}},"ab":${big},"a":{"d":1}}`)).toEqual(['/ab']);
  expect(places(`{"a":[{"x":${big}},{"x":${big},"x":1}],"x":${big}}`)).toEqual(['/a/0/x', '/x']);
  expect(places(`{"a":{"b":${big}},"a":{"b":${big},"c":{"b":${big}}},"\u0061":{"c":${big}}}`)).toEqual(['/a/c']);
  expect(places(`[${`{"a":${big},"a":0},`.repeat(2_000)}{"a":${big}}]`)).toEqual(['/2000/a']);
  // what is read of unpaired surrogates is one name
  expect(sourceNumbers(`{"\ud800":${big},"\ud801":1}`)).toEqual([]);
});

test('CL64 numbers are found with their pointers where a double changes them, and nowhere else', () => {
  const found = (text: string): unknown => {
    JSON.parse(text);
    return sourceNumbers(text).map(({ place, text: number }) => [place, number]);
  };
  expect(found('{"a":[1,{"b/c~":9007199254740993}],"x":"9007199254740993","d":{"e":0.12345678901234567890,"\\u0041":-1e-400}}')).toEqual([['/a/1/b~1c~0', '9007199254740993'], ['/d/e', '0.12345678901234567890'], ['/d/A', '-1e-400']]);
  expect(found('[9007199254740992,1e21,0.1,0.30000000000000004,0.10000000000000001,1.0,-0,123456789012345680000,"\\"12345678901234567\\\\",0e99]')).toEqual([]);
  // no double is so large: the text alone says what was sent
  expect(found('{"n":[1e400,-1e999]}')).toEqual([['/n/0', '1e400'], ['/n/1', '-1e999']]);
  expect(found('[[],[[],123456789012345678]]')).toEqual([['/1/1', '123456789012345678']]);
  expect(readFrame(Buffer.from('[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{"n":12345678901234567891}}]'))).toMatchObject([{ exact: [] }, { exact: [{ place: '/n', text: '12345678901234567891' }] }]);
  expect(readFrame(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"n":12}}'))[0]).not.toHaveProperty('exact');
});
