import { afterEach, expect, test } from 'vitest';
import { census, createHarness, ECHO, hasCases, sleep, textOf, type Harness } from '../pool-harness.fixture.ts';
import { visit } from './person.fixture.ts';

const open: Harness[] = [];
const harness = (options: Parameters<typeof createHarness>[0] = {}): Harness => {
  const h = createHarness(options);
  open.push(h);
  return h;
};
afterEach(async () => {
  const marks = open.map((h) => h.mark);
  await Promise.all(open.splice(0).map((h) => h.close()));
  expect(marks.flatMap(census)).toEqual([]);
});

const signIn = async (h: Harness, serverId: string, url: string) => {
  const begun = await h.pool.signIns.begin(serverId, url);
  if (!begun.ok) throw new Error(JSON.stringify(begun.error));
  const seen = await visit(begun.value.pending.address);
  return { pending: begun.value.pending, seen, ended: await begun.value.done };
};

test.skipIf(!hasCases)('C099 issuers that differ by a slash at the end alone are one', async () => {
  const h = harness();
  const base = await h.serveFake('srv', 'C099');
  h.add('srv', { kind: 'http', url: `${base}/mcp` });
  expect(await h.pool.connect('srv')).toMatchObject({ state: 'unavailable', code: 'sign_in_required', fault: { details: { reason: 'none', host: new URL(base).host } } });
  const { ended } = await signIn(h, 'srv', `${base}/mcp`);
  expect(ended).toEqual({ ok: true, value: undefined });
  expect(h.pool.status('srv').state).toBe('ready');
  expect(textOf(await h.call('srv', 'echo', { text: 'hi' }))).toBe('hi');
});
