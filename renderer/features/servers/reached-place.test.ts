import { expect, test } from 'vitest';
import type { ReachedPlace } from '../../../shared/server.ts';
import { byKind, placeName, reachedPlaces } from './reached-place.ts';

const places: readonly ReachedPlace[] = [{ what: 'account_files', name: '' }, { what: 'environment', name: 'A' }, { what: 'argument', name: '0' }, { what: 'environment', name: 'B' }];

test('U70 what a server could reach is read from the fact, by kind, with arguments counted as people do', () => {
  expect(reachedPlaces(JSON.parse(JSON.stringify(places)))).toEqual(places);
  expect(reachedPlaces(['files your account may read'])).toBeNull();
  expect(byKind(places).map(([what, of]) => `${what} ${of.map(placeName).join(' ')}`)).toEqual(['account_files ', 'environment A B', 'argument 1']);
});
