import { threadId } from 'node:worker_threads';
import { spawn } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import { PrivacyFilter } from '../evidence/privacy-filter.ts';
import { FrameLane, LARGE_FRAME_BYTES } from '../servers/frame-lane.ts';
import { readFrame } from '../servers/incoming-frame.ts';
import { createHarness, REPO, type Harness } from '../servers/pool-harness.fixture.ts';
import type { Outcome } from './call-outcome.ts';
import type { JudgeOrder } from './judge-held.ts';
import { judgeResult, type ValidatedCall } from './judge-result.ts';
import { World, openTestLine, type TestLine } from './open-test-line.ts';
import { SchemaChecker } from '../capabilities/schema-checker.ts';

const WORKER = new URL('./frame-worker.ts', import.meta.url);
const SERVER = `${REPO}/e2e/fixtures/large-server.mjs`;
const SECRET = 'canary-large-51c0';
/** a call's input may not hold the secret itself */
const BACKWARDS = [...SECRET].reverse().join('');
const MIB = 1_048_576;
const OUTPUT = { type: 'object', properties: { data: { type: 'object', additionalProperties: { type: 'integer' } } }, required: ['data'] };

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

interface Large {
  readonly t: TestLine;
  readonly lane: FrameLane;
  readonly pool: Harness['pool'];
  call(name: string, input: object, principal?: string): Promise<Outcome>;
}

