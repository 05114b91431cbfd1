import { afterAll, expect, test } from 'vitest';
import { TestRegistry } from './open-test-registry.ts';
import { SchemaChecker } from './schema-checker.ts';

const schemas = new SchemaChecker();
const t = new TestRegistry(schemas);
afterAll(async () => {
  await schemas.close();
  t.close();
});
/** the whole number in the full run */
const COUNT = process.env['GANTRY_FULL'] === '1' ? 5_000 : 1_000;

const tools = (words: string) =>
  Array.from({ length: COUNT }, (_, i) => ({
    name: `tool_${i}`,
    description: `Tool ${i} ${words} ${'that does something useful with the things it is given. '.repeat(6)}`,
    inputSchema: { type: 'object', properties: { path: { type: 'string', description: `the path ${i}` }, limit: { type: 'integer', minimum: 0 }, kind: { enum: ['a', 'b', 'c'] } }, required: ['path'] },
  }));

/** How often others had their turn while it registered. */
const turnsDuring = async (work: () => Promise<void>): Promise<number> => {
  let turns = 0;
  let going = true;
  const tick = (): void => {
    turns += 1;
    if (going) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  going = false;
  return turns;
};

test('S08 thousands of tools of one server register in turns with others, and are listed and decided one by one', { timeout: 120_000 }, async () => {
  t.server('big');
  for (const words of ['first', 'first', 'second']) expect(await turnsDuring(() => t.offer('big', tools(words))), words).toBeGreaterThan(COUNT / 500);
  expect(t.registry.list()).toHaveLength(COUNT);
  for (let i = 0; i < COUNT; i += 1) if (!t.registry.candidate(`mcp:big:tool:tool_${i}`, 'user').ok) throw new Error('no candidate');
  t.open();
  expect(t.registry.list()).toHaveLength(COUNT);
});
