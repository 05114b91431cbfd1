import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { BUILT_IN_AGENT } from '../../shared/principal.ts';
import { TestRegistry } from '../capabilities/open-test-registry.ts';
import { SchemaChecker } from '../capabilities/schema-checker.ts';
import { rankForPerson } from './guided-planner.ts';
import { SelectionPipeline } from './selection/pipeline.ts';
import { ToolSelector } from './selection/tool-selector.ts';

const schemas = new SchemaChecker();
afterAll(() => schemas.close());
const pipeline = new SelectionPipeline({ selector: new ToolSelector(fileURLToPath(new URL('../../assets/selection', import.meta.url))), choices: { opinion: () => () => 0 }, semantic: null, log: { warn: () => undefined, error: () => undefined } });

const open = async (): Promise<TestRegistry> => {
  const world = new TestRegistry(schemas);
  world.server('files');
  world.server('sky');
  await world.offer('files', [
    { name: 'read_file', description: 'Read the complete contents of a file from the file system.', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
    { name: 'delete_file', description: 'Delete a file.', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
    { name: 'broken_file', description: 'Read a file.', inputSchema: { type: 'object', $ref: 'https://example.com/elsewhere' } },
  ]);
  await world.offer('sky', [{ name: 'get_forecast', description: 'Weather forecast for a location for the next days.', inputSchema: { type: 'object', properties: { latitude: { type: 'number' } } } }]);
  return world;
};
const ask = (world: TestRegistry, request: string, principal: string = BUILT_IN_AGENT) => rankForPerson({ request, principal, limit: 5 }, { registry: world.registry, pipeline, serverName: (id) => `the ${id}` });
const names = (tools: readonly { readonly name: string }[]): string[] => tools.map(({ name }) => name);

test('GP01 what may be used now is a candidate, what fits as well stands apart with stage and reason, in either language', async () => {
  const world = await open();
  expect(await ask(world, 'Read the file notes.txt')).toMatchObject({ candidates: [], tools: 4, others: [{ name: 'read_file', serverName: 'the files', loss: { stage: 'admitted', reason: 'needs_review' }, usable: true }, expect.anything()] });
  const id = 'mcp:files:tool:read_file';
  world.registry.review({ capabilityId: id, tier: 'read_only', admit: true }, 'window');
  expect((await ask(world, 'Read the file notes.txt')).others[0]).toMatchObject({ name: 'read_file', tier: 'read_only', loss: { stage: 'granted', reason: 'not_granted' } });
  world.registry.setAccessOfMany({ principal: BUILT_IN_AGENT, capabilityId: id, allowed: true }, 'window');
  for (const request of ['Read the file notes.txt', '读取这个文件的内容']) {
    const plan = await ask(world, request);
    expect(plan.candidates).toMatchObject([{ capabilityId: id, loss: null, usable: true }]);
    expect(names(plan.others)).not.toContain('read_file');
  }
  expect((await ask(world, 'Read a file')).others.find(({ name }) => name === 'broken_file')).toMatchObject({ loss: { stage: 'admitted' }, usable: false });
  world.states.set('files', { ready: false, reason: 'not_connected' });
  world.registry.sourceLeft('files', 'disabled');
  expect((await ask(world, 'Read the file notes.txt')).others[0]).toMatchObject({ name: 'read_file', loss: { stage: 'fresh_healthy' }, usable: false });
  expect(names((await ask(world, 'Wie wird das Wetter? weather forecast', 'user')).candidates)).toEqual(['get_forecast']);
});

test('GP02 a request that no tool has anything to do with finds none', async () => {
  const world = await open();
  for (const request of ['asdf qwer', 'give me a hug', '🙂', '!!!']) expect(await ask(world, request, 'user')).toMatchObject({ candidates: [], others: [], tools: 4 });
  expect(names((await ask(world, 'what is the weather in Lisbon', 'user')).candidates)).toEqual(['get_forecast']);
});

test('GP03 each says what speaks for it and which words of the request it has', async () => {
  const world = await open();
  const [first] = (await ask(world, 'Please delete my old files', 'user')).candidates;
  expect(first).toMatchObject({ name: 'delete_file', matched: ['delete', 'files'] });
  expect(first!.reasons).toEqual(expect.arrayContaining(['name', 'words']));
  expect((await ask(world, '明天的天气预报', 'user')).candidates[0]).toMatchObject({ name: 'get_forecast', matched: [] });
});
