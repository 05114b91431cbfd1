import { z } from 'zod';
import type { ReadDb } from './database.ts';

/** A row as it lies in its table, whatever stands in it: verify judges what no reader would take. */
export type StoredRow = Readonly<Record<string, unknown>>;

const Row = z.record(z.string(), z.unknown());
const Id = z.object({ id: z.string() });

const CALL_COLUMNS = `id, run_id, capability_id, principal, tier, state, stage, code, class, fault_json, frozen_input, input_hash, binding_fingerprint,
  definition_fingerprint, grounded, created_at, started_at, ended_at, waited_ms`;

const rowOf = (raw: unknown): StoredRow | null => (raw === undefined ? null : Row.parse(raw));

export const storedRun = (db: ReadDb, id: string): StoredRow | null => rowOf(db.get('SELECT * FROM runs WHERE id = ?', [id]));

/** Without its result: that is read only to be hashed. */
export const storedCall = (db: ReadDb, id: string): StoredRow | null => rowOf(db.get(`SELECT ${CALL_COLUMNS} FROM invocations WHERE id = ?`, [id]));

/** Ids of all rows that say they belong to the run, whether its events name them or not. Reads the whole table: there is no index by run. */
export const storedCallIds = (db: ReadDb, runId: string): readonly string[] => db.all('SELECT id FROM invocations WHERE run_id = ?', [runId]).map((raw) => Id.parse(raw).id);

export const storedApproval = (db: ReadDb, id: string): StoredRow | null => rowOf(db.get('SELECT * FROM approvals WHERE id = ?', [id]));

export const storedApprovalIds = (db: ReadDb, runId: string): readonly string[] => db.all('SELECT id FROM approvals WHERE run_id = ?', [runId]).map((raw) => Id.parse(raw).id);

export const approvalIdsOfCall = (db: ReadDb, callId: string): readonly string[] => db.all('SELECT id FROM approvals WHERE invocation_id = ?', [callId]).map((raw) => Id.parse(raw).id);
