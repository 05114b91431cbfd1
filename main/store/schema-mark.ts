import { createHash } from 'node:crypto';
import DatabaseConstructor from 'better-sqlite3';
import type BetterSqlite3 from 'better-sqlite3';
import { migrate } from './migrate.ts';
import type { Migration } from './migrations/all.ts';

/** SHA-256 of the objects of a database at the latest version, so that a start need not build one to compare with. A test keeps it true. */
export const LATEST_SCHEMA_SHA256 = '4a9e8815a05920ed2cfe56319304b61c4308791e627ac2fb1e3b7c65ddd4fb3f';

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

const objectsOf = (db: BetterSqlite3.Database): readonly SchemaObject[] => db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY type, name").all() as SchemaObject[];

export const schemaSha256 = (db: BetterSqlite3.Database): string => createHash('sha256').update(JSON.stringify(objectsOf(db).map(({ type, name, sql }) => [type, name, sql]))).digest('hex');

const columnsOf = (db: BetterSqlite3.Database, table: string): readonly string[] => db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];

/**
 * What of the tables and triggers is not as the migrations make it; null when all is. A trigger of somebody else would run with each of our writes. Other
 * tables and indexes of somebody else do nothing and are left.
 */
export const schemaProblem = (db: BetterSqlite3.Database, migrations: readonly Migration[]): string | null => {
  if (schemaSha256(db) === LATEST_SCHEMA_SHA256) return null;
  const model = new DatabaseConstructor(':memory:');
  try {
    migrate(model, migrations);
    const found = new Map(objectsOf(db).map((object) => [`${object.type} ${object.name}`, object]));
    for (const { type, name, sql } of objectsOf(model)) {
      const own = found.get(`${type} ${name}`);
      found.delete(`${type} ${name}`);
      if (type === 'index') continue;
      if (own === undefined) return `the ${type} ${name} is missing`;
      if (type !== 'table' && own.sql !== sql) return `the ${type} ${name} was changed`;
      const columns = type === 'table' ? columnsOf(db, name) : [];
      const missing = type === 'table' ? columnsOf(model, name).find((column) => !columns.includes(column)) : undefined;
      if (missing !== undefined) return `the column ${name}.${missing} is missing`;
    }
    const foreign = [...found.values()].find(({ type }) => type === 'trigger');
    return foreign === undefined ? null : `the trigger ${foreign.name} is not Gantry's`;
  } finally {
    model.close();
  }
};
