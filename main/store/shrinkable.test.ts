import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import DatabaseConstructor from 'better-sqlite3';
import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/all.ts';
import { seedSql } from './migrations/seeds.ts';
import { openStore } from './open.ts';

test('DA23 a file of an older Gantry is made shrinkable at its first start, whole', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-old-'));
  const raw = new DatabaseConstructor(join(dataDir, 'gantry.db'));
  migrate(raw, migrations.filter((step) => step.version <= 9));
  raw.exec(seedSql(9));
  expect(raw.pragma('auto_vacuum', { simple: true })).toBe(0);
  raw.close();
  const opened = await openStore({ dataDir, clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  const { connection } = opened.value.store;
  expect([connection.pragma('auto_vacuum', { simple: true }), connection.pragma('integrity_check', { simple: true }), connection.prepare('SELECT count(*) FROM runs').pluck().get()]).toEqual([2, 'ok', 1]);
  opened.value.store.close();
});
