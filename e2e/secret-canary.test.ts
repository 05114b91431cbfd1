import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Gantry } from './support/gantry.ts';

const fixture = fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url));
const CANARY = 'kanarienvogel-7f3a"\\-9c41';

let gantry: Gantry;
let folder: string;
beforeEach(() => {
  gantry = new Gantry();
  folder = mkdtempSync(join(tmpdir(), 'gantry-canary-'));
});
afterEach(async () => {
  await gantry.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const filesBelow = (dir: string): string[] => readdirSync(dir).flatMap((name) => (statSync(join(dir, name)).isDirectory() ? filesBelow(join(dir, name)) : [join(dir, name)]));

test('A25 a configured secret reaches its own server and appears nowhere else', async () => {
  await gantry.start(['--approvals=script'], { GANTRY_PASSPHRASE: 'a long passphrase for tests' });
  const recordFile = join(folder, 'record.jsonl');
  const { serverId } = await gantry.ask('servers:add', {
    serverId: 'rec',
    spec: { kind: 'command', command: process.execPath, args: [fixture] },
    env: { RECORD_FILE: recordFile, API_TOKEN: { secret: CANARY }, NOTE_DESCRIPTION: 'plain' },
  });
  await gantry.ask('servers:connect', { serverId });
  const { server } = await gantry.ask('servers:get', { serverId });
  expect(readFileSync(`/proc/${server.connection!.pid}/environ`, 'utf8')).toContain(CANARY);
  expect(readFileSync(`/proc/${server.connection!.pid}/cmdline`, 'utf8')).not.toContain(CANARY);

  // an answer that echoes it is masked; an input that holds it is refused and its value is not repeated
  await gantry.ask('capabilities:review', { capabilityId: 'mcp:rec:tool:look', tier: 'read_only', admit: true });
  const refused = await gantry.rpc('calls:try', { capabilityId: 'mcp:rec:tool:look', input: { text: `is it ${CANARY}?` } });
  expect(refused).toMatchObject({ ok: true, value: { state: 'failed', code: 'secret_in_input', fault: { field: '/text' } } });
  const answers: unknown[] = [refused, await gantry.rpc('servers:list', {}), await gantry.rpc('servers:get', { serverId }), await gantry.rpc('secrets:list', {}), await gantry.rpc('servers:logs', { serverId })];
  for (const { runs } of [await gantry.ask('runs:list', {})]) for (const run of runs) answers.push(await gantry.rpc('runs:get', { runId: run.id }), await gantry.rpc('runs:export', { runId: run.id }));
  for (const answer of answers) expect(JSON.stringify(answer)).not.toContain('kanarienvogel');

  await gantry.stop();
  for (const file of filesBelow(gantry.dataDir)) expect(readFileSync(file).includes('kanarienvogel'), file).toBe(false);
});

const commandLines = (): Map<number, string> =>
  new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid): [number, string][] => {
        try {
          return [[Number(pid), readFileSync(`/proc/${pid}/cmdline`, 'utf8')]];
        } catch {
          return [];
        }
      }),
  );