const httpServer = async (): Promise<string> => {
  const child = spawn(process.execPath, [SERVER, '--http', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  endings.push(() => child.kill('SIGKILL'));
  return new Promise((done) => child.stderr.on('data', (text: Buffer) => /LISTEN (\S+)/.test(String(text)) && done(/LISTEN (\S+)/.exec(String(text))![1]!)));
};

/** The real line on a real pool and a real server; judging an output in the host's thread fails the test. */
const large = async (over: 'stdio' | 'http' = 'stdio', options: { readonly limits?: ConstructorParameters<typeof FrameLane>[1]; readonly worker?: URL; readonly env?: Record<string, string>; readonly tier?: 'high_write' } = {}): Promise<Large> => {
  const lane = new FrameLane(options.worker ?? WORKER, options.limits);
  const h = createHarness({ open: { frames: lane } });
  endings.push(() => lane.close(), h.close);
  if (over === 'stdio') h.add('srv', { kind: 'command', command: process.execPath, args: [SERVER] }, { env: Object.fromEntries(Object.entries(options.env ?? {}).map(([name, plain]) => [name, { plain }])) });
  else h.add('srv', { kind: 'http', url: `${await httpServer()}/mcp` });
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  const world = new World();
  world.secrets = [{ ref: 'r', value: SECRET }];
  const t = openTestLine(world, {
    pool: h.pool,
    validator: (_candidate, side) => {
      if (side === 'output') throw new Error('an output was judged in the thread of the host');
      return { ok: true, value: () => ({ ok: true }) };
    },
  });
  const call = async (name: string, input: object, principal = 'user'): Promise<Outcome> => {
    // megabytes on a loaded machine take longer than an ordinary read may
    world.tool({ name, tier: options.tier ?? 'read_only', ...(options.tier ? {} : { callClass: 'slow_read' as const }), ...(name === 'keys' ? { outputSchema: OUTPUT } : {}) });
    const waiting = t.line.tryCall({ capabilityId: `mcp:srv:tool:${name}`, principal, input, wait: true });
    await new Promise((done) => setImmediate(done));
    for (const a of t.line.approvals.list('pending')) void t.line.approvals.decide(a.id, 'approve', { by: 'me' });
    const outcome = await waiting;
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.value;
  };
  return { t, lane, pool: h.pool, call };
};

const storedText = (t: TestLine, invocationId: string): string => (t.store.connection.prepare('SELECT result_json AS x, typeof(result_json) AS type FROM invocations WHERE id = ?').get(invocationId) as { x: string }).x;

test.each(['stdio', 'http'] as const)('CL60 what is large is parsed and judged in a worker over %s: keys, text, base64, errors; the host gets a preview and stores the bytes', async (over) => {
  const { t, lane, call } = await large(over);
  const keys = await call('keys', { n: 30_000 });
  expect(keys).toMatchObject({ state: 'completed', class: 'stored', result: { structuredContent: { data: { 'key number 0': 1, '[shortened]': '50 of 30000 members' } } } });
  const text = await call('text', { bytes: 3 * MIB, backwards: BACKWARDS });
  expect(text).toMatchObject({ state: 'completed', class: 'stored', result: { masked: [{ place: '/content/0/text', kind: 'secret', count: 2 }] } });
  expect(String(text.result?.content[0]?.['text'])).toMatch(/shortened, \d+ of 31457\d\d characters/);
  const picture = await call('base64', { bytes: 5 * MIB });
  expect(picture).toMatchObject({ state: 'completed', class: 'ok', result: { content: [{ type: 'image', data: '[6990508 characters of base64, not shown here]' }] } });
  const failed = await call('fail', { bytes: 3 * MIB, backwards: BACKWARDS });
  expect(failed).toMatchObject({ state: 'failed', class: 'tool_error', code: 'tool_error', fault: { details: { category: 'not_found' } } });
  expect(lane.readBy).toHaveLength(4);
  expect(lane.readBy).not.toContain(threadId);

  for (const outcome of [keys, text, picture, failed]) {
    const whole = storedText(t, outcome.invocationId);
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
    expect(whole).not.toContain(SECRET);
    expect(whole).not.toContain('alice');
    expect(JSON.stringify(outcome).length).toBeLessThan(600_000);
  }
  expect(storedText(t, text.invocationId).length).toBeGreaterThan(3 * MIB);
  expect(JSON.parse(storedText(t, keys.invocationId)).structuredContent.data['key number 29999']).toBe(1);
  expect(t.store.connection.prepare(`SELECT DISTINCT typeof(result_json) AS type FROM invocations`).all()).toEqual([{ type: 'text' }]);
});

test('CL60 an event of a stream, and a declared schema that does not fit, are judged there too', async () => {
  const { lane, call } = await large('http');
  expect(await call('text', { bytes: MIB, stream: true })).toMatchObject({ state: 'completed', class: 'stored' });
  const wrong = await call('keys', { n: 20_000, value: 1.5, stream: true });
  expect(wrong).toMatchObject({ state: 'failed', code: 'invalid_result', fault: { field: '/structuredContent/data/key number 0' } });
  expect(lane.readBy).toHaveLength(2);
});

test('CL63 what windows are told and shown of a large result is the preview made when it was judged; the chain binds it', async () => {
  const { t, call } = await large();
  const outcome = await call('text', { bytes: 4 * MIB });
  const told = t.heard.filter((h) => h.name === 'invocation:changed').map((h) => (h.payload as { invocation: { result: unknown } }).invocation.result).filter((result) => result !== null);
  expect(told).toEqual([outcome.result]);
  // the whole result is not read for it: what stands there now would not parse
  t.store.connection.prepare(`UPDATE invocations SET result_json = 'x' || result_json`).run();
  expect(t.line.get(outcome.invocationId)).toMatchObject({ ok: true, value: { result: outcome.result } });
  const { readRun } = await import('../evidence/read-runs.ts');
  const { verifyRun } = await import('../evidence/verify-run.ts');
  expect(readRun(t.store, outcome.runId)).toMatchObject({ ok: true, value: { run: { invocations: [{ result: outcome.result }] } } });
  expect(await verifyRun(t.store, outcome.runId)).toMatchObject({ value: { ok: false, firstBad: { reason: expect.stringContaining('stored result') } } });
  t.store.connection.prepare(`UPDATE invocations SET result_json = substr(result_json, 2)`).run();
  expect(await verifyRun(t.store, outcome.runId)).toMatchObject({ value: { ok: true } });
  t.store.connection.prepare(`UPDATE result_previews SET preview_json = replace(preview_json, 'lorem', 'other')`).run();
  expect(await verifyRun(t.store, outcome.runId)).toMatchObject({ value: { ok: false, firstBad: { reason: expect.stringContaining('preview') } } });
  t.store.connection.prepare(`DELETE FROM result_previews`).run();
  expect(await verifyRun(t.store, outcome.runId)).toMatchObject({ value: { ok: false, firstBad: { reason: expect.stringContaining('preview') } } });
  expect(t.line.get(outcome.invocationId)).toMatchObject({ value: { result: { notes: [expect.stringContaining('beginning of the stored text')], content: [{ text: expect.stringContaining('lorem') }] } } });
});

test.each([['read_only', 'interrupted'], ['high_write', 'outcome_unknown']] as const)('CL62 a worker that dies over an answer ends that %s call as %s; the others, and the server, go on', async (tier, code) => {
  const { call, pool, lane } = await large('stdio', { worker: new URL('./dying-worker.fixture.ts', import.meta.url), ...(tier === 'high_write' ? { tier } : {}) });
  const [lost, small] = await Promise.all([call('text', { bytes: MIB }), call('small', {})]);
  expect(lost).toMatchObject({ state: 'failed', code, fault: { details: { cause: 'internal', mayHaveRun: true } } });
  expect(small).toMatchObject({ state: 'completed', class: 'ok' });
  expect(await call('small', {})).toMatchObject({ class: 'ok' });
  expect(pool.status('srv').state).toBe('ready');
  expect(lane.readBy).toEqual([]);
});

test('CL62 more structure than a parser should be given is too_large before it is parsed', async () => {
  const { call } = await large();
  expect(await call('lists', { n: 6_000_000 })).toMatchObject({ state: 'failed', code: 'too_large', class: 'too_large', fault: { details: { limitBytes: 16 * MIB, mayHaveRun: true } } });
  expect(await call('small', {})).toMatchObject({ class: 'ok' });
});

test.each([['read_only', 'interrupted'], ['high_write', 'outcome_unknown']] as const)('CL62 a lane that is ended while it reads ends its %s call as %s, never as not sent', async (tier, code) => {
  const { call, lane } = await large('stdio', tier === 'high_write' ? { tier } : {});
  const waiting = call('text', { bytes: 8 * MIB });
  await expect.poll(() => lane.readBy.length, { interval: 1 }).toBe(1);
  await lane.close();
  expect(await waiting).toMatchObject({ state: 'failed', code, fault: { details: { mayHaveRun: true } } });
});

test('CL62 a step over its time ends its call as too_large', async () => {
  const { call } = await large('stdio', { limits: { stepMs: 1 } });
  // the first answer of a worker includes its start, which has a time of its own
  const all = [await call('text', { bytes: MIB }), await call('text', { bytes: 12 * MIB }), await call('text', { bytes: 12 * MIB })];
  expect(all.map((o) => o.code)).toContain('too_large');
  for (const o of all) if (o.code) expect(o).toMatchObject({ class: 'too_large', fault: { details: { limit: 'time', mayHaveRun: true } } });
});

test('CL25 F12 both budgets are reached at once: 15 MiB of text beside 19 MiB of binary data; more is too_large and the connection stays', { timeout: 120_000 }, async () => {
  const { call, pool } = await large();
  expect(await call('both', { text: 15 * MIB, bytes: 19 * MIB })).toMatchObject({ state: 'completed', class: 'stored' });
  expect(await call('both', { text: 17 * MIB, bytes: 0 })).toMatchObject({ code: 'too_large', fault: { details: { limitBytes: 16 * MIB } } });
  expect(await call('both', { text: 0, bytes: 21 * MIB })).toMatchObject({ code: 'too_large', fault: { details: { limitBytes: 20 * MIB } } });
  // over what is read at once: read past
  expect(await call('both', { text: 60 * MIB, bytes: 0 })).toMatchObject({ code: 'too_large', class: 'too_large', fault: { details: { mayHaveRun: true } } });
  expect(await call('small', {})).toMatchObject({ class: 'ok' });
  expect(pool.status('srv').state).toBe('ready');
});

test('CL64 numbers that reading rounds keep their source text, small or large, over stdio and HTTP; the result is read, named and not grounded', async () => {
  for (const over of ['stdio', 'http'] as const) {
    const { t, call } = await large(over);
    for (const bytes of [0, LARGE_FRAME_BYTES]) {
      for (const stream of over === 'http' ? [true, false] : [false]) {
        const outcome = await call('numbers', { literal: '9007199254740993', bytes, stream });
        expect(outcome).toMatchObject({ state: 'completed', result: { structuredContent: { total: 9007199254740992 }, exactNumbers: [{ place: '/structuredContent/total', text: '9007199254740993' }], notes: ['The number at /structuredContent/total was sent as 9007199254740993; reading it gives 9007199254740992.'] } });
        expect(t.line.get(outcome.invocationId)).toMatchObject({ value: { grounded: false } });
        const endless = await call('numbers', { literal: '1e400', bytes, stream });
        expect(endless).toMatchObject({ code: 'invalid_result', fault: { field: '/structuredContent/total' } });
        expect(endless.result).toMatchObject({ exactNumbers: [{ place: '/structuredContent/total', text: '1e400' }], notes: [expect.stringContaining('sent as 1e400; it is larger than any number')] });
        const carried = await call('numbers', { literal: '0.30000000000000004', bytes, stream });
        expect(carried.result?.exactNumbers).toBeUndefined();
        expect(t.line.get(carried.invocationId)).toMatchObject({ value: { grounded: true } });
      }
    }
  }
});

// the two callers of the one judge

const parityLane = new FrameLane(WORKER);
const schemas = new SchemaChecker();
afterAll(() => parityLane.close());

const both = async (json: string, order: JudgeOrder): Promise<[ValidatedCall, ValidatedCall]> => {
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${json}}`);
  const [frame] = readFrame(bytes);
  if (frame?.kind !== 'message') throw new Error('no message');
  const filter = new PrivacyFilter(() => order.secrets);
  const here = judgeResult({ raw: frame.message['result'], sizeBytes: frame.sizeBytes, notes: frame.notes, exact: frame.exact }, order.about, {
    filter,
    judgeOutput: (value) => {
      const compiled = schemas.compile(order.outputSchema, order.fingerprint, 'output');
      return compiled.ok ? compiled.value(value) : null;
    },
  });
  const read = await parityLane.read(Uint8Array.from(bytes));
  if (!read.ok) throw new Error(read.error.message);
  const judged = await read.value[0]!.held!.judge(order);
  if (!judged.ok) throw new Error(judged.error.message);
  const there = judged.value as ValidatedCall;
  return [here, there.stored === null ? there : { ...there, stored: { ...there.stored, text: Buffer.from(there.stored.text as Uint8Array).toString('utf8') } }];
};

const SECRETS = [{ ref: 'r', value: SECRET }];
const words = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.constantFrom(SECRET, 'ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'Error: not found', '/home/alice/x', '\ud800', '__proto__', ''));
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, words, fc.double(), fc.maxSafeInteger(), fc.boolean(), fc.constant(null), fc.array(tie('value'), { maxLength: 5 }), fc.dictionary(words, tie('value'), { maxKeys: 5 })),
})).value;
const block = fc.oneof(fc.record({ type: fc.constant('text'), text: words }), fc.record({ type: fc.constant('image'), mimeType: fc.constant('image/png'), data: fc.base64String() }), value);
const resultJson = fc
  .tuple(fc.record({ content: fc.oneof(fc.array(block, { maxLength: 4 }), value), structuredContent: value, isError: fc.oneof(fc.boolean(), value), other: value }, { requiredKeys: [] }), fc.constantFrom('', '9007199254740993', '1e400', '0.12345678901234567890', '1e-400'))
  .map(([result, number]) => {
    const text = JSON.stringify(result);
    return number === '' ? text : text.replace(/\}$/, `${text === '{}' ? '' : ','}"exactly":[${number}]}`);
  });

test('CL61 the worker and the host judge every result alike', async () => {
  await fc.assert(
    fc.asyncProperty(resultJson, fc.boolean(), fc.constantFrom(null, { type: 'object' }, { type: 'object', additionalProperties: { type: 'string' } }), async (json, effects, outputSchema) => {
      const source = { serverId: 'srv', capabilityId: 'mcp:srv:tool:x', serverName: 's', serverVersion: '1' };
      const [here, there] = await both(json, { about: { effects, kind: 'tool', askedUri: null, contextBytes: 100, model: { textBytes: 5_000 }, declaresOutput: outputSchema !== null, source }, outputSchema, fingerprint: JSON.stringify(outputSchema), secrets: SECRETS });
      expect(there).toEqual(here);
    }),
    { numRuns: 300 },
  );
});
