import type { Candidate } from '../capabilities/candidate.ts';
import { sha256 } from '../evidence/canonical.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import type { Store } from '../store/database.ts';
import { callMoves, faultText, getInvocation, moveCall } from '../store/invocations.ts';
import type { InvocationRow } from '../store/invocations.ts';
import type { Ledger } from './ledger.ts';
import { textsOf } from './judge-result.ts';
import { validate, validateHeld } from './validate.ts';
import type { ValidateDeps } from './validate.ts';

/** Ends that left something open, which a late answer can settle. */
const OPEN_ENDS: ReadonlySet<string> = new Set(['outcome_unknown', 'timeout', 'interrupted']);

/**
 * An answer that came after the call had ended: recorded and linked, so that "unknown" becomes known to a reader; never delivered to the agent (F09).
 * The invocation keeps its class and code; `fault.details.late` says what came.
 */
export const recordLate = async (late: WireOutcome, invocationId: string, candidate: Candidate, deps: { readonly store: Store; readonly ledger: Ledger; readonly now: () => number; readonly validate: ValidateDeps }): Promise<void> => {
  if (late.kind === 'failed') return;
  const known = late.kind === 'held' ? await validateHeld(late, candidate, deps.validate, new AbortController().signal) : validate(late, candidate, deps.validate);
  const row = deps.store.read((db) => getInvocation(db, invocationId));
  if (!row) return;
  const at = deps.now();
  const settles = row.code !== null && OPEN_ENDS.has(row.code) && row.fault !== null;
  const told: InvocationRow = settles && row.fault ? { ...row, fault: { ...row.fault, details: { ...row.fault.details, late: { at, class: known.class, message: known.fault?.message } } } } : row;
  const data = { class: known.class, code: known.fault?.code, settles, afterMs: row.startedAt === null ? undefined : at - row.startedAt, sizeBytes: known.result?.sizeBytes, resultSha256: settles ? known.stored?.sha256 : undefined, previewSha256: settles ? known.stored?.preview?.sha256 : undefined, faultSha256: settles ? sha256(faultText(told) ?? '') : undefined };
  deps.ledger.note(row.runId, [{ type: 'call.late_result', invocationId, data }], settles ? (db) => moveCall(db, callMoves(told), textsOf(known)) : undefined);
  if (settles) deps.ledger.tell(told);
};
