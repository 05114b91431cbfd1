import { z } from 'zod';
import type { ReadDb, WriteDb } from './database.ts';

/** `sourceSha256` is over what the server named; `png` null: refused, `refusal` says why. Times in ms since epoch. */
export interface ServerIconRow {
  readonly sourceSha256: string;
  readonly png: Uint8Array | null;
  readonly pngSha256: string | null;
  readonly refusal: string | null;
  readonly fetchedAt: number;
}

const RowSchema = z.object({ source_sha256: z.string(), png: z.instanceof(Uint8Array).nullable(), png_sha256: z.string().nullable(), refusal: z.string().nullable(), fetched_at: z.number() });

const HashRow = z.object({ png_sha256: z.string().nullable() });

export const readServerIcon = (db: ReadDb, serverId: string): ServerIconRow | null => {
  const raw = db.get('SELECT source_sha256, png, png_sha256, refusal, fetched_at FROM server_icons WHERE server_id = ?', [serverId]);
  if (raw === undefined) return null;
  const row = RowSchema.parse(raw);
  return { sourceSha256: row.source_sha256, png: row.png, pngSha256: row.png_sha256, refusal: row.refusal, fetchedAt: row.fetched_at };
};

/** SHA-256 of the stored icon, so that a window knows when to read it anew; null when there is none. */
export const readServerIconHash = (db: ReadDb, serverId: string): string | null => {
  const raw = db.get('SELECT png_sha256 FROM server_icons WHERE server_id = ?', [serverId]);
  return raw === undefined ? null : HashRow.parse(raw).png_sha256;
};

export const saveServerIcon = (db: WriteDb, serverId: string, row: ServerIconRow): void => {
  db.run(
    `INSERT INTO server_icons (server_id, source_sha256, png, png_sha256, refusal, fetched_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (server_id) DO UPDATE SET source_sha256 = excluded.source_sha256, png = excluded.png, png_sha256 = excluded.png_sha256, refusal = excluded.refusal, fetched_at = excluded.fetched_at`,
    [serverId, row.sourceSha256, row.png === null ? null : Buffer.from(row.png), row.pngSha256, row.refusal, row.fetchedAt],
  );
};

export const deleteServerIcon = (db: WriteDb, serverId: string): boolean => db.run('DELETE FROM server_icons WHERE server_id = ?', [serverId]) > 0;
