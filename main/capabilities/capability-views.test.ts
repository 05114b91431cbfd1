import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { CapabilityIndex } from './capability-index.ts';
import { capabilityView } from './capability-view.ts';
import { TestRegistry } from './open-test-registry.ts';
import { SchemaChecker } from './schema-checker.ts';

const schemas = new SchemaChecker();
afterAll(() => schemas.close());
let world: TestRegistry;
beforeEach(() => {
  world = new TestRegistry(schemas);
  for (const id of ['one', 'two']) world.server(id);
});
afterEach(() => world.close());

const TOOL = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } };
/** The same from the store alone, by one that has seen nothing before. */
const anew = () => {
  const index = world.store.read((db) => new CapabilityIndex(db, () => () => null));
  return [...index.all()].map((entry) => {
    const { available: _, unavailableReason: __, ...view } = capabilityView(entry, index, null);
    return view;
  });
};
const listed = () => world.registry.list().map(({ available: _, unavailableReason: __, ...view }) => view);

test('SE46 a list tells every change at once, though what did not change is not made again', async () => {
  const same = (): void => expect(listed().sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(anew().sort((a, b) => (a.id < b.id ? -1 : 1)));
  const { registry } = world;
  const id = 'mcp:one:tool:read';
  await world.offer('one', [TOOL, { ...TOOL, name: 'write' }]);
  same();
  registry.review({ capabilityId: id, tier: 'read_only', admit: true }, 'test');
  same();
  registry.setAccess({ principal: 'user:x', capabilityId: id, allowed: true }, 'test');
  same();
  expect(registry.list().find((one) => one.id === id)).toMatchObject({ grantedTo: ['user:x'], admitted: true, flags: [] });
  // the other server's tool of the same name is told of at the first one
  await world.offer('two', [TOOL]);
  same();
  expect(registry.list().find((one) => one.id === id)!.flags).toMatchObject([{ code: 'same_name' }]);
  await world.offer('one', [{ ...TOOL, description: 'Reads more.' }, { ...TOOL, name: 'write' }]);
  same();
  expect(registry.list().find((one) => one.id === id)).toMatchObject({ changedFields: ['description'], grantedTo: [] });
  registry.forget('two', 'test');
  expect(registry.list().find((one) => one.id === id)!.flags).toEqual([]);
  world.states.set('one', { ready: false, reason: 'disabled' });
  expect(registry.list().map(({ available, unavailableReason }) => [available, unavailableReason])).toEqual([[false, 'disabled'], [false, 'disabled']]);
  world.states.set('one', { ready: true });
  const before = registry.list();
  expect(registry.list().every((one, at) => one === before[at])).toBe(true);
  expect(await registry.listInTurns()).toEqual(before);
  registry.review({ capabilityId: id, tier: 'read_only', admit: true }, 'test');
  expect(registry.list().map((one, at) => one === before[at])).toEqual(before.map((one) => one.id !== id));
});

test('SE46 the decision for many is the decision for each, and servers that are used are those of any grant', async () => {
  await world.offer('one', [TOOL, { ...TOOL, name: 'write' }]);
  await world.offer('two', [TOOL]);
  const { registry } = world;
  for (const { id } of registry.list()) registry.review({ capabilityId: id, tier: 'read_only', admit: true }, 'test');
  registry.setAccess({ principal: 'user:x', capabilityId: 'mcp:two:tool:read', allowed: true }, 'test');
  const decided = registry.candidates('user:x', null);
  for (const id of [...registry.list().map((one) => one.id), 'mcp:none:tool:x']) expect(decided(id)).toEqual(registry.candidate(id, 'user:x', null));
  expect([...registry.serversGranted('user:x')]).toEqual(['two']);
});
