import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelNames } from './tool-names.ts';

const capability = (serverId: string, name: string) => ({ id: `mcp:${serverId}:tool:${name}`, serverId, name });

test('AG01 an ordinary name stays readable', () => {
  expect([...modelNames([capability('files', 'read_file')])]).toEqual([['files__read_file', 'mcp:files:tool:read_file']]);
});

test('AG01 names that clash after cleaning are all told apart', () => {
  const names = [...modelNames([capability('a', 'x.y'), capability('a', 'x/y'), capability('a', 'x_y'), capability('a', 'X_Y')]).keys()];
  expect(new Set(names.map((n) => n.toLowerCase())).size).toBe(4);
});

test('AG01 every name is legal, unique without case and leads back to its capability', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1, unit: 'grapheme', maxLength: 120 }), { maxLength: 30 }), (toolNames) => {
      const set = toolNames.map((n) => capability('srv', n));
      const names = modelNames(set);
      expect(names.size).toBe(set.length);
      for (const name of names.keys()) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(new Set(names.values())).toEqual(new Set(set.map((c) => c.id)));
    }),
  );
});
