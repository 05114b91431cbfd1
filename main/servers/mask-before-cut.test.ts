import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createMasker } from '../secrets/mask.ts';
import { LineSplitter } from './line-splitter.ts';
import { census, createHarness, until, type Harness } from './pool-harness.fixture.ts';

const SECRET = 'CANARYq7Zx9Kp3vLm8Rt2Wy5Bn1Dc6Fg4Hj0Sa';
const mask = createMasker(
  ((known) => () => known)([{ ref: 'a', value: SECRET }]),
);
const open: Harness[] = [];
const harness = (): Harness => {
  const h = createHarness({ mask });
  open.push(h);
  return h;
};
afterEach(async () => {
  const marks = open.map((h) => h.mark);
  await Promise.all(open.splice(0).map((h) => h.close()));
  expect(marks.flatMap(census)).toEqual([]);
});
/** The secret so that a cut at `cap` would fall into it. */
const across = (cap: number): string => `${'x '.repeat(cap).slice(0, cap - 20)}${SECRET} end`;
const leaks = (value: unknown): boolean => /CANARY|Fg4Hj0Sa/.test(JSON.stringify(value));
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });

test('S61 words of a server are masked before they are cut: errors, progress, odd lines, ids, stderr', async () => {
  const h = harness();
  h.addFake('srv', {
    transport: 'stdio',
    tools: [tool('err'), tool('odd')],
    script: [
      { on: 'tools/call', match: { params: { name: 'err' } }, do: [{ progress: { progress: 1, message: across(500) } }, { error: { code: -32000, message: across(400), data: { [SECRET]: across(200) } } }] },
      {
        on: 'tools/call',
        do: [{ raw: `${across(2048)}\n` }, { raw: `${across(500)}\n` }, { send: { jsonrpc: '2.0', id: across(80), result: {} } }, { send: { jsonrpc: '2.0', id: across(300), result: {} } }, { stderr: `${across(65_536)}\n` }, { stderr: `${across(8192)}\n` }, { reply: 'default' }],
      },
    ],
  });
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  const told: unknown[] = [];
  const failed = await h.call('srv', 'err', {}, { onProgress: (progress) => told.push(progress) });
  expect(failed).toMatchObject({ kind: 'rpc_error', message: expect.stringMatching(/\[secret\] end$/) });
  expect(told).toHaveLength(1);
  expect((await h.call('srv', 'odd', {})).kind).toBe('result');
  await until(() => h.pool.logs('srv').lines.filter((line) => line.source === 'stderr').length >= 2);
  const diagnostics = h.pool.diagnostics('srv');
  expect(diagnostics).toMatchObject({ junkLines: 2 });
  expect(leaks([failed, told, h.pool.logs('srv'), diagnostics])).toBe(false);
});

test('S61 a refusal of the handshake is masked before it is cut', async () => {
  const h = harness();
  h.addFake('srv', { transport: 'stdio', script: ['initialize', 'server/discover'].map((on) => ({ on, do: [{ error: { code: -32000, message: across(500) } }] })) });
  const outcome = await h.pool.connect('srv');
  expect(outcome).toMatchObject({ state: 'unavailable', fault: { message: expect.stringContaining('[secret]') } });
  expect(leaks([outcome, h.pool.status('srv'), h.pool.logs('srv')])).toBe(false);
});

test('S61 an endless line of stderr is never cut inside a secret, wherever the chunks end', () => {
  for (const step of [977, 4096, 65_536]) {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(mask(line)), undefined, mask);
    const bytes = Buffer.from(`${`${SECRET}y`.repeat(9000)}\n`);
    for (let at = 0; at < bytes.length; at += step) splitter.push(bytes.subarray(at, at + step));
    expect(lines.join('') === '[secret]y'.repeat(9000), `chunks of ${step}`).toBe(true);
  }
});

test('S61 what an unfinished line shows holds no beginning of a secret, whichever way its bytes come', () => {
  for (let at = 1; at < SECRET.length; at += 1) {
    const splitter = new LineSplitter(() => {}, undefined, mask);
    splitter.push(Buffer.from(`using ${SECRET.slice(0, at)}`));
    expect(mask(splitter.unfinished)).toBe('using ');
    splitter.push(Buffer.from(`${SECRET.slice(at)} for`));
    expect(mask(splitter.unfinished)).toBe('using [secret] for');
  }
});

test('S61 while a server starts, its latest line shows no part of a secret that comes in pieces', async () => {
  const h = harness();
  const [first, second] = [SECRET.slice(0, 12), SECRET.slice(12)];
  const gate = (n: number): string => join(h.dataDir, `gate-${n}`);
  const pieces = [`using ${first}`, `${second} to`, ' sign in\n'];
  h.addFake('srv', { transport: 'stdio', tools: [tool('t')], readAfterStart: true, script: [{ on: 'start', do: pieces.flatMap((stderr, n) => [{ stderr }, { waitFile: gate(n) }]) }] });
  const seen = new Set<string>();
  const connecting = h.pool.connect('srv');
  const lines = ['using ', 'using [secret] to', 'using [secret] to sign in'];
  for (const [n, line] of lines.entries()) {
    await until(() => {
      const state = h.pool.status('srv');
      if (state.state === 'connecting' && state.latestLine !== undefined) seen.add(state.latestLine);
      return seen.has(line);
    });
    writeFileSync(gate(n), '');
  }
  expect(await connecting).toEqual({ state: 'ready' });
  expect([...seen]).toEqual(lines);
});

test('S62 what a server says of itself and of its tools is masked; a secret in a name or a key leaves the entry out', async () => {
  const h = harness();
  h.addFake('srv', {
    transport: 'stdio',
    tools: [
      tool('write', { title: `t ${SECRET}`, description: `d ${SECRET}`, inputSchema: { type: 'object', properties: { a: { enum: [SECRET] } } } }),
      tool(`n-${SECRET}`),
      tool('keys', { inputSchema: { type: 'object', properties: { [SECRET]: {} } } }),
    ],
    script: [{ on: 'initialize', do: [{ reply: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: `n ${SECRET}`, version: SECRET, title: SECRET }, instructions: `use ${SECRET}` } }] }],
  });
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  const [lists] = h.discovered;
  expect(lists).toMatchObject({
    serverInfo: { name: 'n [secret]', version: '[secret]', title: '[secret]' },
    instructions: 'use [secret]',
    fact: { tools: { count: 1, malformed: [{ index: 1, reason: 'holds_a_secret' }, { index: 2, reason: 'holds_a_secret' }] } },
    definitions: [{ definition: { name: 'write', title: 't [secret]', description: 'd [secret]', inputSchema: { properties: { a: { enum: ['[secret]'] } } } } }],
  });
  expect(leaks([lists, h.pool.connectionInfo('srv')])).toBe(false);
});
