import { expect, test } from 'vitest';
import type { Installation } from '../../shared/server.ts';
import { readInstallation, saveInstallation } from './installations.ts';
import { openTestStore } from './open-test-store.ts';

const installation: Installation = { kind: 'npm', package: '@s/app', version: '1.0.0', integrity: 'sha512-x', lockSha256: 'ab', dir: '/d', entry: '/d/e.js', sizeBytes: 7, installedAt: 5, scripts: [{ package: 'dep', allowed: false }] };

test('M53 an installation is stored whole, replaced by its update, and goes with its server', () => {
  const store = openTestStore();
  store.write((db) => {
    db.run("INSERT INTO servers (id, name, spec_json, args_json, env_json, headers_json, home, enabled, required, created_at) VALUES ('app', 'App', '{}', '[]', '{}', '{}', 'own', 1, 0, 1)");
    saveInstallation(db, 'app', installation);
  });
  expect(store.read((db) => readInstallation(db, 'app'))).toEqual(installation);
  const updated = { ...installation, version: '2.0.0', scripts: [] };
  store.write((db) => saveInstallation(db, 'app', updated));
  expect(store.read((db) => readInstallation(db, 'app'))).toEqual(updated);
  expect(store.read((db) => readInstallation(db, 'other'))).toBeNull();
  store.write((db) => db.run("DELETE FROM servers WHERE id = 'app'"));
  expect(store.read((db) => readInstallation(db, 'app'))).toBeNull();
  expect(() => store.write((db) => saveInstallation(db, 'gone', installation))).toThrow(/FOREIGN KEY/);
  store.close();
});
