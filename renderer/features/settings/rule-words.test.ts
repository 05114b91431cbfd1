import { expect, test } from 'vitest';
import { conditionOf, draftProblem, EMPTY_DRAFT, ruleStanding } from './rule-words.ts';

test('U67 a rule that allows what may have effects names one capability', () => {
  expect(draftProblem({ ...EMPTY_DRAFT, effect: 'allow' })).toBe('allow_needs_capability');
  expect(draftProblem({ ...EMPTY_DRAFT, effect: 'allow', capabilityId: 'mcp:a:tool:b' })).toBeNull();
  expect(draftProblem({ ...EMPTY_DRAFT, effect: 'allow', tier: 'read_only' })).toBeNull();
  expect(draftProblem({ ...EMPTY_DRAFT, effect: 'deny' })).toBeNull();
});

test('U67 conditions are read as written: JSON where it reads as JSON, else text', () => {
  expect(conditionOf({ pointer: 'path', op: 'within_path', value: '/notes' })).toEqual({ pointer: '/path', op: 'within_path', value: '/notes' });
  expect(conditionOf({ pointer: '/n', op: 'equals', value: '3' })).toEqual({ pointer: '/n', op: 'equals', value: 3 });
  expect(conditionOf({ pointer: '/n', op: 'equals', value: '"3"' })).toEqual({ pointer: '/n', op: 'equals', value: '3' });
  expect(conditionOf({ pointer: '/n', op: 'present', value: 'x' })).toEqual({ pointer: '/n', op: 'present' });
  expect(draftProblem({ ...EMPTY_DRAFT, conditions: [{ pointer: '/n', op: 'less_or_equal', value: '' }] })).toBe('number');
  expect(draftProblem({ ...EMPTY_DRAFT, conditions: [{ pointer: ' ', op: 'present', value: '' }] })).toBe('pointer');
  expect(draftProblem({ ...EMPTY_DRAFT, days: '0' })).toBe('days');
});

test('U67 a rule is in force until it is revoked or ends', () => {
  expect(ruleStanding({ revokedAt: null, expiresAt: null }, 5)).toBe('in_force');
  expect(ruleStanding({ revokedAt: null, expiresAt: 5 }, 5)).toBe('expired');
  expect(ruleStanding({ revokedAt: 3, expiresAt: 9 }, 5)).toBe('revoked');
});
