import { expect, test } from 'vitest';
import { isNewer } from './newer-version.ts';

test.each([
  ['1.2.4', '1.2.3'], ['1.10.0', '1.9.9'], ['2026.8.31', '2025.12.1'], ['2.0.0', '2.0.0-rc.1'], ['2.0.0-rc.10', '2.0.0-rc.2'], ['1.0.0-beta', '1.0.0-1'], ['v0.31.0', '0.30'], ['1.0.1', '1.0'],
])('M70 %s is newer than %s, and not the other way round', (offered, present) => {
  expect([isNewer(offered, present), isNewer(present, offered)]).toEqual([true, false]);
});

test.each([['1.2.3', '1.2.3'], ['1.0', '1.0.0'], ['1.0.0+a', '1.0.0+b'], ['latest', '1.0.0'], ['1.0.0', 'main'], ['', '']])('M70 nothing is claimed of %j and %j', (one, other) => {
  expect([isNewer(one, other), isNewer(other, one)]).toEqual([false, false]);
});
