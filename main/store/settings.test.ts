import { afterEach, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import type { SqliteStore } from './database.ts';
import { openTestStore } from './open-test-store.ts';
import { readSettings, settingNotices, writeSettings } from './settings.ts';

const stores: SqliteStore[] = [];
afterEach(() => stores.splice(0).forEach((store) => store.close()));
const testStore = (): SqliteStore => {
  const store = openTestStore();
  stores.push(store);
  return store;
};

test('D30 without rows every setting has its default', () => {
  const store = testStore();
  expect(store.read(readSettings)).toEqual(DEFAULT_SETTINGS);
  expect(store.read((db) => settingNotices(db, 1))).toEqual([]);
});

test('D30 a patch changes its keys and no other', () => {
  const store = testStore();
  store.write((db) => writeSettings(db, { theme: 'dark', onboardingDone: true }));
  expect(store.write((db) => writeSettings(db, { theme: 'light', language: undefined }))).toEqual({ ...DEFAULT_SETTINGS, theme: 'light', onboardingDone: true });
});

test.each([
  ['not JSON', 'theme', '{', true],
  ['out of range', 'approvalExpiryMinutes', '0', true],
  ['of a later version', 'telepathy', 'true', false],
  ['named like a property of every object', '__proto__', '{"theme":"dark"}', false],
])('D31 a row that is %s falls back to the default, stays where it is, and a notice says so', (_what, key, json, known) => {
  const store = testStore();
  store.write((db) => db.run('INSERT INTO settings VALUES (?, ?)', [key, json]));
  expect(store.read(readSettings)).toEqual(DEFAULT_SETTINGS);
  expect(store.read((db) => settingNotices(db, 7))).toMatchObject([{ code: 'setting_unreadable', at: 7, details: { key, known } }]);
  expect(store.read((db) => db.all('SELECT value_json FROM settings'))).toEqual([{ value_json: json }]);
});
