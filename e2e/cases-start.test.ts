import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CASES_SKIPPED, CasePlay, hasCases, scenarioOf } from './support/case-play.ts';
import { until } from './support/census.ts';

describe.skipIf(!hasCases)(`launching, played against the product ${CASES_SKIPPED}`, () => {
  let play: CasePlay;
  beforeEach(() => {
    play = new CasePlay();
  });
  afterEach(() => play.end());

  /** As a desktop starts it: `env -i HOME SHELL PATH`; the launcher is in a version manager's folder that only the shell's start-up files name. */
  const bareStart = async (profile: string, extra: Readonly<Record<string, string>> = {}): Promise<void> => {
    mkdirSync(join(play.folder, 'home/verman/bin'), { recursive: true });
    play.script('home/verman/bin/fake-mcp', `exec ${play.playerLine('srv', 'C001').map((word) => `"${word}"`).join(' ')}`);
    for (const name of ['.zprofile', '.bash_profile']) writeFileSync(join(play.folder, 'home', name), profile);
    await play.start({}, { HOME: join(play.folder, 'home'), SHELL: '/bin/bash', PATH: '/usr/bin:/bin', ...extra });
    await play.add('srv', 'C001', { command: 'fake-mcp' });
  };

  test('C001 a host started with the bare system PATH finds the launcher of the login shell, banner and all', async () => {
    await bareStart(`echo 'Welcome!'\nprintf 'no line break'\nexport PATH="$HOME/verman/bin:$PATH"\necho 'PATH=/wrong'\n`);
    expect(await play.ask('servers:connect', { serverId: 'srv' })).toEqual({ state: 'ready' });
    expect(await play.echo('srv')).toBe('hi');
    const { launch } = await play.server('srv');
    expect(launch).toMatchObject({ kind: 'stdio', command: join(play.folder, 'home/verman/bin/fake-mcp') });
  });

  test('C001 what no shell knows is named with the folders that were searched, and an absolute path helps', async () => {
    await bareStart(`echo 'Welcome!'\n`);
    const connected = await play.ask('servers:connect', { serverId: 'srv' });
    expect(connected).toMatchObject({ state: 'unavailable', code: 'command_not_found' });
    expect(connected.fault?.message).toContain('fake-mcp');
    expect(connected.fault?.details?.['searchedPath']).toEqual(expect.arrayContaining(['/usr/bin', '/bin']));
    expect(JSON.stringify(connected.fault)).not.toContain('Welcome');
    const { fingerprint } = await play.ask('servers:update', { serverId: 'srv', command: join(play.folder, 'home/verman/bin/fake-mcp') });
    expect(await play.ask('servers:connect', { serverId: 'srv', consent: fingerprint })).toEqual({ state: 'ready' });
  });

  test('C001 a start-up file that hangs is not waited for to its end, and the host answers meanwhile', async () => {
    await bareStart('sleep 600\n');
    const order: string[] = [];
    const hanging = play.ask('servers:connect', { serverId: 'srv' }).finally(() => order.push('connected'));
    await play.ask('market:search', { query: '' }).finally(() => order.push('searched'));
    expect(await hanging).toMatchObject({ code: 'command_not_found' });
    expect(order).toEqual(['searched', 'connected']);
  });

  test('C003 a launcher in a folder with a space gets exactly the arguments that were configured', async () => {
    await play.start();
    const argv = ['hello world', 'a&b', '100%', 'say "hi"', 'C:\\My Dir\\', '', 'two\nlines', '--ü=目录'];
    const command = play.script('fake dir/start.cmd', `exec ${play.playerLine('srv', 'C003').map((word) => `"${word}"`).join(' ')} "$@"`);
    await play.add('srv', 'C003', { command, args: argv });
    await play.add('near', scenarioOf('C003'), { command: './start.cmd', cwd: join(play.folder, 'fake dir'), args: argv, env: { EMPTY: '' } });
    for (const serverId of ['srv', 'near']) {
      expect(await play.ask('servers:connect', { serverId })).toEqual({ state: 'ready' });
      expect(play.starts(serverId)[0]?.argv).toEqual(argv);
    }
    expect(await play.echo('srv')).toBe('hi');
  });

  test('C007 a slow first start shows what it prints, one start only, while another server is used', async () => {
    await play.start();
    const slow = scenarioOf('C007');
    const steps = [{ repeat: 8, do: [{ stderr: 'fetching package {{n}}/8\n' }, { stderr: '\rtar {{n}}0%' }, { delayMs: 50 }] }, { waitFile: join(play.folder, 'downloaded') }];
    await play.add('srv', { ...slow, script: [{ on: 'start', do: steps }] });
    await play.add('fast', 'C009');
    const connecting = play.ask('servers:connect', { serverId: 'srv' });
    expect(await play.ask('servers:connect', { serverId: 'fast' })).toEqual({ state: 'ready' });
    expect(await play.echo('fast', 'meanwhile')).toBe('meanwhile');
    await until('the latest line is shown', async () => {
      const { status } = await play.server('srv');
      expect(status.state).not.toBe('unavailable');
      return status.state === 'connecting' && /^(fetching package \d\/8|tar \d+%)$/.test(status.latestLine ?? '');
    });
    writeFileSync(join(play.folder, 'downloaded'), '');
    expect(await connecting).toEqual({ state: 'ready' });
    expect(play.starts('srv')).toHaveLength(1);
  });

  test('C009 a healthy server that writes to stderr is no failed server, and its lines are no errors', async () => {
    await play.start();
    await play.add('srv', 'C009');
    expect(await play.ask('servers:connect', { serverId: 'srv' })).toEqual({ state: 'ready' });
    expect(await play.echo('srv')).toBe('hi');
    const health = await play.ask('health:status', {});
    expect(health.notices).toEqual([]);
    expect((await play.ask('servers:list', {})).servers.filter((s) => s.state !== 'ready')).toEqual([]);
    const { lines } = await play.ask('servers:logs', { serverId: 'srv' });
    expect(lines.map((line) => line.text)).toEqual(['Docs server v2 running on stdio', 'WARNING: using default key', 'Error: optional cache missing, continuing']);
    expect(new Set(lines.map((line) => line.source))).toEqual(new Set(['stderr']));
    expect((await play.server('srv')).facts.filter((fact) => !fact.ok)).toEqual([]);
  });

  test('C010 a megabyte on stderr in each call freezes nothing; what is kept is capped, and every line is counted', async () => {
    await play.start();
    await play.add('srv', 'C010');
    await play.ask('servers:connect', { serverId: 'srv' });
    for (let n = 0; n < 3; n++) expect(await play.echo('srv')).toBe('hi');
    const logs = () => play.ask('servers:logs', { serverId: 'srv' });
    const came = async (): Promise<number> => {
      const { lines, droppedLines } = await logs();
      return lines.filter((line) => line.source === 'stderr').reduce((sum, line) => sum + (line.count ?? 1), droppedLines);
    };
    await until('every line is counted', async () => (await came()) === 3 * 1024);
    expect((await logs()).lines.reduce((sum, line) => sum + line.text.length, 0)).toBeLessThan(64 * 1024);
  });
});
