import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServerIdSchema } from '../../../shared/server.ts';
import { deriveServerId } from './server-id.ts';

test('H04 an id is readable, legal and free', () => {
  expect(deriveServerId({ kind: 'npm', package: '@modelcontextprotocol/server-filesystem' }, () => false)).toBe('filesystem');
  expect(deriveServerId({ kind: 'npm', package: '@upstash/context7-mcp' }, () => false)).toBe('context7');
  expect(deriveServerId({ kind: 'npm', package: '@mantine/mcp-server' }, () => false)).toBe('mantine');
  expect(deriveServerId({ kind: 'npm', package: 'mcp-server' }, () => false)).toBe('mcp-server');
  expect(deriveServerId({ kind: 'npm', package: 'mcp-server-time' }, () => false)).toBe('time');
  expect(deriveServerId({ kind: 'npm', package: '@stripe/mcp' }, (id) => id === 'stripe')).toBe('stripe-2');
  expect(deriveServerId({ kind: 'command', command: 'uvx' }, () => false, { name: 'Time', entryId: 'time' })).toBe('time');
  expect(deriveServerId({ kind: 'builtin', name: 'environment' }, (id) => id === 'environment')).toBe('environment-2');
  expect(deriveServerId({ kind: 'command', command: 'host' }, () => false)).toBe('server');
});

test('H04 whatever is added gets a legal id that no other has', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (command, names) => {
      const taken = new Set(names);
      const id = deriveServerId({ kind: 'command', command }, (x) => taken.has(x));
      expect(ServerIdSchema.safeParse(id).success).toBe(true);
      expect(taken.has(id)).toBe(false);
    }),
  );
});
