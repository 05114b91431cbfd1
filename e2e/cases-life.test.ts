import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CASES_SKIPPED, CasePlay, hasCases, scenarioOf } from './support/case-play.ts';
import { until } from './support/census.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(!hasCases)(`the life of a server, played against the product ${CASES_SKIPPED}`, () => {
  let play: CasePlay;
  beforeEach(async () => {
    play = new CasePlay();
    await play.start();
  });
  afterEach(() => play.end());

  test('C012 a relaunch that is waited for is cancelled by switching off, and a start by a person counts anew', async () => {
    await play.add('srv', 'C012');
    await play.ask('servers:connect', { serverId: 'srv' });
    const waiting = async (tries: number): Promise<boolean> => {
      const { status } = await play.server('srv');
      return status.state === 'unavailable' && status.retryAt !== undefined && status.tries === tries;
    };
    await until('the second wait', () => waiting(2));
    await play.ask('servers:disable', { serverId: 'srv' });
    const { length } = play.starts('srv');
    await pause(3000);
    expect(play.starts('srv')).toHaveLength(length);
    expect(await play.server('srv')).toMatchObject({ state: 'unavailable', code: 'disabled', enabled: false });
    await play.ask('servers:enable', { serverId: 'srv' });
    await until('the first wait again', () => waiting(1));
  });

  test('C014 neither the server nor what it started lives after switching off, after removal, after quit', async () => {
    const ended = async (act: () => Promise<unknown>, count: number): Promise<void> => {
      await until('two recorded processes', () => play.live('srv').length === count);
      await act();
      await until('both are gone', () => play.live('srv').length === 0);
    };
    await play.add('srv', 'C014');
    await play.ask('servers:connect', { serverId: 'srv' });
    await ended(() => play.ask('servers:disable', { serverId: 'srv' }), 2);
    await play.ask('servers:enable', { serverId: 'srv' });
    await play.becomes('srv', 'ready');
    await ended(() => play.ask('servers:remove', { serverId: 'srv' }), 2);
    expect((await play.ask('servers:list', {})).servers).toEqual([]);
    // a wrapper whose real server has a session of its own
    const command = play.script('wrapper.sh', `setsid ${play.playerLine('srv', 'C014').map((word) => `"${word}"`).join(' ')}`);
    await play.add('srv', 'C014', { command });
    expect(await play.ask('servers:connect', { serverId: 'srv' })).toEqual({ state: 'ready' });
    await ended(() => play.gantry.stop(), 3);
  });

  test('C014 a quit in the middle of a start leaves nothing, however deaf the server is', async () => {
    const deaf = [{ on: 'start', do: [{ spawnChild: { seconds: 600 } }, { record: 'up' }, { delayMs: 60_000 }] }, { on: 'signal:SIGTERM', do: [{ record: 'ignored' }] }];
    await play.add('srv', { ...scenarioOf('C014'), readAfterStart: true, script: deaf });
    void play.rpc('servers:connect', { serverId: 'srv' });
    await until('server and helper run', () => play.live('srv').length === 2);
    await play.gantry.stop();
    expect(play.live('srv')).toEqual([]);
  });

  test('C016 a server tidies up after its end of input, also below a wrapper that leaves at once', async () => {
    await play.add('srv', 'C016');
    const server = play.playerLine('below', 'C016').map((word) => `"${word}"`).join(' ');
    // the wrapper leaves as soon as the input has ended, long before its server is done
    await play.add('below', 'C016', { command: play.script('wrapper.sh', `exec 3<&0\n${server} <&3 &\nuntil grep -q stdin-eof "$FAKE_MCP_RECORD"; do sleep 0.05; done`) });
    for (const serverId of ['srv', 'below']) {
      expect(await play.ask('servers:connect', { serverId })).toEqual({ state: 'ready' });
      await play.ask('servers:disable', { serverId });
      const record = play.records(serverId);
      expect(record.filter((event) => event.text === 'clean-shutdown')).toHaveLength(1);
      expect(record.filter((event) => event.ev === 'SIGTERM')).toEqual([]);
    }
  });

  test('C018 fast clicks make one process at a time, each start waits for the end before it, and the last click counts', async () => {
    await play.add('srv', 'C018');
    let most = 0;
    const sampler = setInterval(() => (most = Math.max(most, play.live('srv').length)), 50);
    const clicks: Promise<unknown>[] = [];
    for (let n = 0; n < 10; n++) {
      clicks.push(play.ask(n % 2 === 0 ? 'servers:enable' : 'servers:disable', { serverId: 'srv' }));
      await pause(90);
    }
    clicks.push(play.ask('servers:enable', { serverId: 'srv' }), play.ask('servers:connect', { serverId: 'srv' }), play.ask('servers:connect', { serverId: 'srv' }));
    clicks.push(play.ask('servers:update', { serverId: 'srv', required: true }));
    await Promise.all(clicks);
    await play.becomes('srv', 'ready');
    await pause(1000);
    clearInterval(sampler);
    expect(await play.server('srv')).toMatchObject({ state: 'ready', enabled: true });
    expect(most).toBe(1);
    const order = play.records('srv').flatMap((event) => (event.ev === 'start' || event.ev === 'stdin-eof' ? [event.ev] : []));
    order.forEach((event, i) => i > 0 && event === 'start' && expect(order[i - 1]).toBe('stdin-eof'));
  });

  test('C018 removed or changed while it starts: nothing of the old one stays, the new configuration runs', async () => {
    const slow = { ...scenarioOf('C018'), script: [{ on: 'start', do: [{ record: 'V={{env.V}}' }, { delayMs: 1200 }] }, { on: 'stdin-eof', do: [{ exit: 0 }] }] };
    await play.add('gone', slow, { env: { V: '1' } });
    const gone = play.ask('servers:connect', { serverId: 'gone' });
    await until('it starts', () => play.starts('gone').length === 1);
    await play.ask('servers:remove', { serverId: 'gone' });
    expect(play.live('gone')).toEqual([]);
    expect((await gone).state).toBe('unavailable');
    await play.add('srv', slow, { env: { V: '1' } });
    const first = play.rpc('servers:connect', { serverId: 'srv' });
    await until('it starts', () => play.starts('srv').length === 1);
    const { fingerprint } = await play.ask('servers:update', { serverId: 'srv', env: { V: '2' } });
    expect(await play.ask('servers:connect', { serverId: 'srv', consent: fingerprint })).toEqual({ state: 'ready' });
    await first;
    expect(play.records('srv').flatMap((event) => event.text ?? [])).toEqual(['V=1', 'V=2']);
    expect(play.live('srv')).toHaveLength(1);
  });

  test('C113 switches say the same after a crash of the host; a server that fails can be switched off', async () => {
    await play.add('good', 'C113', { server: 'good' });
    await play.add('bad', 'C113', { server: 'bad' });
    await play.ask('servers:connect', { serverId: 'good' });
    expect(await play.ask('servers:connect', { serverId: 'bad' })).toMatchObject({ state: 'unavailable', code: 'exited' });
    expect(await play.server('bad')).toMatchObject({ enabled: true });
    await play.ask('servers:disable', { serverId: 'bad' });
    await play.ask('servers:disable', { serverId: 'good' });
    const switches = async () => (await play.ask('servers:list', {})).servers.map(({ id, enabled, state, code }) => ({ id, enabled, state, code }));
    const before = await switches();
    expect(before.map((s) => s.code)).toEqual(['disabled', 'disabled']);
    await play.gantry.stop('SIGKILL');
    await play.start();
    expect(await switches()).toEqual(before);
  });
});
