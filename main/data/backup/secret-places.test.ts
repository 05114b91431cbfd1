import { expect, test } from 'vitest';
import type { ServerRow } from '../../store/servers.ts';
import { secretPlaces } from './secret-places.ts';

test('DA44 places that need a secret are named as they are where one is entered, arguments after their flag or by their position', () => {
  const row = {
    id: 'a', name: 'A', spec: { kind: 'command', command: 'node', args: ['server.js'] }, args: ['--token', { secretRef: '1' }, { secretRef: '2' }], env: { KEY: { secretRef: '3' }, MODE: { plain: 'x' } }, headers: { Authorization: { secretRef: '4' } },
    placeholders: { P: { secretRef: '5' } }, home: 'own', enabled: false, required: false, era: null, eraAt: null, marketEntryId: null, quarantinedAt: null, consentedFingerprint: null, createdAt: 1,
  } satisfies ServerRow;
  expect(secretPlaces(row).map(({ place }) => place)).toEqual(['env.KEY', 'header.Authorization', 'placeholder.P', 'arg.--token', 'arg.4']);
});
