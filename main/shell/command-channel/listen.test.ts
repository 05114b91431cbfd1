import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ok } from '../../../shared/result.ts';
import { openTestHost } from '../test-host.ts';
import { askHost } from './ask-host.ts';
import { newChannelPath } from './channel-path.ts';
import { readHostFile } from './host-file.ts';
import { listenForCommands, type CommandChannel } from './listen.ts';
import { readLine } from './read-line.ts';

const open: CommandChannel[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((channel) => channel.close()));
});
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'gantry-channel-'));

const listen = async (dataDir: string, approvals: 'window' | 'script' = 'window') => {
  const host = openTestHost();
  const events: string[] = [];
  const channel = await listenForCommands({
    host,
    dataDir,
    shell: 'loopback',
    approvals,
    open: () => Promise.resolve(ok({ shown: 'printed', events: events.push('open') })),
    stop: () => events.push('stop'),
  });
  open.push(channel);
  return { host, events, channel };
};

/** Sends one raw line and reads the answer. */
const raw = async (path: string, line: string): Promise<string | null> => {
  const socket = connect(path);
  const answer = readLine(socket, 1024 * 1024);
  socket.write(`${line}\n`);
  return answer;
};

test('I16 the command reaches the host of its data folder; host.json and the socket are for this user alone', async () => {
  const dataDir = newFolder();
  const { host } = await listen(dataDir);
  expect(await askHost(dataDir, { kind: 'rpc', name: 'health:ready', input: {} })).toEqual({ ok: true, value: { ready: true } });
  expect(host.callers).toEqual([{ kind: 'command', canDecide: false }]);
  expect(statSync(join(dataDir, 'host.json')).mode & 0o777).toBe(0o600);
  expect(statSync(join(dataDir, 'host.sock')).mode & 0o777).toBe(0o600);
});

test('N08 who finds the channel but not the token is refused, and nothing runs', async () => {
  const dataDir = newFolder();
  const { host } = await listen(dataDir);
  const path = readHostFile(dataDir)?.channel ?? '';
  for (const token of ['', 'guess', 'x'.repeat(43)]) {
    expect(JSON.parse((await raw(path, JSON.stringify({ kind: 'rpc', token, name: 'health:ready', input: {} }))) ?? '')).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  }
  for (const line of ['', 'junk', '[]', '{"kind":"rpc"}']) expect(JSON.parse((await raw(path, line)) ?? '')).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
  expect(host.callers).toEqual([]);
});

test('I19 the command decides only on a host started with --approvals=script, and is on record as a script', async () => {
  const [plain, scripted] = [newFolder(), newFolder()];
  await listen(plain);
  const { host } = await listen(scripted, 'script');
  const decide = { kind: 'rpc', name: 'approvals:decide', input: { approvalId: 'a', decision: 'approve' } } as const;
  expect(await askHost(plain, decide)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  expect(await askHost(scripted, decide)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(host.callers).toEqual([{ kind: 'script', canDecide: true }]);
});

test('I17 a host.json that a crash left behind is known to be stale', async () => {
  const dataDir = newFolder();
  const request = { kind: 'rpc', name: 'health:ready', input: {} } as const;
  expect(await askHost(dataDir, request)).toBeNull();
  for (const text of ['', '{}', '{"pid":"x"}', JSON.stringify({ pid: process.pid, startedAt: 1, shell: 'loopback', approvals: 'window', channel: join(dataDir, 'gone.sock'), token: 'x'.repeat(43) })]) {
    writeFileSync(join(dataDir, 'host.json'), text);
    expect(await askHost(dataDir, request)).toBeNull();
  }
  await listen(dataDir);
  expect(await askHost(dataDir, request)).toMatchObject({ ok: true });
});

test('I17 closing takes away the file and the socket, but not the file of a later host', async () => {
  const dataDir = newFolder();
  const { channel } = await listen(dataDir);
  await channel.close();
  expect([existsSync(join(dataDir, 'host.json')), existsSync(join(dataDir, 'host.sock'))]).toEqual([false, false]);
  const { channel: first } = await listen(dataDir);
  const other = readFileSync(join(dataDir, 'host.json'), 'utf8').replace(/"token":"./, '"token":"_');
  writeFileSync(join(dataDir, 'host.json'), other);
  await first.close();
  expect(readFileSync(join(dataDir, 'host.json'), 'utf8')).toBe(other);
});

test('I16 open and stop reach the host; the command is given no window token', async () => {
  const dataDir = newFolder();
  const { events } = await listen(dataDir);
  expect(JSON.stringify(await askHost(dataDir, { kind: 'open' }))).not.toContain('token');
  await askHost(dataDir, { kind: 'stop' });
  await expect.poll(() => events).toEqual(['open', 'stop']);
});

test('I16 a data folder with a long name gets its socket elsewhere, and Windows a pipe', async () => {
  const dataDir = join(newFolder(), 'n'.repeat(120));
  mkdirSync(dataDir);
  const { channel } = await listen(dataDir);
  expect(await askHost(dataDir, { kind: 'rpc', name: 'health:ready', input: {} })).toMatchObject({ ok: true });
  const path = readHostFile(dataDir)?.channel ?? '';
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  await channel.close();
  expect(existsSync(join(path, '..'))).toBe(false);
  expect(newChannelPath('C:\\Users\\a\\Gantry', 'win32').path).toMatch(/^\\\\\.\\pipe\\gantry-[\w-]{43}$/);
});

test('I16 inputs and answers of several megabytes and any script pass unchanged', async () => {
  const dataDir = newFolder();
  const { host } = await listen(dataDir);
  const seen: unknown[] = [];
  host.handle = (_name, input) => {
    seen.push(input);
    return Promise.resolve(ok(input));
  };
  const input = { text: '秋 \u2028 \ud83c\udfd7 '.repeat(500_000), lone: '\ud800' };
  expect(await askHost(dataDir, { kind: 'rpc', name: 'market:search', input })).toEqual({ ok: true, value: input });
  expect(seen).toEqual([input]);
});
