import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadDb } from '../store/database.ts';
import type { ReadStore } from '../store/read-only.ts';
import { eventRows } from '../store/events.ts';
import type { EventRow } from '../store/events.ts';
import { invocationsOfRun, previewText, resultText } from '../store/invocations.ts';
import { getRun } from '../store/runs.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import { canonicalText, sha256 } from './canonical.ts';
import { FIRST_PREV_HASH, FIRST_SEQ, eventHash } from './chain.ts';

export interface Verdict {
  readonly ok: boolean;
  /** the first row that does not hold, or the place where one is missing */
  readonly firstBad?: { readonly seq: number; readonly reason: string };
  readonly events: number;
}

/** Rows a slice: about 5 ms, so that a long run never holds the host's thread. */
const SLICE = 500;

/** Canonical text of a stored text, or null where the text is not the canonical form that was hashed. */
const dataOf = (row: EventRow): string | null => {
  try {
    const text = canonicalText(JSON.parse(row.data_json));
    return text === row.data_json ? text : null;
  } catch {
    return null;
  }
};

const judgeRow = (row: EventRow, seq: number, prevHash: string): string | null => {
  if (row.seq !== seq) return `row ${seq} is missing`;
  const text = dataOf(row);
  if (text === null) return 'its data was edited';
  const hash = eventHash({ runId: row.run_id, seq: row.seq, prevHash, at: row.at, type: row.type, invocationId: row.invocation_id }, text);
  return hash === row.hash ? null : 'its hash does not match: it was edited, or the row before it was changed or moved';
};

/** What the chain says of an invocation's own row, collected on the way. */
interface Claim {
  readonly seq: number;
  readonly inputHash?: unknown;
  readonly bindingFingerprint?: unknown;
  readonly capabilityId?: unknown;
  readonly resultSha256?: unknown;
  readonly previewSha256?: unknown;
  readonly state?: unknown;
  readonly code?: unknown;
}

const CLAIMING = new Set(['call.planned', 'call.normalized', 'call.validated', 'call.late_result', 'call.outcome']);

const collect = (claims: Map<string, Claim>, row: EventRow): void => {
  if (row.invocation_id === null || !CLAIMING.has(row.type)) return;
  const data = JSON.parse(row.data_json) as Record<string, unknown>;
  claims.set(row.invocation_id, { ...claims.get(row.invocation_id), ...data, seq: row.seq });
};

/** The rows beside the chain (input, result, outcome) are bound to it by the hashes in it. */
const judgeInvocations = (db: ReadDb, runId: string, claims: ReadonlyMap<string, Claim>): { seq: number; reason: string } | null => {
  const rows = new Map(invocationsOfRun(db, runId).map((row) => [row.id, row]));
  for (const [id, claim] of claims) {
    const row = rows.get(id);
    if (!row) return { seq: claim.seq, reason: `call ${id} is in the chain but its row is gone` };
    if (typeof claim.inputHash === 'string') {
      const bound = `{"binding":${canonicalText(row.bindingFingerprint)},"capabilityId":${canonicalText(row.capabilityId)},"input":${row.frozenInput ?? ''}}`;
      if (row.inputHash !== claim.inputHash || sha256(bound) !== claim.inputHash) return { seq: claim.seq, reason: `the stored input of call ${id} is not the one in the chain` };
    }
    if (typeof claim.resultSha256 === 'string') {
      const text = resultText(db, id);
      if (text === null || sha256(text) !== claim.resultSha256) return { seq: claim.seq, reason: `the stored result of call ${id} is not the one in the chain` };
    }
    // a preview that the chain does not know is one that somebody put there
    const shown = previewText(db, id);
    if (shown === null ? typeof claim.previewSha256 === 'string' : sha256(shown) !== claim.previewSha256) {
      return { seq: claim.seq, reason: `the stored preview of the result of call ${id} is not the one in the chain` };
    }
    if (typeof claim.state === 'string' && (row.state !== claim.state || row.code !== (claim.code ?? null))) {
      return { seq: claim.seq, reason: `the stored outcome of call ${id} is not the one in the chain` };
    }
  }
  return null;
};

/** Recomputes the whole chain of a run and names the first row that does not hold. Error: not_found. */
export const verifyRun = async (store: ReadStore, runId: string): Promise<Result<Verdict, Fault>> => {
  const run = store.read((db) => getRun(db, runId));
  if (!run) return err(fault('not_found', 'There is no such run.'));
  const claims = new Map<string, Claim>();
  let seq = FIRST_SEQ;
  let prevHash = FIRST_PREV_HASH;
  let events = 0;
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = store.read((db) => eventRows(db, runId, after, SLICE));
    for (const row of rows) {
      // what was appended while this runs is not judged against the head read before
      if (row.seq > run.eventCount && rows.length > 0 && (store.read((db) => getRun(db, runId))?.eventCount ?? 0) >= row.seq) continue;
      if (row.seq > run.eventCount && events === run.eventCount) return ok({ ok: false, firstBad: { seq: row.seq, reason: 'this row was added after the end of the chain' }, events });
      const reason = judgeRow(row, seq, prevHash);
      if (reason !== null) return ok({ ok: false, firstBad: { seq: row.seq === seq ? row.seq : seq, reason }, events });
      collect(claims, row);
      prevHash = row.hash;
      seq += 1;
      events += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < SLICE) break;
    after = last.seq;
    await nextTurn();
  }
  if (events < run.eventCount) return ok({ ok: false, firstBad: { seq, reason: `the end of the chain is cut off: ${run.eventCount} rows were written, ${events} are there` }, events });
  if (prevHash !== run.headHash) return ok({ ok: false, firstBad: { seq: seq - 1, reason: 'the head of the run does not match its last row' }, events });
  const beside = run.endedAt === null ? null : store.read((db) => judgeInvocations(db, runId, claims));
  return ok(beside ? { ok: false, firstBad: beside, events } : { ok: true, events });
};
