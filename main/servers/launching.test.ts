import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { listProcesses } from '../store/processes.ts';
import { readLoginPath, SearchedPath } from './login-path.ts';
import { census, createHarness, hasCases, isAlive, sleep, textOf, until, CASES_FILE, REPO, ECHO, type Harness } from './pool-harness.fixture.ts';

const open: Harness[] = [];
const harness = (options: Parameters<typeof createHarness>[0] = {}): Harness => {
  const h = createHarness(options);
  open.push(h);
  return h;
};
afterEach(async () => {
  const marks = open.map((h) => h.mark);
  await Promise.all(open.splice(0).map((h) => h.close()));
  expect(marks.flatMap((mark) => census(mark))).toEqual([]);
});

describe.skipIf(!hasCases)('the shared cases of category a (skipped where ../shared is absent)', () => {
  const home = (profile: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'gantry-home-'));
    mkdirSync(join(folder, 'verman/bin'), { recursive: true });
    const launcher = join(folder, 'verman/bin/fake-mcp');
    writeFileSync(launcher, `#!/bin/sh\nexec "${process.execPath}" "${join(REPO, 'e2e/fixtures/fake-server.mjs')}" "${CASES_FILE}" C001 srv\n`);
    chmodSync(launcher, 0o755);
    for (const name of ['.zprofile', '.bash_profile']) writeFileSync(join(folder, name), profile);
    return folder;
  };
  const bare = (folder: string, limitMs?: number): SearchedPath => new SearchedPath('/usr/bin:/bin', () => readLoginPath({ shell: '/bin/bash', env: { HOME: folder, SHELL: '/bin/bash', PATH: '/usr/bin:/bin' }, ...(limitMs === undefined ? {} : { limitMs }) }));

  test('C001 a launcher that only the login shell knows is found, a banner does not corrupt PATH', async () => {
    const folder = home(`echo 'Welcome!'\nexport PATH="$HOME/verman/bin:$PATH"\necho 'bye'\n`);
    const path = bare(folder);
    const h = harness({ open: { path } });
    h.add('srv', { kind: 'command', command: 'fake-mcp', args: [] });
    expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
    expect(textOf(await h.call('srv', 'echo', { text: 'hi' }))).toBe('hi');
    expect(path.current.split(':')[0]).toBe(`${folder}/verman/bin`);
    expect(path.current).not.toMatch(/Welcome|bye|\n/);
  });

  test('C001 a command that is nowhere is named with the PATH that was searched', async () => {
    const h = harness({ open: { path: bare(home('echo noise\n')) } });
    h.add('srv', { kind: 'command', command: 'fake-mcp', args: [] });
    const connected = await h.pool.connect('srv');
    expect(connected.code).toBe('command_not_found');
    expect(connected.fault?.message).toContain('fake-mcp');
    expect(connected.fault?.details?.['searchedPath']).toEqual(expect.arrayContaining(['/usr/bin', '/bin']));
    expect(connected.fault?.remedy).toContain('absolute path');
  });

  test.each(['exec 1>&2', 'exec >/dev/null', 'exec 3>&-', 'exec 3>/dev/null', 'exec 1>&- 2>&-'])('C001 a start-up file that moves its output elsewhere does not hide PATH: %s', async (line) => {
    expect((await readLoginPath({ shell: '/bin/bash', env: { HOME: home(`export PATH="/verman/bin:$PATH"\n${line}\n`), PATH: '/usr/bin:/bin' } }))?.split(':')[0]).toBe('/verman/bin');
  });

  test('C001 a start-up file that hangs is waited for up to the limit, and its shell is ended', async () => {
    const profile = home('sleep 60\n');
    expect(await readLoginPath({ shell: '/bin/bash', env: { HOME: profile, PATH: '/usr/bin:/bin' }, limitMs: 400 })).toBeNull();
    await until(() => census(`HOME=${profile}`).length === 0, 90_000, 'the shell and its sleep are gone');
  });

  test('C007 (short) a first start that takes long stays "connecting" with its latest line and is not started again', async () => {
    const h = harness({ open: { startLimitMs: 1200 } });
    h.addFake('slow', { transport: 'stdio', tools: [ECHO], readAfterStart: true, script: [{ on: 'start', do: [{ repeat: 8, do: [{ stderr: 'fetching package {{n}}/8\n' }, { delayMs: 400 }] }] }] });
    h.addFake('fast', { transport: 'stdio', tools: [ECHO] });
    const slow = h.pool.connect('slow');
    expect((await h.pool.connect('fast')).state).toBe('ready');
    expect(textOf(await h.call('fast', 'echo', { text: 'meanwhile' }))).toBe('meanwhile');
    const state = await until(() => { const s = h.pool.status('slow'); return s.state === 'connecting' && s.latestLine !== undefined && s; });
    expect(state.latestLine).toMatch(/^fetching package \d\/8$/);
    expect(await slow).toEqual({ state: 'ready' });
    expect(h.starts('slow')).toHaveLength(1);
  });

  test('C009 lines on stderr are kept and mean nothing by themselves', async () => {
    const h = harness();
    h.addFake('srv', 'C009');
    expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
    expect(textOf(await h.call('srv', 'echo', { text: 'hi' }))).toBe('hi');
    await until(() => h.pool.logs('srv').lines.length >= 3);
    expect(h.pool.logs('srv').lines.map((l) => [l.source, l.text])).toEqual([
      ['stderr', 'Docs server v2 running on stdio'],
      ['stderr', 'WARNING: using default key'],
      ['stderr', 'Error: optional cache missing, continuing'],
    ]);
  });

  test('C010 a megabyte on stderr in each call blocks nothing; equal lines are one with their count', async () => {
    const h = harness();
    h.addFake('srv', 'C010');
    await h.pool.connect('srv');
    for (let n = 0; n < 3; n++) expect(textOf(await h.call('srv', 'echo', { text: 'hi' }))).toBe('hi');
    const came = (): number => h.pool.logs('srv').lines.filter((line) => line.source === 'stderr').reduce((sum, line) => sum + (line.count ?? 1), 0) + h.pool.logs('srv').droppedLines;
    await until(() => came() === 3 * 1024);
    const kept = h.pool.logs('srv').lines.reduce((sum, line) => sum + line.text.length, 0);
    expect(kept).toBeLessThan(64 * 1024);
  });

  test('C012 (short) a pause during the back-off cancels the relaunch, a manual start counts anew', async () => {
    const h = harness();
    h.addFake('srv', 'C012');
    await h.pool.connect('srv');
    await until(() => { const s = h.pool.status('srv'); return s.state === 'unavailable' && s.retryAt !== undefined; });
    await h.pool.disable('srv');
    const starts = h.starts('srv').length;
    await sleep(1800);
    expect(h.starts('srv')).toHaveLength(starts);
    expect(h.pool.status('srv')).toMatchObject({ state: 'unavailable', code: 'disabled' });
    await h.pool.enable('srv');
    await until(() => h.starts('srv').length > starts);
    await until(() => { const s = h.pool.status('srv'); return s.state === 'unavailable' && s.tries === 1; });
  });

  test('C014 a grandchild ends with its server: after disable, after remove, after close', async () => {
    const h = harness();
    const pids = (): number[] => h.records('srv').flatMap((r) => (r.ev === 'record' ? (r.text!.match(/\d+/g) ?? []).map(Number) : []));
    h.addFake('srv', 'C014');
    await h.pool.connect('srv');
    const first = await until(() => pids().length === 2 && pids());
    expect(first.every(isAlive)).toBe(true);
    await h.pool.disable('srv');
    expect(first.filter(isAlive)).toEqual([]);
    await h.pool.enable('srv');
    const second = await until(() => pids().length === 4 && pids());
    await until(() => h.pool.status('srv').state === 'ready');
    await h.pool.remove('srv');
    expect(second.filter(isAlive)).toEqual([]);
    expect(h.row('srv')).toBeNull();
    h.addFake('srv', 'C014');
    await h.pool.connect('srv');
    const third = await until(() => pids().length === 6 && pids());
    await h.pool.close();
    expect(third.filter(isAlive)).toEqual([]);
    expect(h.store.read(listProcesses)).toEqual([]);
  });

  test('C016 a server has time to tidy up after its end of input', async () => {
    const h = harness();
    h.addFake('srv', 'C016');
    await h.pool.connect('srv');
    await h.pool.disable('srv');
    const records = h.records('srv');
    expect(records.some((r) => r.text === 'clean-shutdown')).toBe(true);
    expect(records.some((r) => r.ev === 'SIGTERM')).toBe(false);
  });

  test('C018 fast on/off clicks never make two processes, and the last click wins', async () => {
    const h = harness();
    h.addFake('srv', 'C018');
    const samples: number[] = [];
    const sampler = setInterval(() => samples.push(h.census().length), 50);
    void h.pool.enable('srv');
    await sleep(150);
    void h.pool.disable('srv');
    await sleep(150);
    void h.pool.enable('srv');
    await sleep(150);
    void h.pool.disable('srv');
    await sleep(150);
    void h.pool.enable('srv');
    void h.pool.configChanged('srv');
    await until(() => h.pool.status('srv').state === 'ready', 90_000, 'ready');
    await sleep(500);
    clearInterval(sampler);
    expect(h.pool.status('srv').state).toBe('ready');
    expect(Math.max(...samples)).toBeLessThanOrEqual(1);
    const order = h.records('srv').filter((r) => r.ev === 'start' || r.ev === 'stdin-eof').map((r) => r.ev);
    order.forEach((ev, i) => i > 0 && ev === 'start' && expect(order[i - 1]).toBe('stdin-eof'));
  });
});
