import type { ReadDb } from '../store/database.ts';
import { storedDeletedRun, storedDeletedRunIds } from '../store/deleted-runs.ts';
import { previewText, resultText } from '../store/invocations.ts';
import { approvalIdsOfCall, storedApproval, storedApprovalIds, storedCall, storedCallIds } from '../store/stored-rows.ts';
import type { StoredRow } from '../store/stored-rows.ts';
import { canonicalText, sha256 } from './canonical.ts';
import { approvalClaims } from './chain-claims.ts';
import type { ApprovalEvent, ChainClaims, Claim, RowClaims } from './chain-claims.ts';

export type EvidenceTable = 'runs' | 'invocations' | 'approvals' | 'result_previews' | 'deleted_runs';

/** The first place that does not hold. `place` where it is a row beside the chain; without a field the whole row is missing or too much. */
export interface BadPlace {
  readonly seq: number;
  readonly reason: string;
  readonly place?: { readonly table: EvidenceTable; readonly row: string; readonly field?: string };
}

const MASK = /\[secret\]|\[masked: [^\]]*\]/;

/** Is this the text that was masked when the event was written? What stands around the masks has to be there, in its order. */
export const fitsMasked = (masked: string, actual: string): boolean => {
  const parts = masked.split(MASK);
  if (parts.length === 1) return masked === actual;
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (!actual.startsWith(first) || actual.length < first.length + last.length || !actual.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    at = actual.indexOf(part, at);
    if (at < 0) return false;
    at += part.length;
  }
  return at <= actual.length - last.length;
};

const fits = ({ want, as }: Claim, actual: unknown): boolean => {
  if (as === 'open') return actual === 'running' || actual === 'awaiting_approval';
  if (as === 'present') return actual !== null;
  if (as === 'hash') return typeof actual === 'string' && typeof want === 'string' && fitsMasked(want, sha256(actual));
  return typeof want === 'string' && typeof actual === 'string' ? fitsMasked(want, actual) : want === actual;
};

const bad = (claim: { readonly seq: number }, table: EvidenceTable, row: string, field: string | undefined, reason: string): BadPlace => ({
  seq: claim.seq,
  reason,
  place: { table, row, ...(field === undefined ? {} : { field }) },
});

const member = (text: unknown, name: string): unknown => {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : null;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
};

const NOUNS: Readonly<Record<string, string>> = { frozen_input: 'input', result_json: 'result', preview_json: 'preview of the result', state: 'outcome', code: 'outcome' };
const callWords = (field: string, id: string): string => `the stored ${NOUNS[field] ?? field} of call ${id} is not the one in the chain`;

const judgeCall = (db: ReadDb, id: string, claims: RowClaims): BadPlace | null => {
  const row = storedCall(db, id);
  if (!row) return bad(claims, 'invocations', id, undefined, `call ${id} is in the chain but its row is gone`);
  const wrong = (claim: { readonly seq: number }, field: string): BadPlace => bad(claim, field === 'preview_json' ? 'result_previews' : 'invocations', id, field, callWords(field, id));
  const input = claims.fields.get('input_hash');
  for (const [field, claim] of claims.fields) {
    if (field === 'frozen_input') continue;
    if (field === 'durationMs') {
      if (row['started_at'] === null || Number(row['ended_at']) - Number(row['started_at']) !== claim.want) return wrong(claim, 'ended_at');
      continue;
    }
    const [column = '', inside] = field.split('.');
    const actual = column === 'result_json' ? resultText(db, id) : column === 'preview_json' ? previewText(db, id) : inside === undefined ? row[column] : member(row[column], inside);
    if (!fits(claim, actual)) return wrong(claim, column);
  }
  if (input) {
    const text = `{"binding":${canonicalText(row['binding_fingerprint'])},"capabilityId":${canonicalText(row['capability_id'])},"input":${String(row['frozen_input'] ?? '')}}`;
    if (input.want === null ? row['frozen_input'] !== null : !fits({ ...input, as: 'hash' }, text)) return wrong(input, 'frozen_input');
  }
  return null;
};

const judgeApprovals = (db: ReadDb, runId: string, { approvals, calls }: ChainClaims, lastSeq: number): BadPlace | null => {
  const byId = new Map<string, ApprovalEvent[]>();
  for (const event of approvals) {
    const said = event.data['approvalId'];
    if (typeof said !== 'string') continue;
    const id = MASK.test(said) ? (approvalIdsOfCall(db, event.callId).find((known) => fitsMasked(said, known)) ?? said) : said;
    byId.set(id, [...(byId.get(id) ?? []), event]);
  }
  for (const [id, events] of byId) {
    const claims = approvalClaims(runId, calls.get(events[0]!.callId), events);
    const row = storedApproval(db, id);
    if (!row) return bad(claims, 'approvals', id, undefined, `approval ${id} is in the chain but its row is gone`);
    for (const [field, claim] of claims.fields) {
      if (!fits(claim, row[field])) return bad(claim, 'approvals', id, field, `the stored ${field} of approval ${id} is not the one in the chain`);
    }
  }
  const extra = [...storedApprovalIds(db, runId), ...[...calls.keys()].flatMap((callId) => approvalIdsOfCall(db, callId))].find((id) => !byId.has(id));
  return extra === undefined ? null : bad({ seq: lastSeq }, 'approvals', extra, undefined, `approval ${extra} is stored but no row of the chain asks for it`);
};

/** Rows of deleted runs are proved by the run that recorded their deletion. */
const judgeDeleted = (db: ReadDb, runId: string, { deleted }: ChainClaims, lastSeq: number): BadPlace | null => {
  for (const [id, claims] of deleted) {
    const row = storedDeletedRun(db, id);
    if (!row) return bad(claims, 'deleted_runs', id, undefined, `the deletion of run ${id} is in the chain but its row is gone`);
    for (const [field, claim] of claims.fields) {
      if (!fits(claim, row[field])) return bad(claim, 'deleted_runs', id, field, `the stored ${field} of deleted run ${id} is not the one in the chain`);
    }
  }
  const extra = storedDeletedRunIds(db, runId).find((id) => !deleted.has(id));
  return extra === undefined ? null : bad({ seq: lastSeq }, 'deleted_runs', extra, undefined, `run ${extra} is stored as deleted but no row of the chain says so`);
};

/** Compares every row beside the chain with what the chain alone says it has to be; which checks apply is never taken from a row. */
export const judgeRows = (db: ReadDb, runId: string, run: StoredRow, claims: ChainClaims, lastSeq: number): BadPlace | null => {
  for (const [field, claim] of claims.run.fields) {
    if (!fits(claim, run[field])) return bad(claim, 'runs', runId, field, `the stored ${field} of the run is not the one in the chain`);
  }
  for (const [id, call] of claims.calls) {
    const wrong = judgeCall(db, id, call);
    if (wrong) return wrong;
  }
  const extra = storedCallIds(db, runId).find((id) => !claims.calls.has(id));
  if (extra !== undefined) return bad({ seq: lastSeq }, 'invocations', extra, undefined, `call ${extra} is stored but no row of the chain names it`);
  return judgeApprovals(db, runId, claims, lastSeq) ?? judgeDeleted(db, runId, claims, lastSeq);
};
