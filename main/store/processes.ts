import { z } from 'zod';
import type { ReadDb, WriteDb } from './database.ts';

/** A started process group: enough to know it again after a crash of the host (P06, P07). */
export interface ProcessRow {
  readonly token: string;
  readonly pid: number;
  /** what the system says of the start, with the boot it belongs to; empty where it cannot be read */
  readonly startTime: string;
  readonly serverId: string;
  readonly startedAt: number;
}

const RowSchema = z.object({ token: z.string(), pid: z.number().int(), start_time: z.string(), server_id: z.string(), started_at: z.number() });

export const recordProcess = (db: WriteDb, row: ProcessRow): void => {
  db.run('INSERT INTO processes (token, pid, start_time, server_id, started_at) VALUES (?, ?, ?, ?, ?)', [row.token, row.pid, row.startTime, row.serverId, row.startedAt]);
};

export const forgetProcess = (db: WriteDb, token: string): void => {
  db.run('DELETE FROM processes WHERE token = ?', [token]);
};

export const listProcesses = (db: ReadDb): ProcessRow[] =>
  db.all('SELECT token, pid, start_time, server_id, started_at FROM processes ORDER BY started_at').map((row) => {
    const r = RowSchema.parse(row);
    return { token: r.token, pid: r.pid, startTime: r.start_time, serverId: r.server_id, startedAt: r.started_at };
  });
