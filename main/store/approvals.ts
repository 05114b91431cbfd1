import { z } from 'zod';
import { ApprovalSchema, ApprovalStateSchema } from '../../shared/approval.ts';
import { ViaSchema } from '../../shared/principal-schema.ts';
import { TierSchema } from '../../shared/tier-schema.ts';
import type { Approval, ApprovalRow as ApprovalPart, ApprovalState } from '../../shared/approval.ts';
import { LONGEST_TOLD, tellingArguments } from '../../shared/telling-arguments.ts';
import { countIn } from './count-row.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows } from './readable-rows.ts';
import { parseRow } from './row-unreadable.ts';

/** What was shown, as the contract has it: a member that the contract knows is never lost on the way. */
const Detail = ApprovalSchema.pick({ runTitle: true, principal: true, via: true, capabilityTitle: true, serverSays: true, tier: true, ruleId: true, previous: true, notices: true });
const Row = z.object({
  id: z.string(),
  invocation_id: z.string(),
  run_id: z.string(),
  capability_id: z.string(),
  input_hash: z.string(),
  nonce: z.string(),
  state: ApprovalStateSchema,
  binding_fingerprint: z.string(),
  policy_version: z.string(),
  detail_json: z.string(),
  created_at: z.number(),
  expires_at: z.number(),
  decided_at: z.number().nullable(),
  decided_by: z.string().nullable(),
  reason: z.string().nullable(),
  consumed_at: z.number().nullable(),
  frozen_input: z.string(),
});

/** The contract's approval and what it is bound to. */
export interface ApprovalRow extends Approval {
  readonly bindingFingerprint: string;
  readonly policyVersion: string;
  readonly consumedAt: number | null;
}

const toRow = (raw: unknown): ApprovalRow => {
  const r = Row.parse(raw);
  const { serverSays, via, ...detail } = Detail.parse(JSON.parse(r.detail_json));
  return {
    ...detail,
    ...(serverSays === undefined ? {} : { serverSays }),
    ...(via === undefined ? {} : { via }),
    id: r.id,
    invocationId: r.invocation_id,
    runId: r.run_id,
    capabilityId: r.capability_id,
    state: r.state,
    frozenInput: r.frozen_input,
    inputBytes: Buffer.byteLength(r.frozen_input),
    inputHash: r.input_hash,
    nonce: r.nonce,
    createdAt: r.created_at,
    expiresAt: r.expires_at,
    decidedAt: r.decided_at,
    decidedBy: r.decided_by,
    reason: r.reason,
    bindingFingerprint: r.binding_fingerprint,
    policyVersion: r.policy_version,
    consumedAt: r.consumed_at,
  };
};

const SELECT = 'SELECT a.*, i.frozen_input FROM approvals a JOIN invocations i ON i.id = a.invocation_id';

/** The text of what was shown, as it is stored: well-formed, so that it hashes as it reads. */
export const approvalDetail = (a: ApprovalRow): string =>
  JSON.stringify({
    runTitle: a.runTitle, principal: a.principal, via: a.via, capabilityTitle: a.capabilityTitle, serverSays: a.serverSays, tier: a.tier, ruleId: a.ruleId,
    previous: a.previous, notices: a.notices,
  });

export const insertApproval = (db: WriteDb, a: ApprovalRow): void => {
  db.run(
    `INSERT INTO approvals (id, invocation_id, run_id, capability_id, input_hash, nonce, state, binding_fingerprint, policy_version, detail_json, created_at, expires_at)
     VALUES (?,?,?,?,?,?,?,?,?,?,?,?)`,
    [a.id, a.invocationId, a.runId, a.capabilityId, a.inputHash, a.nonce, a.state, a.bindingFingerprint, a.policyVersion, approvalDetail(a), a.createdAt, a.expiresAt],
  );
};

export const getApproval = (db: ReadDb, id: string): ApprovalRow | null => {
  const row = db.get(`${SELECT} WHERE a.id = ?`, [id]);
  return row === undefined ? null : parseRow('approvals', row, toRow);
};

/** Waiting ones oldest first; without a state the newest 500 of all. */
export const listApprovals = (db: ReadDb, state?: ApprovalState): readonly ApprovalRow[] =>
  state === undefined
    ? readableRows(db.all(`${SELECT} ORDER BY a.created_at DESC, a.rowid DESC LIMIT 500`), toRow)
    : readableRows(db.all(`${SELECT} WHERE a.state = ? ORDER BY a.created_at, a.rowid LIMIT 5000`, [state]), toRow);

