import { z } from 'zod';
import { CallResultSchema, CallStageSchema, InvocationStateSchema, ResultClassSchema } from '../../shared/call.ts';
import type { CallResult, Invocation } from '../../shared/call.ts';
import { FaultSchema } from '../../shared/fault-schema.ts';
import { TierSchema } from '../../shared/tier-schema.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows } from './readable-rows.ts';
import { parseRow } from './row-unreadable.ts';

const Row = z.object({
  id: z.string(),
  run_id: z.string(),
  capability_id: z.string(),
  principal: z.string(),
  tier: TierSchema,
  state: InvocationStateSchema,
  stage: CallStageSchema,
  code: z.string().nullable(),
  class: ResultClassSchema.nullable(),
  fault_json: z.string().nullable(),
  frozen_input: z.string().nullable(),
  input_hash: z.string().nullable(),
  binding_fingerprint: z.string().nullable(),
  definition_fingerprint: z.string().nullable(),
  grounded: z.union([z.literal(0), z.literal(1)]),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
  waited_ms: z.number(),
  approval_id: z.string().nullable(),
});

/** What the table knows beyond the contract's Invocation: what the frozen input hangs on. The result is read on demand. */
export interface InvocationRow extends Omit<Invocation, 'result' | 'resultFault'> {
  readonly bindingFingerprint: string | null;
  readonly definitionFingerprint: string | null;
}

const toRow = (raw: unknown): InvocationRow => {
  const r = Row.parse(raw);
  return {
    id: r.id,
    runId: r.run_id,
    capabilityId: r.capability_id,
    principal: r.principal,
    tier: r.tier,
    state: r.state,
    stage: r.stage,
    code: r.code,
    class: r.class,
    fault: r.fault_json === null ? null : FaultSchema.parse(JSON.parse(r.fault_json)),
    frozenInput: r.frozen_input,
    inputHash: r.input_hash,
    approvalId: r.approval_id,
    grounded: r.grounded === 1,
    createdAt: r.created_at,
    startedAt: r.started_at,
    endedAt: r.ended_at,
    waitedMs: r.waited_ms,
    bindingFingerprint: r.binding_fingerprint,
    definitionFingerprint: r.definition_fingerprint,
  };
};

/** result_json is the last column and is left out, so that a 16 MiB result is never read for a list. */
const COLUMNS = `i.id, i.run_id, i.capability_id, i.principal, i.tier, i.state, i.stage, i.code, i.class, i.fault_json, i.frozen_input, i.input_hash,
  i.binding_fingerprint, i.definition_fingerprint, i.grounded, i.created_at, i.started_at, i.ended_at, i.waited_ms,
  (SELECT a.id FROM approvals a WHERE a.invocation_id = i.id ORDER BY a.created_at DESC, a.rowid DESC LIMIT 1) AS approval_id`;

/** A fault as it is stored. */
export const faultText = (row: Pick<InvocationRow, 'fault'>): string | null => (row.fault === null ? null : JSON.stringify(row.fault));

export type CallValues = (string | number | null)[];

/** What insertCall writes, in its order. */
export const callValues = (row: InvocationRow): CallValues => [
  row.id, row.runId, row.capabilityId, row.principal, row.tier, row.state, row.stage, row.code, row.class, faultText(row), row.frozenInput, row.inputHash,
  row.bindingFingerprint, row.definitionFingerprint, row.grounded ? 1 : 0, row.createdAt, row.startedAt, row.endedAt, row.waitedMs,
];

