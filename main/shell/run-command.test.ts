import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pinnedNode } from './setup.mjs';
import { ended, repositoryRoot, serveHeadless } from './shell-under-test.ts';

// each command is a process, and some start a host: slow beside other work

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'gantry-command-'));

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly value: { readonly ok: boolean; readonly value?: unknown; readonly error?: { readonly code: string } };
}
const gantry = (dataDir: string, args: readonly string[], stdin = ''): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = execFile(pinnedNode(repositoryRoot), [`${repositoryRoot}main/command.ts`, '--data-dir', dataDir, ...args], { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => {
      try {
        resolve({ code: child.exitCode ?? -1, stdout, value: JSON.parse(stdout) as Ran['value'] });
      } catch {
        reject(new Error(`not JSON: ${stdout}`));
      }
    });
    child.stdin?.end(stdin);
  });

test('I15 the command prints one line of JSON and nothing else, and its exit code says ok or not', async () => {
  const dataDir = newFolder();
  const { child } = await serveHeadless(dataDir);
  const good = await gantry(dataDir, ['rpc', 'health:ready', '{}']);
  expect([good.code, good.stdout]).toEqual([0, '{"ok":true,"value":{"ready":true}}\n']);
  const bad = await gantry(dataDir, ['rpc', 'runs:get', '{"runId":"none"}']);
  expect([bad.code, bad.value]).toMatchObject([1, { ok: false, error: { code: 'not_found' } }]);
  expect(bad.stdout.split('\n')).toHaveLength(2);
  expect(await gantry(dataDir, ['rpc', 'no:such', '{}'])).toMatchObject({ code: 1, value: { error: { code: 'invalid_request' } } });
  expect(await gantry(dataDir, ['rpc', 'runs:get', '{'])).toMatchObject({ code: 1, value: { error: { code: 'invalid_request' } } });
  expect(await gantry(dataDir, ['rpc', 'settings:set', '-'], '{"language":"zh"}')).toMatchObject({ code: 0, value: { value: { settings: { language: 'zh' } } } });
  await gantry(dataDir, ['stop']);
  await ended(child);
});

test('I18 without a running host the command has one of its own; what it wrote is there for the next', async () => {
  const dataDir = newFolder();
  await gantry(dataDir, ['rpc', 'settings:set', '{"approvalExpiryMinutes":9}']);
  expect(existsSync(join(dataDir, 'host.json'))).toBe(false);
  expect(await gantry(dataDir, ['rpc', 'settings:get'])).toMatchObject({ value: { value: { settings: { approvalExpiryMinutes: 9 } } } });
  for (const verb of ['open', 'stop']) expect(await gantry(dataDir, [verb])).toMatchObject({ code: 1, value: { error: { code: 'host_not_running' } } });
});

test('I18 commands at the same time on one folder wait for one another', async () => {
  const dataDir = newFolder();
  const ran = await Promise.all([1, 2, 3].map(() => gantry(dataDir, ['rpc', 'health:ready'])));
  expect(ran.map((r) => r.code)).toEqual([0, 0, 0]);
});

test('I16 with a running host the command speaks to it, and stop ends it', async () => {
  const dataDir = newFolder();
  const { child } = await serveHeadless(dataDir);
  const status = await gantry(dataDir, ['rpc', 'health:status']);
  expect(status).toMatchObject({ code: 0, value: { value: { shell: 'loopback' } } });
  expect(await gantry(dataDir, ['rpc', 'approvals:decide', '{"approvalId":"none","decision":"approve"}'])).toMatchObject({ code: 1, value: { error: { code: 'forbidden' } } });
  expect(await gantry(dataDir, ['--approvals=script', 'rpc', 'approvals:decide', '{"approvalId":"none","decision":"approve"}'])).toMatchObject({ value: { error: { code: 'forbidden' } } });
  expect(await gantry(dataDir, ['stop'])).toMatchObject({ code: 0, value: { ok: true } });
  expect(await ended(child)).toBe(0);
});

test('I15 npm run -s gantry prints the same line through a pipe', async () => {
  const child = spawn('npm', ['run', '-s', 'gantry', '--', '--data-dir', newFolder(), 'rpc', 'health:ready', '{}'], { cwd: repositoryRoot, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  expect(await ended(child)).toBe(0);
  expect(text).toBe('{"ok":true,"value":{"ready":true}}\n');
});
