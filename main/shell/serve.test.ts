import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { askHost } from './command-channel/ask-host.ts';
import { findBrowser } from './loopback/browser.ts';
import { ensureBuilt, pinnedNode } from './setup.mjs';
import { bridgeTo, ended, lineOf, repositoryRoot, serveHeadless } from './shell-under-test.ts';

const node = pinnedNode(repositoryRoot);
const browser = findBrowser();
const children: ChildProcess[] = [];
const start = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess => {
  const child = spawn(command, args, { cwd: repositoryRoot, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
};
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGTERM');
    await ended(child);
  }
});
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'gantry-serve-'));

/** Process ids whose command line holds `text`, read from the process table. */
const processesWith = (text: string): readonly number[] =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text) && !line.includes('ps -eo'))
    .map((line) => Number.parseInt(line, 10));
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('headless', () => {
  test('I30 SIGTERM and Ctrl-C end the host with 0 and leave neither host.json nor socket', async () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const dataDir = newFolder();
      const { child } = await serveHeadless(dataDir);
      child.kill(signal);
      expect([signal, await ended(child)]).toEqual([signal, 0]);
      expect([existsSync(join(dataDir, 'host.json')), existsSync(join(dataDir, 'host.sock'))]).toEqual([false, false]);
    }
  });

  test.each([['SIGTERM', 'npm'], ['SIGKILL', 'npm'], ['SIGKILL', 'start.mjs']] as const)('I30 npm start, --no-open: the host ends when %s ends %s', async (signal, whom) => {
    const dataDir = newFolder();
    const npm = start('npm', ['start', '--', '--data-dir', dataDir, '--no-open', '--approvals=script']);
    await lineOf(npm, /Gantry is ready: http/);
    const hostPid = (JSON.parse(readFileSync(join(dataDir, 'host.json'), 'utf8')) as { pid: number }).pid;
    if (whom === 'npm') npm.kill(signal);
    else for (const pid of processesWith(`start.mjs --data-dir ${dataDir}`)) if (pid !== npm.pid) process.kill(pid, signal);
    await expect.poll(() => isAlive(hostPid)).toBe(false);
    await expect.poll(() => processesWith(dataDir)).toEqual([]);
  });

  test('I31 a second headless start on the same folder is refused by name and harms nothing', async () => {
    const dataDir = newFolder();
    const first = await serveHeadless(dataDir);
    const second = start(node, ['main/serve.ts', '--data-dir', dataDir, '--no-open']);
    let said = '';
    second.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    expect(await ended(second)).toBe(1);
    expect(said).toContain('instance_running');
    expect(await askHost(dataDir, { kind: 'rpc', name: 'health:ready', input: {} })).toMatchObject({ ok: true });
    await askHost(dataDir, { kind: 'stop' });
    expect(await ended(first.child)).toBe(0);
  });

  test('I08 each use of the printed address prints a further one, so that a second window can be opened', async () => {
    const { child, port, token } = await serveHeadless(newFolder());
    children.push(child);
    const further = lineOf(child, /Address for a further window: http:\/\/127\.0\.0\.1:\d+\/#token=([\w-]+)\n/);
    const first = bridgeTo({ port, token });
    expect(await first.request('health:ready', {})).toMatchObject({ ok: true });
    const second = bridgeTo({ port, token: (await further)[1] ?? '' });
    expect(await second.request('health:ready', {})).toMatchObject({ ok: true });
    for (const bridge of [first, second]) bridge.close();
  });
});

describe.skipIf(!browser)('in a browser window (skipped where no Chromium is installed)', () => {
  beforeAll(() => ensureBuilt({ root: repositoryRoot, log: () => {} }), 120_000);

  /** A browser without a screen, that first writes down how it was called. */
  const headlessBrowser = (folder: string): string => {
    const path = join(folder, 'browser.sh');
    writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/argv'\ncp -p '${folder}'/data/browser/open-*.html '${folder}/redirect.html'\nexec '${browser?.path}' --headless=new "$@"\n`, { mode: 0o700 });
    return path;
  };
  const startWindow = async (folder: string, more: readonly string[] = []) => {
    const child = start(node, ['main/serve.ts', '--data-dir', join(folder, 'data'), ...more], { GANTRY_BROWSER: headlessBrowser(folder), DISPLAY: process.env['DISPLAY'] ?? ':99' });
    await lineOf(child, /Gantry is ready in its window: http/);
    return child;
  };
  const redirectFiles = (folder: string): readonly string[] => readdirSync(join(folder, 'data', 'browser')).filter((name) => name.startsWith('open-'));

  test('I12 the token is in no argument; the file that carries it is for this user alone and goes when it was used', async () => {
    const folder = newFolder();
    const child = await startWindow(folder);
    await expect.poll(() => redirectFiles(folder)).toEqual([]);
    const argv = readFileSync(join(folder, 'argv'), 'utf8');
    const token = /#token=([\w-]+)/.exec(readFileSync(join(folder, 'redirect.html'), 'utf8'))?.[1] ?? '';
    expect(token).toHaveLength(43);
    expect(statSync(join(folder, 'redirect.html')).mode & 0o777).toBe(0o600);
    expect(argv).toMatch(/^--app=file:\/\/.*open-[\w-]+\.html$/m);
    expect(argv).toContain(`--user-data-dir=${join(folder, 'data', 'browser', 'profile')}`);
    expect(argv).not.toContain(token);
    expect(processesWith(token)).toEqual([]);
    child.kill('SIGINT');
    expect(await ended(child)).toBe(0);
    await expect.poll(() => processesWith(folder)).toEqual([]);
  });

  test('I30 closing the window closes Gantry', async () => {
    const folder = newFolder();
    const child = await startWindow(folder);
    await expect.poll(() => redirectFiles(folder)).toEqual([]);
    const main = processesWith(`--user-data-dir=${join(folder, 'data', 'browser', 'profile')}`).at(0) ?? 0;
    process.kill(main, 'SIGTERM');
    expect(await ended(child)).toBe(0);
    await expect.poll(() => processesWith(folder)).toEqual([]);
  });

  test('I31 a second start shows the window of the first and ends with 0', async () => {
    const folder = newFolder();
    await startWindow(folder);
    await expect.poll(() => redirectFiles(folder)).toEqual([]);
    const second = start(node, ['main/serve.ts', '--data-dir', join(folder, 'data')]);
    await lineOf(second, /Gantry runs already; its window is being shown\./);
    expect(await ended(second)).toBe(0);
  });
});
