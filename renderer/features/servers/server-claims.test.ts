import { expect, test } from 'vitest';
import type { DiscoveryFact, ServerState } from '../../../shared/server.ts';
import { addedAs, emptyClaim, givenVariables, isLoopbackUrl, isRegistering } from './server-claims.ts';

const notOffered = { outcome: 'not_offered' } as const;
const read = (count: number, malformed: { index: number; reason: string }[] = []) => ({ outcome: 'read' as const, count, partial: false, malformed });
const lists = (tools: DiscoveryFact['tools'], at = 5): DiscoveryFact => ({ at, launchFingerprint: 'f', tools, resources: notOffered, resourceTemplates: notOffered, prompts: notOffered });
const ready: ServerState = { state: 'ready', since: 6 };
const failed: ServerState = { state: 'unavailable', since: 6, code: 'exited', fault: { code: 'exited', message: '' } };

test('U21 only a reading that counted nothing is called empty', () => {
  expect(emptyClaim({ status: { state: 'installed' }, discovery: null })).toBe('notYet');
  expect(emptyClaim({ status: { state: 'discovering', since: 4 }, discovery: lists(read(5)) })).toBe('reading');
  expect(emptyClaim({ status: ready, discovery: lists(read(5)) })).toBe('reading');
  expect(emptyClaim({ status: failed, discovery: lists(read(5)) })).toBe('notYet');
  expect(emptyClaim({ status: ready, discovery: lists({ outcome: 'failed', fault: { code: 'discovery_failed', message: '' } }) })).toBe('unreadable');
  expect(emptyClaim({ status: ready, discovery: lists(read(0, [{ index: 0, reason: 'no name' }])) })).toBe('unreadable');
  expect(emptyClaim({ status: ready, discovery: lists(read(0)) })).toBe('none');
});

test('U21 lists of this connection that are read are being registered, those of an earlier one are not', () => {
  expect(isRegistering({ status: { state: 'discovering', since: 4 }, discovery: lists(read(5)) })).toBe(true);
  expect(isRegistering({ status: { state: 'discovering', since: 9 }, discovery: lists(read(5)) })).toBe(false);
});

test('U21 a loopback address is this computer, and looks alike are not', () => {
  for (const url of ['http://127.0.0.1:9/mcp', 'http://127.9.9.9/', 'http://localhost:3000', 'http://a.localhost', 'http://[::1]:1/x', 'http://2130706433/']) expect(isLoopbackUrl(url), url).toBe(true);
  for (const url of ['https://127.0.0.1.example.com', 'https://localhost.example', 'http://10.0.0.1', 'http://0.0.0.0', 'no address']) expect(isLoopbackUrl(url), url).toBe(false);
});

test('U21 an address is saved and a command is added; neither is called installed', () => {
  expect([addedAs({ kind: 'http' }), addedAs({ kind: 'command' }), addedAs({ kind: 'npm' }), addedAs({ kind: 'builtin' })]).toEqual(['saved', 'added', 'installed', 'installed']);
});

test('U21 the home folder and the host’s mark are not said to be copied from the environment', () => {
  expect(givenVariables({ env: {}, inheritedEnv: ['GANTRY_SERVER_TOKEN', 'HOME', 'LANG', 'PATH'] })).toEqual({ copied: ['LANG', 'PATH'], home: ['HOME'], mark: 'GANTRY_SERVER_TOKEN' });
  expect(givenVariables({ env: { HOME: { plain: '/x' } }, inheritedEnv: ['PATH'] })).toEqual({ copied: ['PATH'], home: [], mark: null });
  expect(givenVariables({ env: {}, inheritedEnv: ['HOMEDRIVE', 'HOMEPATH', 'Path', 'USERPROFILE'] })).toEqual({ copied: ['Path'], home: ['HOME', 'USERPROFILE'], mark: null });
});
