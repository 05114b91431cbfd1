import type BetterSqlite3 from 'better-sqlite3';
import { APPLICATION_ID } from './application-id.ts';
import type { Migration } from './migrations/all.ts';

export const latestVersion = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0;

/**
 * Brings the database up to `migrations`, each in one transaction together with its user_version, so that a crash leaves a whole version.
 * Foreign keys are off while a migration may rebuild tables and checked before its commit (sqlite.org/lang_altertable, section 7).
 * Throws when a migration fails; that one is rolled back.
 */
export const migrate = (db: BetterSqlite3.Database, migrations: readonly Migration[]): void => {
  db.pragma('foreign_keys = OFF');
  try {
    const from = Number(db.pragma('user_version', { simple: true }));
    for (const step of migrations.filter((m) => m.version > from)) {
      db.transaction(() => {
        db.exec(step.sql);
        const dangling = db.pragma('foreign_key_check') as readonly { readonly table: string }[];
        if (dangling[0]) throw new Error(`migration ${step.version} (${step.name}) leaves ${dangling.length} dangling references, first in ${dangling[0].table}`);
        db.pragma(`application_id = ${APPLICATION_ID}`);
        db.pragma(`user_version = ${step.version}`);
      }).immediate();
    }
  } finally {
    db.pragma('foreign_keys = ON');
  }
};
