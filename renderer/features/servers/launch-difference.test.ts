import { expect, test } from 'vitest';
import type { Launch } from '../../../shared/server.ts';
import { consentedLaunch, launchDifference } from './launch-difference.ts';

const launch: Launch = { kind: 'stdio', command: '/usr/bin/node', args: ['a.js'], cwd: '/w', env: { A: { plain: '1' }, KEY: { secretRef: 'r1' } }, inheritedEnv: [], home: '/h', fingerprint: 'f1' };

test('U14 a changed launch names each part that differs', () => {
  const after: Launch = { ...launch, args: ['b.js'], home: '/other', env: { KEY: { secretRef: 'r1' }, B: { plain: '2' } }, fingerprint: 'f2' };
  expect([...launchDifference(launch, after)].sort()).toEqual(['home', 'line', 'value.A', 'value.B']);
  expect(launchDifference(launch, launch).size).toBe(0);
});

test('U14 the launch agreed to is taken from its own fact, and never from a broken one', () => {
  const fact = (data: Record<string, unknown>) => ({ step: 'consented' as const, at: 1, ok: true, data });
  expect(consentedLaunch([fact({ launch: { kind: 'stdio' } }), fact({ launch })], 'f1')).toEqual(launch);
  expect(consentedLaunch([fact({ launch })], 'f0')).toBeNull();
  expect(consentedLaunch([], 'f1')).toBeNull();
});
