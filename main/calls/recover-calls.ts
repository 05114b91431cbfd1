import { fault } from '../../shared/fault.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import { getApproval } from '../store/approvals.ts';
import { countEvents } from '../store/events.ts';
import { openInvocations } from '../store/invocations.ts';
import type { InvocationRow } from '../store/invocations.ts';
import { readRow } from '../store/readable-rows.ts';
import { openRuns } from '../store/runs.ts';
import type { ApprovalLane } from './approval-lane.ts';
import { outcomeOf } from './call-outcome.ts';
import type { CallParts } from './call-parts.ts';
import { notSentClosing } from './ledger.ts';
import type { Closing } from './ledger.ts';
import { withoutAnswer } from './wire-failure.ts';

const GONE = 'Gantry ended while this call was under way.';

/** How a call ends that the last process left behind, by what its rows prove. */
const endOf = (row: InvocationRow, intentWritten: boolean, consumed: boolean): Closing => {
  if (intentWritten) {
    // the bytes may have left, and the answer may have come: nobody knows (A09, A10)
    const end = withoutAnswer(fault('interrupted', GONE), mayHaveEffects(row.tier));
    return notSentClosing('dispatch', end.fault, end.class);
  }
  if (consumed) {
    // A08: the approval is used up, and nothing was sent
    return notSentClosing('approve', fault('approval_void', 'Gantry ended after the approval was used and before anything was sent; the approval cannot be used again.', { remedy: 'Ask again.', details: { mayHaveRun: false, cause: 'restarted' } }));
  }
  return notSentClosing(row.stage, fault('cancelled', 'Gantry ended before anything was sent.', { remedy: 'Call again.', details: { mayHaveRun: false, cause: 'restarted' } }));
};

/**
 * What the last process left open: pending approvals wait on, unused yeses ask again, everything else ends with what is known of it. Nothing is
 * sent (I2). Runs without a waiting call end too: nobody goes on with them.
 */
export const recoverCalls = (parts: CallParts, approvals: ApprovalLane): void => {
  const { store } = parts.deps;
  const waitingRuns = new Set<string>();
  for (const row of store.read(openInvocations)) {
    // one that cannot be read approves nothing: the call ends as one that waits for nobody
    const approval = row.approvalId === null ? null : store.read((db) => readRow(row.approvalId, (id) => getApproval(db, String(id))));
    if (row.state === 'awaiting_approval' && approval?.state === 'pending') {
      waitingRuns.add(row.runId);
      approvals.takeUp(approval.id);
      continue;
    }
    if (row.state === 'awaiting_approval' && approval?.state === 'approved') {
      waitingRuns.add(row.runId);
      approvals.askAgain(row, approval);
      continue;
    }
    const intentWritten = store.read((db) => countEvents(db, row.id, row.runId, 'call.intent')) > 0;
    const closing = endOf(row, intentWritten, approval?.state === 'consumed');
    const data = { intentWritten, approvalState: approval?.state, class: closing.class, code: closing.fault?.code };
    const closed = parts.ledger.close(row, closing, { events: [{ type: 'call.recovered_at_start', invocationId: row.id, data }], durable: true });
    parts.waiters.end(outcomeOf(closed.row, null));
  }
  for (const run of store.read(openRuns)) {
    if (!waitingRuns.has(run.id)) parts.ledger.endRun(run.id, { state: 'failed', code: 'interrupted' });
  }
};
