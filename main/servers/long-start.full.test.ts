import { afterEach, expect, test } from 'vitest';
import { census, createHarness, hasCases, sleep, until, textOf, type Harness } from './pool-harness.fixture.ts';

const open: Harness[] = [];
const harness = (): Harness => {
  const h = createHarness();
  open.push(h);
  return h;
};
afterEach(async () => {
  const marks = open.map((h) => h.mark);
  await Promise.all(open.splice(0).map((h) => h.close()));
  expect(marks.flatMap(census)).toEqual([]);
});

test.skipIf(!hasCases)('C007 a first run that downloads for 40 s becomes ready by itself, from one start', { timeout: 120_000 }, async () => {
  const h = harness();
  h.addFake('srv', 'C007');
  h.addFake('fast', 'C009');
  const slow = h.pool.connect('srv');
  expect(await h.pool.connect('fast')).toEqual({ state: 'ready' });
  await sleep(20_000);
  expect(h.pool.status('srv')).toMatchObject({ state: 'connecting', latestLine: expect.stringMatching(/^fetching package [345]\/8$/) });
  expect(textOf(await h.call('fast', 'echo', { text: 'hi' }))).toBe('hi');
  expect(await slow).toEqual({ state: 'ready' });
  expect(h.starts('srv')).toHaveLength(1);
});

test.skipIf(!hasCases)('C012 a server that dies after the handshake is started at most six times in a minute, with growing gaps, and ends in crash_loop', { timeout: 120_000 }, async () => {
  const h = harness();
  h.addFake('srv', 'C012');
  await h.pool.connect('srv');
  const waits = new Set<number>();
  const sampler = setInterval(() => { const s = h.pool.status('srv'); if (s.state === 'unavailable' && s.retryAt !== undefined) waits.add(s.retryAt - s.since); }, 10);
  await sleep(60_000);
  clearInterval(sampler);
  const times = h.starts('srv');
  expect(times.length).toBeLessThanOrEqual(6);
  expect([...waits]).toEqual([...waits].sort((a, b) => a - b));
  expect(h.pool.status('srv')).toMatchObject({ state: 'unavailable', code: 'crash_loop', tries: 5, fault: { message: expect.stringContaining('5 times') } });
  void h.pool.connect('srv');
  await until(() => h.starts('srv').length === times.length + 1, 5000, 'manual start');
});

test.skipIf(!hasCases)('C028 a list that announces itself is read at most ten times in a minute', { timeout: 120_000 }, async () => {
  const h = harness();
  h.addFake('srv', 'C028');
  await h.pool.connect('srv');
  await h.call('srv', 'echo', { text: 'hi' });
  await sleep(60_000);
  expect(h.records('srv').filter((r) => r.msg?.method === 'tools/list').length).toBeLessThanOrEqual(10);
});
