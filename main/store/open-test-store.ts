import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteStore } from './database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/all.ts';

/** A fresh, fully migrated store in a temporary folder, for tests. */
export const openTestStore = (): SqliteStore => {
  const store = new SqliteStore(join(mkdtempSync(join(tmpdir(), 'gantry-store-')), 'gantry.db'));
  migrate(store.connection, migrations);
  return store;
};