export const insertCall = (db: WriteDb, values: CallValues): void => {
  db.run(
    `INSERT INTO invocations (id, run_id, capability_id, principal, tier, state, stage, code, class, fault_json, frozen_input, input_hash, binding_fingerprint,
      definition_fingerprint, grounded, created_at, started_at, ended_at, waited_ms) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
    values,
  );
};

/** A result as it is stored: its JSON text, or the UTF-8 bytes of it, and the text of what a window is shown where that is less. */
export interface ResultTexts {
  readonly text: string | Uint8Array;
  readonly preview: string | null;
}

// whole statements, so that each call finds them prepared without building their text
const MOVE = 'UPDATE invocations SET state = ?, stage = ?, code = ?, class = ?, fault_json = ?, grounded = ?, started_at = ?, ended_at = ?, waited_ms = ? WHERE id = ?';
// the cast takes bytes as the UTF-8 text that they are: no string of 16 MiB is made of them
const MOVE_WITH_RESULT = MOVE.replace(' WHERE', ', result_json = CAST(? AS TEXT) WHERE');

/** What moveCall writes, in its order: what changes in the life of an invocation. The frozen input never does. */
export const callMoves = (row: InvocationRow): CallValues => [row.state, row.stage, row.code, row.class, faultText(row), row.grounded ? 1 : 0, row.startedAt, row.endedAt, row.waitedMs, row.id];

/** `result` null leaves the stored result alone. */
export const moveCall = (db: WriteDb, values: CallValues, result: ResultTexts | null): void => {
  if (result === null) return void db.run(MOVE, values);
  const text = typeof result.text === 'string' ? result.text : Buffer.from(result.text.buffer, result.text.byteOffset, result.text.byteLength);
  const id = values.at(-1)!;
  db.run(MOVE_WITH_RESULT, [...values.slice(0, -1), text, id]);
  if (result.preview !== null) db.run('INSERT OR REPLACE INTO result_previews (invocation_id, preview_json) VALUES (?, ?)', [id, result.preview]);
};

export const getInvocation = (db: ReadDb, id: string): InvocationRow | null => {
  const row = db.get(`SELECT ${COLUMNS} FROM invocations i WHERE i.id = ?`, [id]);
  return row === undefined ? null : parseRow('invocations', row, toRow);
};

/** Calls whose id begins with `prefix`, newest first. */
export const invocationsByIdPrefix = (db: ReadDb, prefix: string, limit: number): readonly { readonly id: string; readonly runId: string; readonly capabilityId: string; readonly createdAt: number }[] =>
  db
    .all('SELECT id, run_id AS runId, capability_id AS capabilityId, created_at AS createdAt FROM invocations WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?', [prefix, `${prefix}\uffff`, limit])
    .map((row) => z.object({ id: z.string(), runId: z.string(), capabilityId: z.string(), createdAt: z.number() }).parse(row));

/** Found through the run's events: the row of a call and its first event are written together. */
const OF_RUN = 'i.run_id = ? AND i.id IN (SELECT e.invocation_id FROM runs r JOIN events e ON e.id BETWEEN r.n << 24 AND (r.n << 24) + 16777215 WHERE r.id = ?)';

export const invocationsOfRun = (db: ReadDb, runId: string, page: { readonly offset: number; readonly limit: number } = { offset: 0, limit: -1 }): readonly InvocationRow[] =>
  readableRows(db.all(`SELECT ${COLUMNS} FROM invocations i WHERE ${OF_RUN} ORDER BY i.created_at, i.rowid LIMIT ? OFFSET ?`, [runId, runId, page.limit, page.offset]), toRow);

const FiguresRow = z.object({ calls: z.number(), unknown: z.number().nullable() });
const IdRow = z.object({ id: z.string() });

/** Time in which at least one call waited for a person: calls that waited at once count once. */
const WAITED = `SELECT sum(max(0, ends - max(begins, coalesce(before, begins)))) AS waited FROM (
  SELECT i.created_at AS begins, i.created_at + i.waited_ms AS ends, max(i.created_at + i.waited_ms) OVER (ORDER BY i.created_at, i.rowid ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
  FROM invocations i WHERE ${OF_RUN} AND i.waited_ms > 0)`;
const WaitedRow = z.object({ waited: z.number().nullable() });

/** What a run's calls come to; `shown`: the one that waits for a person, else the first that failed, else the first. */
export const callFiguresOfRun = (db: ReadDb, runId: string): { readonly calls: number; readonly waitedMs: number; readonly unknown: number; readonly shown: string | null } => {
  const figures = FiguresRow.parse(db.get(`SELECT count(*) AS calls, sum(i.code = 'outcome_unknown') AS unknown FROM invocations i WHERE ${OF_RUN}`, [runId, runId]));
  const { waited } = WaitedRow.parse(db.get(WAITED, [runId, runId]));
  const first = db.get(`SELECT i.id FROM invocations i WHERE ${OF_RUN} ORDER BY i.state = 'awaiting_approval' DESC, i.state = 'failed' DESC, i.created_at, i.rowid LIMIT 1`, [runId, runId]);
  return { calls: figures.calls, waitedMs: waited ?? 0, unknown: figures.unknown ?? 0, shown: first === undefined ? null : IdRow.parse(first).id };
};

/** How many calls of its run stand before a call; null where it is none of this run. */
export const placeOfCall = (db: ReadDb, runId: string, id: string): number | null => {
  const row = db.get(`SELECT (SELECT count(*) FROM invocations i WHERE ${OF_RUN} AND (i.created_at, i.rowid) < (c.created_at, c.rowid)) AS place FROM invocations c WHERE c.id = ? AND c.run_id = ?`, [runId, runId, id, runId]);
  return row === undefined ? null : z.object({ place: z.number() }).parse(row).place;
};

/** Whether a call of the run waits for a person, besides one. */
export const isWaiting = (db: ReadDb, runId: string, besides: string): boolean =>
  db.get("SELECT 1 FROM invocations WHERE state = 'awaiting_approval' AND run_id = ? AND id <> ? LIMIT 1", [runId, besides]) !== undefined;

export const openInvocations = (db: ReadDb): readonly InvocationRow[] =>
  readableRows(db.all(`SELECT ${COLUMNS} FROM invocations i WHERE i.state IN ('queued','running','awaiting_approval') ORDER BY i.created_at, i.rowid`), toRow);

/** Earlier uses of a capability that reached the wire, newest first: what an approval is compared with. */
export const earlierCalls = (db: ReadDb, capabilityId: string, limit: number): readonly InvocationRow[] =>
  readableRows(
    db.all(
      `SELECT ${COLUMNS} FROM invocations i WHERE i.capability_id = ? AND i.started_at IS NOT NULL AND i.state IN ('completed','failed')
       ORDER BY i.created_at DESC LIMIT ?`,
      [capabilityId, limit],
    ),
    toRow,
  );

const FrozenRow = z.object({ id: z.string(), at: z.number(), frozenInput: z.string() });

/**
 * Calls of a run to one capability that were frozen, oldest first. `after`: the place of one of them, after which rows are read; without it they are found through
 * the run's events, which takes as long as the run is.
 */
export const frozenCallsOfRun = (db: ReadDb, runId: string, capabilityId: string, after: number | null): readonly z.infer<typeof FrozenRow>[] =>
  (after === null
    ? db.all(`SELECT i.id, i.rowid AS at, i.frozen_input AS frozenInput FROM invocations i WHERE ${OF_RUN} AND i.capability_id = ? AND i.frozen_input IS NOT NULL ORDER BY i.rowid`, [runId, runId, capabilityId])
    : db.all('SELECT i.id, i.rowid AS at, i.frozen_input AS frozenInput FROM invocations i WHERE i.rowid > ? AND +i.run_id = ? AND +i.capability_id = ? AND i.frozen_input IS NOT NULL ORDER BY i.rowid', [after, runId, capabilityId])
  ).map((row) => FrozenRow.parse(row));

/** Gives a call the stored result, and its preview, of another. */
export const copyResult = (db: WriteDb, from: string, to: string): void => {
  db.run('UPDATE invocations SET result_json = (SELECT result_json FROM invocations WHERE id = ?) WHERE id = ?', [from, to]);
  db.run('INSERT INTO result_previews (invocation_id, preview_json) SELECT ?, preview_json FROM result_previews WHERE invocation_id = ?', [to, from]);
};

/** The stored text itself (verify hashes it), or null. */
export const resultText = (db: ReadDb, id: string): string | null => {
  const row = db.get('SELECT result_json FROM invocations WHERE id = ?', [id]);
  return row === undefined ? null : z.object({ result_json: z.string().nullable() }).parse(row).result_json;
};

export const storedResult = (db: ReadDb, id: string): CallResult | null => {
  const text = resultText(db, id);
  return text === null ? null : CallResultSchema.parse(JSON.parse(text));
};

/** The text of what a window is shown instead of the whole result, or null. */
export const previewText = (db: ReadDb, id: string): string | null => {
  const row = db.get('SELECT preview_json FROM result_previews WHERE invocation_id = ?', [id]);
  return row === undefined ? null : z.object({ preview_json: z.string() }).parse(row).preview_json;
};

/** The first characters of the stored result, without reading the rest. */
export const resultHead = (db: ReadDb, id: string, length: number): string => {
  const row = db.get('SELECT substr(result_json, 1, ?) AS head FROM invocations WHERE id = ?', [length, id]);
  return row === undefined ? '' : (z.object({ head: z.string().nullable() }).parse(row).head ?? '');
};

/** Characters (code points) of the stored result from `offset` on, and how many there are; null where nothing is stored. */
export const resultSlice = (db: ReadDb, id: string, offset: number, limit: number): { readonly text: string; readonly total: number } | null => {
  const row = db.get('SELECT substr(result_json, ?, ?) AS text, length(result_json) AS total FROM invocations WHERE id = ?', [offset + 1, limit, id]);
  const read = z.object({ text: z.string().nullable(), total: z.number().nullable() }).optional().parse(row);
  return read === undefined || read.text === null || read.total === null ? null : { text: read.text, total: read.total };
};

/** Bytes of the stored result, without reading it. */
export const resultBytes = (db: ReadDb, id: string): number => {
  const row = db.get('SELECT octet_length(result_json) AS n FROM invocations WHERE id = ?', [id]);
  return row === undefined ? 0 : (z.object({ n: z.number().nullable() }).parse(row).n ?? 0);
};
