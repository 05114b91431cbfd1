import { afterAll, expect, test } from 'vitest';
import { TestRegistry } from './open-test-registry.ts';
import { SchemaChecker } from './schema-checker.ts';

const AGENT = 'agent:default';
const schemas = new SchemaChecker();
const t = new TestRegistry(schemas);
afterAll(async () => {
  await schemas.close();
  t.close();
});
const MANY = 1_500;
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const allowed = (serverId: string): number => t.registry.serverAccess(serverId, AGENT).agentAccess.allowed;
const all = (serverId?: string) => t.registry.list({ serverId }).map((one) => one.id);
const set = (capabilityIds: readonly string[], to: boolean) => t.registry.setAccessOfMany({ principal: AGENT, capabilityIds, allowed: to }, 'user');

test('R40 a preview names exactly what a bulk change then moves, by tier, and what it leaves out', async () => {
  for (const id of ['big', 'small']) t.server(id);
  await t.offer('big', Array.from({ length: MANY }, (_, at) => tool(`tool_${at}`)));
  await t.offer('small', [tool('one'), tool('two')]);
  for (const id of all().slice(0, -1)) t.registry.review({ capabilityId: id, tier: id.endsWith('0') ? 'high_write' : 'read_only', admit: !id.endsWith('9') }, 'user');
  const preview = t.registry.accessPreview({ principal: AGENT, allowed: true });
  expect(preview.byTier).toEqual({ read_only: MANY * 0.8 + 1, high_write: MANY / 10, low_write: 0, unknown: 0 });
  expect(preview.leftOut).toBe(MANY / 10 + 1);
  expect(t.registry.rows({ principal: AGENT, order: 'registered', offset: 0, limit: 1 })).toMatchObject({ total: MANY + 2, of: MANY + 2, toReview: 1, allowable: preview.capabilityIds.length, allowed: 0 });
  const [first] = preview.capabilityIds;
  expect(await set([first!, 'mcp:big:tool:none'], true)).toEqual({ ok: true, value: { changed: 1, skipped: [{ capabilityId: 'mcp:big:tool:none', reason: 'unknown_capability' }] } });
  expect(t.registry.accessPreview({ principal: AGENT, allowed: true, words: 'big' }).capabilityIds).toEqual(preview.capabilityIds.filter((id) => id.startsWith('mcp:big:') && id !== first));
  expect(t.registry.accessPreview({ principal: AGENT, allowed: false }).capabilityIds).toEqual([first]);
});

test('R41 thousands are set in slices with other work between them, each on record; a later request waits for them, and a server whose grants are taken meanwhile gets none back', async () => {
  const heard: string[] = [];
  t.bus.on('capabilities:changed', ({ serverId }) => heard.push(serverId));
  let turns = 0;
  let going = true;
  const count = (): void => {
    turns += 1;
    if (going) setImmediate(count);
  };
  setImmediate(count);
  const granting = set(all(), true);
  const withdrawing = set([...all('small')], false);
  const done = await granting;
  going = false;
  expect(turns).toBeGreaterThan(2);
  expect(done.ok && done.value.changed).toBe(MANY * 0.9);
  expect(await withdrawing).toMatchObject({ ok: true, value: { changed: 1 } });
  expect([allowed('big'), allowed('small')]).toEqual([MANY * 0.9, 0]);
  expect(heard).toContain('big');
  expect(t.registry.history({ limit: 1_000 }).filter((change) => change.allowed && change.by === 'user')).toHaveLength(999);

  await set(all('big'), false);
  const again = set(all('big'), true);
  await new Promise((resume) => setImmediate(resume));
  expect(t.registry.revokeAll('big', 'user')).toBeGreaterThan(0);
  const stopped = await again;
  expect(allowed('big')).toBe(0);
  expect(stopped.ok && stopped.value.skipped.filter((one) => one.reason === 'quarantined').length).toBeGreaterThan(0);
});

test('R41 a store that refuses a slice ends the change with its cause and how much was moved, which holds', async () => {
  const pages = t.store.connection.pragma('page_count', { simple: true }) as number;
  const free = t.store.connection.pragma('freelist_count', { simple: true }) as number;
  // room for the first slices only
  t.store.connection.exec(`CREATE TABLE IF NOT EXISTS filler (x TEXT) STRICT; INSERT INTO filler SELECT hex(randomblob(1900)) FROM json_each('[${Array(free).fill(1).join(',')}]')`);
  t.store.connection.pragma(`max_page_count = ${pages + free + 110}`);
  const answer = await set(all('big'), true);
  t.store.connection.pragma('max_page_count = 1000000');
  expect(answer).toMatchObject({ ok: false, error: { code: 'store_write_failed' } });
  const moved = answer.ok ? -1 : Number(answer.error.details?.['changed']);
  expect(moved).toBeGreaterThan(0);
  expect(moved).toBeLessThan(MANY * 0.9);
  expect(allowed('big')).toBe(moved);
});

test('R42 capabilities are narrowed by how they stand, and ordered by name where a page asks for it', async () => {
  t.server('odd');
  await t.offer('odd', [tool('b'), tool('a'), { name: 'broken', inputSchema: { $ref: 'https://elsewhere.example/x' } }]);
  const names = (query: object): string[] => t.registry.rows({ principal: AGENT, order: 'registered', offset: 0, limit: 50, serverId: 'odd', ...query }).rows.map((row) => row.name);
  expect(names({ order: 'name' })).toEqual(['a', 'b', 'broken']);
  expect(names({ standing: 'excluded' })).toEqual(['broken']);
  t.registry.review({ capabilityId: 'mcp:odd:tool:a', tier: 'read_only', admit: true }, 'user');
  await set(['mcp:odd:tool:a'], true);
  expect(names({ standing: 'allowed' })).toEqual(['a']);
  expect(names({ standing: 'not_allowed' })).toEqual(['b', 'broken']);
  expect(names({ standing: 'needs_review' })).toEqual(['b']);
  await t.offer('odd', [{ ...tool('a'), description: 'says more now' }, tool('b')]);
  expect(names({ standing: 'changed' })).toEqual(['a']);
  expect(names({ standing: 'unavailable' })).toEqual(['broken']);
  expect(t.registry.rows({ principal: AGENT, order: 'registered', offset: 0, limit: 50, standing: 'flagged', words: 'odd' }).rows).toEqual([]);
});
