import { afterAll, expect, test } from 'vitest';
import { CapabilityRowSchema } from '../../shared/capability.ts';
import { TestRegistry } from './open-test-registry.ts';
import { SchemaChecker } from './schema-checker.ts';

const AGENT = 'agent:default';
const schemas = new SchemaChecker();
const t = new TestRegistry(schemas);
afterAll(async () => {
  await schemas.close();
  t.close();
});
const ALL = { principal: AGENT, order: 'registered', offset: 0, limit: 20_000 } as const;
const tool = (name: string, description = `${name} things`) => ({ name, description, inputSchema: { type: 'object' } });
const names = (query: Partial<Parameters<typeof t.registry.rows>[0]>): readonly string[] => t.registry.rows({ ...ALL, ...query }).rows.map((row) => row.name);

test('R39 rows say of each capability what the whole list says, page by page, and count all that fits', async () => {
  for (const id of ['fs', 'db']) t.server(id);
  await t.offer('fs', [tool('read'), tool('write'), tool('long', 'x'.repeat(5_000)), { name: 'same', inputSchema: { type: 'object' } }]);
  await t.offer('db', [tool('query', 'Asks the Notes'), { name: 'same', inputSchema: { type: 'object' } }]);
  t.registry.review({ capabilityId: 'mcp:fs:tool:read', tier: 'read_only', admit: true }, 'user');
  t.registry.setAccess({ principal: AGENT, capabilityId: 'mcp:fs:tool:read', allowed: true }, 'user');
  t.registry.sourceLeft('db', 'disabled');

  const whole = new Map(t.registry.list().map((one) => [one.id, one]));
  const { rows, total } = t.registry.rows(ALL);
  expect([total, rows.length]).toEqual([6, 6]);
  for (const row of rows) {
    expect(CapabilityRowSchema.parse(row)).toEqual(row);
    const { flagCount, description, ...same } = row;
    expect(whole.get(row.id)).toMatchObject(same);
    expect(flagCount).toBe(whole.get(row.id)?.flags.length);
    expect(whole.get(row.id)?.description?.startsWith(description ?? '') ?? description === undefined).toBe(true);
  }
  expect(rows.find((row) => row.name === 'long')?.description).toHaveLength(1_000);
  expect(rows.find((row) => row.serverId === 'db')).toMatchObject({ available: false, unavailableReason: 'disabled' });

  expect(names({ serverId: 'db' })).toEqual(['query', 'same']);
  expect(names({ words: 'notes ASKS' })).toEqual(['query']);
  expect(names({ tier: 'read_only' })).toEqual(['read']);
  expect(names({ needsReview: true })).not.toContain('read');
  const pages = [0, 4].map((offset) => t.registry.rows({ ...ALL, offset, limit: 4 }));
  expect(pages.flatMap((page) => page.rows)).toEqual(rows);
  expect(pages.map((page) => page.total)).toEqual([6, 6]);
});

test('R39 a server tells of its tools how many the agent may use and how many it could be given', () => {
  expect(t.registry.serverAccess('fs', AGENT).agentAccess).toEqual({ tools: 4, allowed: 1, allowable: 0 });
  t.registry.setAccess({ principal: AGENT, capabilityId: 'mcp:fs:tool:read', allowed: false }, 'user');
  expect(t.registry.serverAccess('fs', AGENT).agentAccess).toEqual({ tools: 4, allowed: 0, allowable: 1 });
  expect(t.registry.serverAccess('none', AGENT).agentAccess).toEqual({ tools: 0, allowed: 0, allowable: 0 });
});
