import { z } from 'zod';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows } from './readable-rows.ts';

/** By what a task is asked about; a connection of another launch or era is not told of it. */
const HandleSchema = z.object({ taskId: z.string(), era: z.enum(['legacy', 'modern']), launchFingerprint: z.string() });

/** A task that belongs to an open call. `endsAt`: until when it is followed, ms since epoch. */
export interface TaskRow {
  readonly invocationId: string;
  readonly serverId: string;
  readonly taskSha256: string;
  readonly handle: z.infer<typeof HandleSchema>;
  readonly endsAt: number;
}

const Row = z.object({ invocation_id: z.string(), server_id: z.string(), task_sha256: z.string(), handle_json: z.string(), ends_at: z.number() });

const toRow = (raw: unknown): TaskRow => {
  const r = Row.parse(raw);
  return { invocationId: r.invocation_id, serverId: r.server_id, taskSha256: r.task_sha256, handle: HandleSchema.parse(JSON.parse(r.handle_json)), endsAt: r.ends_at };
};

/** False where this server named the id before: it belongs to another call. */
export const insertTask = (db: WriteDb, row: TaskRow): boolean =>
  db.run('INSERT INTO tasks (invocation_id, server_id, task_sha256, handle_json, ends_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING', [row.invocationId, row.serverId, row.taskSha256, JSON.stringify(row.handle), row.endsAt]) > 0;

/** Its id is needed no more; that it was used stays known. */
export const endTask = (db: WriteDb, invocationId: string): void => {
  db.run('UPDATE tasks SET handle_json = NULL WHERE invocation_id = ?', [invocationId]);
};

/** Those whose handle is kept and can be read. */
export const openTasks = (db: ReadDb): readonly TaskRow[] => readableRows(db.all('SELECT * FROM tasks WHERE handle_json IS NOT NULL'), toRow);
