import { z } from 'zod';
import type { WentAlong } from '../../shared/conversation.ts';
import { MOST_ATTACHMENTS } from '../../shared/most-attachments.ts';
import type { ReadDb } from './database.ts';
import { firstKey } from './events.ts';

/** All of it is read before the model is first asked: rows of a run that come later are not looked at. */
const ROWS = 1_000;

const FileRow = z.object({ name: z.string(), media_type: z.string().nullable(), size: z.number().nullable() });
const ReadRow = z.object({ kind: z.enum(['resource', 'prompt']), name: z.string(), code: z.string().nullable(), invocation_id: z.string().nullable(), size: z.number().nullable() });

/** What went along with the question of a run: its files, and what was read for it. The files' own words stay in the table. */
export const wentAlong = (db: ReadDb, runId: string): readonly WentAlong[] => {
  const zero = firstKey(db, runId);
  if (zero === null) return [];
  const within = [zero, zero + ROWS, MOST_ATTACHMENTS];
  const files = db.all(
    `SELECT f.value ->> '$.name' AS name, f.value ->> '$.mediaType' AS media_type, f.value ->> '$.sizeBytes' AS size
     FROM events e JOIN json_each(e.data_json, '$.attachments') f WHERE e.id BETWEEN ? AND ? AND e.type = 'run.prompt' LIMIT ?`,
    within,
  );
  const read = db.all(
    `SELECT e.data_json ->> '$.kind' AS kind, e.data_json ->> '$.capabilityId' AS name, e.data_json ->> '$.code' AS code, e.invocation_id,
       (SELECT o.data_json ->> '$.textBytes' FROM events o WHERE o.id = e.id + 1 AND o.type = 'call.told' AND o.invocation_id = e.invocation_id) AS size
     FROM events e WHERE e.id BETWEEN ? AND ? AND e.type IN ('attachment.given', 'attachment.failed') ORDER BY e.id LIMIT ?`,
    within,
  );
  return [
    ...read.flatMap((raw): WentAlong[] => {
      const row = ReadRow.safeParse(raw).data;
      return row === undefined ? [] : [{ kind: row.kind, name: row.name, ...(row.size === null ? {} : { sizeBytes: row.size }), ...(row.invocation_id === null ? {} : { invocationId: row.invocation_id }), ...(row.code === null ? {} : { code: row.code }) }];
    }),
    ...files.flatMap((raw): WentAlong[] => {
      const row = FileRow.safeParse(raw).data;
      return row === undefined ? [] : [{ kind: 'file', name: row.name, ...(row.media_type === null ? {} : { mediaType: row.media_type }), ...(row.size === null ? {} : { sizeBytes: row.size }) }];
    }),
  ];
};
