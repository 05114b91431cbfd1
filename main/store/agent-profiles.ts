import { z } from 'zod';
import { RunLimitsSchema, ScopeSchema, type RunLimits, type Scope } from '../../shared/agent-profile.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows, readRow } from './readable-rows.ts';

export interface ProfileRow {
  readonly id: string;
  readonly name: string;
  readonly modelId: string | null;
  readonly instructions: string;
  readonly scope: Scope | null;
  readonly limits: RunLimits;
  /** ms since epoch */
  readonly setAt: number;
}

const RowSchema = z.object({ id: z.string(), name: z.string(), model_id: z.string().nullable(), instructions: z.string(), scope_json: z.string().nullable(), limits_json: z.string(), set_at: z.number() });
const parse = (row: unknown): ProfileRow => {
  const r = RowSchema.parse(row);
  return { id: r.id, name: r.name, modelId: r.model_id, instructions: r.instructions, scope: r.scope_json === null ? null : ScopeSchema.parse(JSON.parse(r.scope_json)), limits: RunLimitsSchema.parse(JSON.parse(r.limits_json)), setAt: r.set_at };
};

/** `unreadable`: there is a row that cannot be read; its scope is then not known, so nothing is in it. */
export const getProfile = (db: ReadDb, id: string): ProfileRow | 'unreadable' | null => {
  const row = db.get('SELECT * FROM agent_profiles WHERE id = ?', [id]);
  return row === undefined ? null : (readRow(row, parse) ?? 'unreadable');
};

export const listProfiles = (db: ReadDb): readonly ProfileRow[] => readableRows(db.all("SELECT * FROM agent_profiles ORDER BY id <> 'default', lower(name), id"), parse);

export const writeProfile = (db: WriteDb, row: ProfileRow): void => {
  db.run(
    `INSERT INTO agent_profiles (id, name, model_id, instructions, scope_json, limits_json, set_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, model_id = excluded.model_id, instructions = excluded.instructions, scope_json = excluded.scope_json, limits_json = excluded.limits_json, set_at = excluded.set_at`,
    [row.id, row.name, row.modelId, row.instructions, row.scope === null ? null : JSON.stringify(row.scope), JSON.stringify(row.limits), row.setAt],
  );
};

/** False where there was none. */
export const deleteProfile = (db: WriteDb, id: string): boolean => db.run('DELETE FROM agent_profiles WHERE id = ?', [id]) === 1;