const Part = z.object({
  id: z.string(), invocation_id: z.string(), run_id: z.string(), capability_id: z.string(), state: ApprovalStateSchema, created_at: z.number(), expires_at: z.number(), decided_at: z.number().nullable(),
  decided_by: z.string().nullable(), reason: z.string().nullable(), run_title: z.string(), principal: z.string(), via: ViaSchema.nullable(), title: z.string(), tier: TierSchema, input: z.string().nullable(),
});

const toPart = (raw: unknown): ApprovalPart => {
  const r = Part.parse(raw);
  return {
    id: r.id, invocationId: r.invocation_id, runId: r.run_id, runTitle: r.run_title, principal: r.principal, ...(r.via === null ? {} : { via: r.via }), capabilityId: r.capability_id, capabilityTitle: r.title, tier: r.tier,
    state: r.state, createdAt: r.created_at, expiresAt: r.expires_at, decidedAt: r.decided_at, decidedBy: r.decided_by, reason: r.reason, telling: tellingArguments(r.input),
  };
};

const PARTS = `SELECT id, invocation_id, run_id, capability_id, state, created_at, expires_at, decided_at, decided_by, reason, detail_json ->> 'runTitle' AS run_title, detail_json ->> 'principal' AS principal,
  detail_json ->> 'via' AS via, detail_json ->> 'capabilityTitle' AS title, detail_json ->> 'tier' AS tier,
  (SELECT i.frozen_input FROM invocations i WHERE i.id = approvals.invocation_id AND length(i.frozen_input) <= ${LONGEST_TOLD}) AS input FROM approvals`;
const PAGES = {
  pending: { where: "state = 'pending'", order: 'expires_at, rowid' },
  ended: { where: "state <> 'pending'", order: 'coalesce(decided_at, created_at) DESC, rowid DESC' },
} as const;

export const approvalPage = (db: ReadDb, query: { readonly of: 'pending' | 'ended'; readonly offset: number; readonly limit: number }): { readonly rows: readonly ApprovalPart[]; readonly total: number } => {
  const { where, order } = PAGES[query.of];
  return { rows: db.all(`${PARTS} WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`, [query.limit, query.offset]).map(toPart), total: countIn(db.get(`SELECT count(*) AS n FROM approvals WHERE ${where}`)) };
};

const TimesRow = z.object({ id: z.string(), created_at: z.number(), expires_at: z.number() });

/** Of those that wait: all that is needed to tell which are due. */
export const pendingTimes = (db: ReadDb): readonly { readonly id: string; readonly createdAt: number; readonly expiresAt: number }[] =>
  db.all("SELECT id, created_at, expires_at FROM approvals WHERE state = 'pending'").map((raw) => {
    const row = TimesRow.parse(raw);
    return { id: row.id, createdAt: row.created_at, expiresAt: row.expires_at };
  });

export const countAsked = (db: ReadDb, runId: string): { readonly pending: number; readonly asked: number } => {
  const row = db.get("SELECT count(*) AS asked, coalesce(sum(state = 'pending'), 0) AS pending FROM approvals WHERE run_id = ?", [runId]);
  return z.object({ asked: z.number(), pending: z.number() }).parse(row);
};

/** pending -> approved | denied | expired | void, or approved -> void. True when this call made the move. */
export const moveApproval = (
  db: WriteDb,
  id: string,
  from: 'pending' | 'approved',
  to: 'approved' | 'denied' | 'expired' | 'void',
  decision: { readonly at: number; readonly by: string; readonly reason: string | null },
): boolean =>
  db.run('UPDATE approvals SET state = ?, decided_at = ?, decided_by = ?, reason = ? WHERE id = ? AND state = ? AND consumed_at IS NULL', [
    to, decision.at, decision.by, decision.reason, id, from,
  ]) === 1;

/** The one atomic consume (A01). True for exactly one caller. */
export const consumeApproval = (db: WriteDb, a: { readonly id: string; readonly nonce: string; readonly inputHash: string }, at: number): boolean =>
  db.run("UPDATE approvals SET state = 'consumed', consumed_at = ? WHERE id = ? AND nonce = ? AND input_hash = ? AND state = 'approved' AND consumed_at IS NULL", [
    at, a.id, a.nonce, a.inputHash,
  ]) === 1;
