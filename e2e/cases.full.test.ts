import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CASES_SKIPPED, CasePlay, hasCases, scenarioOf } from './support/case-play.ts';

vi.setConfig({ testTimeout: 300_000 });

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(!hasCases)(`cases at their own length, played against the product ${CASES_SKIPPED}`, () => {
  let play: CasePlay;
  beforeEach(async () => {
    play = new CasePlay();
    await play.start();
  });
  afterEach(() => play.end());

  test('C007 forty seconds of download, and eighty of silence, end ready from one start each', async () => {
    await play.add('srv', 'C007');
    await play.add('silent', { ...scenarioOf('C007'), script: [{ on: 'start', do: [{ delayMs: 80_000 }] }] });
    await play.add('fast', 'C009');
    const slow = play.ask('servers:connect', { serverId: 'srv' });
    const silent = play.ask('servers:connect', { serverId: 'silent' });
    expect(await play.ask('servers:connect', { serverId: 'fast' })).toEqual({ state: 'ready' });
    await pause(20_000);
    expect((await play.server('srv')).status).toMatchObject({ state: 'connecting', latestLine: expect.stringMatching(/^fetching package [345]\/8$/) });
    expect(await play.echo('fast')).toBe('hi');
    expect(await slow).toEqual({ state: 'ready' });
    expect(await silent).toEqual({ state: 'ready' });
    for (const serverId of ['srv', 'silent']) expect(play.starts(serverId)).toHaveLength(1);
  });

  test('C012 a minute of a server that dies after the handshake: six starts at most, growing gaps, a stable end that tells how often', async () => {
    await play.add('srv', 'C012');
    await play.ask('servers:connect', { serverId: 'srv' });
    const waits = new Set<number>();
    for (let second = 0; second < 60; second += 0.2) {
      const { status } = await play.server('srv');
      if (status.state === 'unavailable' && status.retryAt !== undefined) waits.add(status.retryAt - status.since);
      await pause(200);
    }
    expect(play.starts('srv').length).toBeLessThanOrEqual(6);
    expect([...waits]).toEqual([...waits].sort((a, b) => a - b));
    const { status } = await play.server('srv');
    expect(status).toMatchObject({ state: 'unavailable', code: 'crash_loop', tries: 5, fault: { message: expect.stringContaining('5 times') } });
  });
});
