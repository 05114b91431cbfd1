import { fault } from '../../shared/fault.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import { getApproval } from '../store/approvals.ts';
import { countEvents, eventPage, toEvent } from '../store/events.ts';
import { openInvocations } from '../store/invocations.ts';
import type { InvocationRow } from '../store/invocations.ts';
import { endTask, openTasks, type TaskRow } from '../store/tasks.ts';
import { readRow } from '../store/readable-rows.ts';
import { openRuns } from '../store/runs.ts';
import type { ApprovalLane } from './approval-lane.ts';
import { outcomeOf } from './call-outcome.ts';
import type { CallParts } from './call-parts.ts';
import { notSentClosing } from './ledger.ts';
import type { Closing } from './ledger.ts';
import type { CallSender } from './send-call.ts';
import { sha256 } from '../evidence/canonical.ts';
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

/** A task that the call's own record names: the row alone could name any. */
const isOnRecord = (parts: CallParts, row: InvocationRow, task: TaskRow): boolean => {
  const page = parts.deps.store.read((db) => eventPage(db, row.runId, { invocationId: row.id, types: ['task.created'], offset: 0, limit: 1 }));
  const created = page.rows.map(toEvent)[0];
  return created?.data['task'] === task.taskSha256 && sha256(task.handle.taskId) === task.taskSha256;
};

/**
 * What the last process left open: tasks that servers go on with are followed further, pending approvals wait on, unused yeses ask again, everything else ends with what is known of it. Nothing is
 * sent (I2). Runs without a waiting call end too: nobody goes on with them. Answers with the runs that a call holds open.
 */
export const recoverCalls = (parts: CallParts, approvals: ApprovalLane, sender: Pick<CallSender, 'takeUp'>): ReadonlySet<string> => {
  const { store } = parts.deps;
  const waitingRuns = new Set<string>();
  const tasks = new Map(store.read(openTasks).map((task) => [task.invocationId, task]));
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
    const task = tasks.get(row.id);
    tasks.delete(row.id);
    if (row.state === 'running' && task !== undefined && isOnRecord(parts, row, task)) {
      waitingRuns.add(row.runId);
      sender.takeUp(row, task);
      continue;
    }
    const intentWritten = store.read((db) => countEvents(db, row.id, row.runId, 'call.intent')) > 0;
    const closing = endOf(row, intentWritten, approval?.state === 'consumed');
    const data = { intentWritten, approvalState: approval?.state, class: closing.class, code: closing.fault?.code };
    const closed = parts.ledger.close(row, closing, { events: [{ type: 'call.recovered_at_start', invocationId: row.id, data }], durable: true });
    parts.waiters.end(outcomeOf(closed.row, null));
  }
  // of calls that have ended
  for (const invocationId of tasks.keys()) store.write((db) => endTask(db, invocationId));
  for (const run of store.read(openRuns)) {
    if (!waitingRuns.has(run.id)) parts.ledger.endRun(run.id, { state: 'failed', code: 'interrupted' });
  }
  return waitingRuns;
};
