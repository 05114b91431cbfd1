import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROUTE_IDS } from '../../../shared/rendering.ts';
import { ROUTES } from './profiles.ts';
import { modelNames } from './tool-names.ts';

const capability = (serverId: string, name: string) => ({ id: `mcp:${serverId}:tool:${name}`, serverId, name });
const CHAT = ROUTES['openai-chat'].names;
const LETTER = ROUTES.moonshot.names;

test('AG01 an ordinary name stays readable', () => {
  expect([...modelNames([capability('files', 'read_file')], CHAT)]).toEqual([['mcp:files:tool:read_file', 'files__read_file']]);
});

test('AG01 names that clash after cleaning are all told apart', () => {
  const names = [...modelNames([capability('a', 'x.y'), capability('a', 'x/y'), capability('a', 'x_y'), capability('a', 'X_Y'), capability('a', '获取天气'), capability('a', '发送邮件')], CHAT).values()];
  expect(new Set(names.map((n) => n.toLowerCase())).size).toBe(6);
});

test('AG01 a tool that is called what another is called with its hash is told apart from it', () => {
  const odd = capability('a', 'x/y');
  const hashed = modelNames([odd], CHAT).get(odd.id)!;
  const impostor = capability('a', hashed.slice('a__'.length));
  const second = capability('a', modelNames([odd, impostor], CHAT).get(impostor.id)!.slice('a__'.length));
  const names = modelNames([odd, impostor, second], CHAT);
  expect(names.get(odd.id)).toBe(hashed);
  expect(new Set(names.values()).size).toBe(3);
});

test('AG01 a name that could be read as another server and tool has its hash, whoever else is there', () => {
  const [one, other] = [capability('a__b', 'c'), capability('a', 'b__c')];
  const both = modelNames([one, other], CHAT);
  expect(new Set(both.values()).size).toBe(2);
  expect(modelNames([one], CHAT).get(one.id)).toBe(both.get(one.id));
  expect(modelNames([other], CHAT).get(other.id)).toBe(both.get(other.id));
});

test('AG01 a route whose names begin with a letter gets one', () => {
  const names = modelNames([capability('21st', 'builder'), capability('-x', 'y'), capability('srv', '21st_builder')], LETTER);
  for (const name of names.values()) expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/);
  expect(names.get('mcp:srv:tool:21st_builder')).toBe('srv__21st_builder');
});

test('AG01 every name is legal on its route, unique without case, and leads back to its capability', () => {
  const part = fc.oneof(fc.string({ minLength: 1, unit: 'grapheme', maxLength: 120 }), fc.constantFrom('a', 'A', 'a_', '_a', 'a__b', 'b', '__', 'x.y', 'x/y'));
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(fc.constantFrom('srv', 'a', 'a__b', '1x', 'a_'), part), { maxLength: 30, selector: (pair) => pair.join(':') }), fc.constantFrom(...ROUTE_IDS), (pairs, routeId) => {
      const set = pairs.map(([serverId, name]) => capability(serverId, name));
      const { names } = ROUTES[routeId];
      const shown = modelNames(set, names);
      expect(new Set([...shown.values()].map((name) => name.toLowerCase())).size).toBe(set.length);
      for (const name of shown.values()) {
        expect(name).toMatch(/^[a-zA-Z0-9_-]+$/);
        expect(name.length).toBeLessThanOrEqual(names.maxLength);
        if (names.startsWithLetter) expect(name).toMatch(/^[a-zA-Z]/);
      }
    }),
  );
});
