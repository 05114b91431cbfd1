import type { ReadDb, WriteDb } from './database.ts';

/** Requests and their tokens, together. */
export interface SamplingUse {
  readonly requests: number;
  readonly tokens: number;
}

const countOf = (row: unknown): SamplingUse => {
  const { requests, tokens } = row as { requests: number; tokens: number };
  return { requests, tokens };
};

/** Of one server, in a run. */
export const samplingOfRun = (db: ReadDb, serverId: string, runId: string): SamplingUse =>
  countOf(db.get('SELECT count(*) AS requests, coalesce(sum(tokens), 0) AS tokens FROM sampling_uses WHERE run_id = ? AND server_id = ?', [runId, serverId]));

/** Of one server, since a time (ms since epoch). */
export const samplingSince = (db: ReadDb, serverId: string, at: number): SamplingUse =>
  countOf(db.get('SELECT count(*) AS requests, coalesce(sum(tokens), 0) AS tokens FROM sampling_uses WHERE server_id = ? AND at > ?', [serverId, at]));

/** One more, with the most that it can take; answers with its id. */
export const insertSamplingUse = (db: WriteDb, use: { readonly serverId: string; readonly runId: string | null; readonly at: number; readonly tokens: number }): number => {
  db.run('INSERT INTO sampling_uses (server_id, run_id, at, tokens) VALUES (?, ?, ?, ?)', [use.serverId, use.runId, use.at, use.tokens]);
  return (db.get('SELECT last_insert_rowid() AS id') as { id: number }).id;
};

/** What it came to. */
export const settleSamplingUse = (db: WriteDb, id: number, tokens: number): void => {
  db.run('UPDATE sampling_uses SET tokens = ? WHERE id = ?', [tokens, id]);
};