test('A25 a secret that an app wants as an argument stands in the command line of its own process, and nowhere else', async () => {
  await gantry.start(['--approvals=script'], { GANTRY_PASSPHRASE: 'a long passphrase for tests' });
  const spec = { kind: 'command' as const, command: process.execPath, args: [fixture] };
  const args = ['--token', { secret: CANARY }, '--plain'];
  const shown = await gantry.ask('servers:preview', { spec, args });
  expect(shown.launch).toMatchObject({ args: [fixture, '--token', { secretRef: 'arg.--token' }, '--plain'] });
  expect(shown.warnings.map((warning) => warning.code)).toContain('secret_in_arguments');

  const { serverId } = await gantry.ask('servers:add', { serverId: 'rec', spec, args, env: { RECORD_FILE: join(folder, 'record.jsonl'), PRINT_ARGUMENTS: '1' } });
  expect(await gantry.ask('servers:connect', { serverId })).toMatchObject({ state: 'ready' });
  const { server } = await gantry.ask('servers:get', { serverId });
  const { pid } = server.connection!;
  expect([...commandLines()].filter(([, line]) => line.includes('kanarienvogel')).map(([one]) => one)).toEqual([pid]);
  expect(commandLines().get(pid!)!.split('\0')).toContain(CANARY);
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('kanarienvogel');

  const { lines } = await gantry.ask('servers:logs', { serverId });
  expect(lines.map((line) => line.text)).toContain('started with --token [secret] --plain');
  const answers: unknown[] = [shown, server, lines, await gantry.rpc('servers:list', {}), await gantry.rpc('secrets:list', {})];
  for (const answer of answers) expect(JSON.stringify(answer)).not.toContain('kanarienvogel');

  // kept by its reference; a new value keeps that reference, so the launch stays the one agreed to, and the server runs with it
  const ref = server.args.find((arg) => typeof arg !== 'string')!;
  expect(await gantry.ask('servers:update', { serverId, args: [fixture, '--token', ref, '--plain'] })).toEqual({ launchChanged: false, fingerprint: server.launch.fingerprint });
  expect(await gantry.ask('servers:update', { serverId, args: [fixture, '--token', { secret: 'second-value-2222' }, '--plain'] })).toEqual({ launchChanged: false, fingerprint: server.launch.fingerprint });
  await gantry.ask('servers:connect', { serverId });
  const after = (await gantry.ask('servers:get', { serverId })).server;
  expect(commandLines().get(after.connection!.pid!)!.split('\0')).toContain('second-value-2222');
  expect([...commandLines().values()].filter((line) => line.includes('kanarienvogel'))).toEqual([]);
  // a secret of another place does not get into a command line
  expect(await gantry.rpc('servers:update', { serverId, args: [{ secretRef: 'secret-of-another' }] })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/args/0' } });

  await gantry.stop();
  for (const file of filesBelow(gantry.dataDir)) for (const value of ['kanarienvogel', 'second-value-2222']) expect(readFileSync(file).includes(value), file).toBe(false);
});

test('A25 a secret can be replaced, and is never shown', async () => {
  await gantry.start(['--approvals=script'], { GANTRY_PASSPHRASE: 'a long passphrase for tests' });
  const { serverId } = await gantry.ask('servers:add', { serverId: 'rec', spec: { kind: 'command', command: process.execPath, args: [fixture] }, env: { RECORD_FILE: join(folder, 'r'), API_TOKEN: { secret: CANARY } } });
  const before = (await gantry.ask('servers:get', { serverId })).server.launch.fingerprint;
  await gantry.ask('servers:update', { serverId, env: { API_TOKEN: { secret: 'second-value-2222' } } });
  await gantry.ask('servers:connect', { serverId });
  const { server } = await gantry.ask('servers:get', { serverId });
  expect(readFileSync(`/proc/${server.connection!.pid}/environ`, 'utf8')).toContain('second-value-2222');
  expect(server.env['API_TOKEN']).toHaveProperty('secretRef');
  expect((await gantry.ask('secrets:list', {})).secrets).toHaveLength(1);
  expect(typeof before).toBe('string');
});

test('A19 the command cannot decide approvals unless the host was started for it', async () => {
  await gantry.start();
  const { serverId } = await gantry.ask('servers:add', { serverId: 'rec', spec: { kind: 'command', command: process.execPath, args: [fixture] }, env: { RECORD_FILE: join(folder, 'r') } });
  await gantry.ask('servers:connect', { serverId });
  const call = await gantry.ask('calls:try', { capabilityId: 'mcp:rec:tool:note', input: { text: 'x' }, wait: false });
  expect(await gantry.rpc('approvals:decide', { approvalId: call.approvalId!, decision: 'approve' })).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  expect((await gantry.ask('approvals:get', { approvalId: call.approvalId! })).approval.state).toBe('pending');
});

test('N07 a web page cannot talk to the loopback shell', async () => {
  const address = new URL(await gantry.start());
  const open = (origin: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${address.port}/`, { origin });
      socket.once('open', () => resolve('open'));
      socket.once('error', () => resolve('refused'));
    });
  expect(await open('https://evil.example')).toBe('refused');
  expect(await open('null')).toBe('refused');
});
