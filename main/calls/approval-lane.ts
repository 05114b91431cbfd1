import type { Approval, ApprovalState } from '../../shared/approval.ts';
import { FAULT_CODES } from '../../shared/fault-codes.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Run } from '../../shared/run.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import { moveApproval } from '../store/approvals.ts';
import type { ApprovalRow } from '../store/approvals.ts';
import { getInvocation } from '../store/invocations.ts';
import type { InvocationRow } from '../store/invocations.ts';
import { guarded } from '../store/store-fault.ts';
import { ApprovalDesk } from './approval-desk.ts';
import type { StepRows } from './approval-desk.ts';
import { stillHolds } from './approve.ts';
import type { ApprovedCall } from './approve.ts';
import { judgedEvents } from './call-events.ts';
import { outcomeOf } from './call-outcome.ts';
import type { Outcome } from './call-outcome.ts';
import type { CallParts } from './call-parts.ts';
import type { JudgedCall } from './judge.ts';
import { notSentClosing } from './ledger.ts';
import { orderedId } from '../ordered-id.ts';
import type { CallRequest } from './plan.ts';
import { ApprovedCalls, isAbsence, voidBecause } from './approved-calls.ts';
import type { Brought } from './approved-calls.ts';
import { ApprovalVoids } from './approval-voids.ts';
import type { CallPlace } from './turn-order.ts';
import { endedBecause } from './void-cause.ts';

/** What only run-call can do. */
export interface LaneDoor {
  send(approved: ApprovedCall, row: InvocationRow): Result<Promise<Outcome>, Fault>;
  isStopped(): boolean;
  judge(request: CallRequest): Result<JudgedCall, { readonly fault: Fault }>;
}

/** What goes on record with a question. `more`: what another approval ends by. */
export interface AskWith {
  readonly events: readonly NewEvent[];
  readonly place?: CallPlace | null;
  readonly more?: { readonly event: NewEvent; readonly rows: StepRows };
}

/** The approve stage as it is lived: calls that wait for a person, what the person says, and what voids it. */
export class ApprovalLane {
  readonly #parts: CallParts;
  readonly #door: LaneDoor;
  readonly #desk: ApprovalDesk;
  /** what the callers of waiting calls brought beside what is approved: no one's after this process */
  readonly #brought = new Map<string, Brought>();
  readonly #approved: ApprovedCalls;
  readonly voids: ApprovalVoids;

  constructor(parts: CallParts, door: LaneDoor) {
    this.#parts = parts;
    this.#door = door;
    this.#desk = new ApprovalDesk({
      store: parts.deps.store,
      bus: parts.deps.bus,
      clock: parts.deps.clock,
      expiryMs: () => parts.deps.settings().approvalExpiryMinutes * 60_000,
      onEnded: (approval, why, event, move) => this.#endCall(approval, why, event, move),
    });
    this.voids = new ApprovalVoids(parts, this.#desk);
    this.#approved = new ApprovedCalls(parts, { desk: this.#desk, brought: this.#brought, send: (approved, row) => door.send(approved, row), isStopped: () => door.isStopped() });
  }

  list(state?: ApprovalState): Approval[] {
    return this.#desk.list(state);
  }

  get(approvalId: string): Result<Approval, Fault> {
    return this.#desk.get(approvalId);
  }

  countPending(): number {
    return this.#desk.countPending();
  }

  page(query: Parameters<ApprovalDesk['page']>[0]): ReturnType<ApprovalDesk['page']> {
    return this.#desk.page(query);
  }

  mayAsk(runId: string): Fault | null {
    return this.#desk.mayAsk(runId);
  }

  /** Opens the call as waiting, with its approval, in one transaction. */
  ask(judged: JudgedCall, row: InvocationRow, run: Run, isNew: boolean, { events, place = null, more }: AskWith): InvocationRow {
    const draft = this.#desk.draft(judged, row, run);
    const waiting: InvocationRow = { ...row, state: 'awaiting_approval', stage: 'approve', approvalId: draft.approval.id };
    const all = [...(more ? [more.event] : []), ...events, draft.event];
    this.#parts.ledger.open(run, isNew, waiting, { events: all, rows: (db) => (more ? more.rows(db) : true) && draft.rows(db) });
    const { hostResult } = judged.frozen;
    if (hostResult !== null || place !== null) this.#brought.set(row.id, { hostResult, place });
    this.#desk.watch(draft.approval);
    this.voids.rulesMoveLater();
    return waiting;
  }

  /**
   * A person's word. The second of two is a no-op that answers what stands (A01). Errors: not_found, conflict (another input than the one shown; no
   * `by`), stopped, approval_expired, approval_void, store_write_failed.
   */
  decide(approvalId: string, decision: 'approve' | 'deny', who: { readonly by: string; readonly reason?: string | undefined; readonly inputHash?: string | undefined }): Result<Approval, Fault> {
    return guarded(() => {
      if (who.by.trim() === '') return err(fault('forbidden', 'A decision needs a name on record.'));
      this.#desk.expireIfDue(approvalId);
      const approval = this.#desk.row(approvalId);
      if (!approval) return err(fault('not_found', 'There is no such approval.'));
      if (who.inputHash !== undefined && who.inputHash !== approval.inputHash) return err(fault('conflict', 'The input that was looked at is not the one that waits.', { field: 'inputHash' }));
      if (approval.state !== 'pending') return this.#standing(approval, decision);
      if (decision === 'deny') {
        const reason = who.reason?.trim() ?? '';
        const why = fault('denied', reason === '' ? 'A person denied this call; nothing was sent.' : `A person denied this call: ${reason}`, { details: { by: who.by } });
        this.#desk.end(approval, 'denied', why, who.by, reason === '' ? null : reason);
        return this.#desk.get(approvalId);
      }
      return this.#approve(approval, who);
    });
  }

  /**
   * Voids this approval and freezes the edited input as a new call of the same run; who waits for the old call gets the new one's outcome.
   * Errors: as decide, and what normalize or policy say of the new input (the old approval then stays).
   */
  edit(approvalId: string, inputText: string, who: { readonly by: string }): Result<Approval, Fault> {
    return guarded(() => {
      this.#desk.expireIfDue(approvalId);
      const old = this.#desk.row(approvalId);
      const row = old && this.#parts.deps.store.read((db) => getInvocation(db, old.invocationId));
      const run = old && this.#parts.ledger.run(old.runId);
      if (!old || !row || !run) return err(fault('not_found', 'There is no such approval.'));
      if (old.state !== 'pending') return err(fault('conflict', 'This approval does not wait any more.', { details: { state: old.state } }));
      const judged = this.#door.judge({ capabilityId: old.capabilityId, principal: old.principal, via: old.via, runId: old.runId, input: { text: inputText }, keepsKey: true });
      if (!judged.ok) return err(judged.error.fault);
      const now = this.#parts.deps.clock.now();
      const blank: InvocationRow = { ...row, id: orderedId(now), createdAt: now, waitedMs: 0, approvalId: null };
      const next = this.#parts.frozenRow(blank, judged.value.frozen);
      const event: NewEvent = { type: 'approval.edited', invocationId: row.id, data: { approvalId, by: who.by, newInvocationId: next.id, newInputHash: next.inputHash, decidedAt: now } };
      const rows: StepRows = (db) => moveApproval(db, approvalId, 'pending', 'void', { at: now, by: who.by, reason: 'edited' });
      const brought = this.#brought.get(row.id);
      const waiting = this.ask(judged.value, next, run, false, { events: judgedEvents(next.id, next.createdAt, judged.value), place: brought?.place ?? null, more: { event, rows } });
      this.#parts.waiters.follow(row.id, waiting.id);
      if (brought?.hostResult && judged.value.frozen.hostResult === null) this.#brought.set(waiting.id, brought);
      this.#brought.delete(row.id);
      const why = fault('cancelled', 'The input was edited; the edited call took its place.', { details: { replacedBy: waiting.id } });
      this.#parts.ledger.close({ ...row, waitedMs: now - old.createdAt }, notSentClosing('approve', why), { events: [] }, true);
      this.#desk.settled(approvalId);
      return this.#desk.get(waiting.approvalId ?? '');
    });
  }

  /** The caller gives up a waiting call. */
  cancel(row: InvocationRow): void {
    const approval = row.approvalId === null ? null : this.#desk.row(row.approvalId);
    if (approval?.state === 'pending' || approval?.state === 'approved') this.#desk.end(approval, 'void', fault('cancelled', 'The call was stopped before anything was sent.', { details: { cause: 'stopped' } }), 'user', null);
  }

  /** Stop all: a yes that was not used yet is not used any more; questions stay. The number of calls that this ended. */
  stopApproved(): number {
    const why = fault('stopped', 'Everything was stopped before the approved call was sent; nothing was sent.', { remedy: 'Resume in the top bar, then call again.', details: { cause: 'stopped' } });
    return this.#desk.rows('approved').filter((approval) => this.#desk.end(approval, 'void', why, 'user', null)).length;
  }

  /** Their approvals are told as such while they wait. */
  runsLeft(left: ReadonlySet<string>): void {
    this.#desk.runsLeft(left);
  }

  /** A pending one of an earlier process: unchanged, watched again (A06). */
  takeUp(approvalId: string): void {
    const approval = this.#desk.row(approvalId);
    if (!approval) return;
    this.#desk.watch(approval);
    this.#desk.expireIfDue(approvalId);
    this.voids.rulesMoveLater();
  }

  /** A yes that was given and not used before the process ended asks again: same frozen call, new approval (A07). */
  askAgain(row: InvocationRow, approval: ApprovalRow): void {
    const run = this.#parts.ledger.run(row.runId);
    const frozen = this.#approved.thaw(row, approval);
    if (!run || !frozen.ok) {
      this.#desk.end(approval, 'void', endedBecause('restarted'), 'Gantry', null);
      return;
    }
    const now = this.#parts.deps.clock.now();
    const judged: JudgedCall = { stage: 'judged', frozen: frozen.value, decision: { effect: 'ask', ruleId: approval.ruleId, reason: 'restarted' }, policyVersion: this.#parts.rules.version(now) };
    const draft = this.#desk.draft(judged, row, run);
    const why = { at: now, by: approval.decidedBy ?? 'Gantry', reason: 'restarted' };
    const voided: NewEvent = { type: 'approval.voided', invocationId: row.id, data: { approvalId: approval.id, by: why.by, decidedAt: now, cause: 'restarted', message: 'Gantry ended before the approved call was sent; it asks again.' } };
    const moved = this.#parts.ledger.move({ ...row, state: 'awaiting_approval', stage: 'approve' }, { events: [voided, draft.event], rows: (db) => moveApproval(db, approval.id, 'approved', 'void', why) && draft.rows(db) });
    if (!moved) return;
    this.#desk.settled(approval.id);
    this.#desk.watch(draft.approval);
  }

  close(): void {
    this.#approved.close();
    this.voids.close();
    this.#desk.close();
  }

  #approve(approval: ApprovalRow, who: { readonly by: string; readonly reason?: string | undefined }): Result<Approval, Fault> {
    if (this.#door.isStopped()) return err(fault('stopped', 'Everything is stopped; nothing was approved.', { remedy: 'Resume first, then decide.' }));
    const blocked = this.#parts.ledger.blocked();
    if (blocked) return err(blocked);
    const row = this.#parts.deps.store.read((db) => getInvocation(db, approval.invocationId));
    if (!row) return err(fault('not_found', 'The call of this approval is gone.'));
    const present = this.#approved.present(approval, row);
    const holds = present.ok ? stillHolds(approval, present.value) : isAbsence(present.error) ? ok(null) : present;
    if (!holds.ok) return this.#refuse(approval, holds.error);
    const now = this.#parts.deps.clock.now();
    const event: NewEvent = { type: 'approval.decided', invocationId: row.id, data: { approvalId: approval.id, decision: 'approve', by: who.by, reason: who.reason, inputHash: approval.inputHash, decidedAt: now } };
    const decided = { ...row, waitedMs: now - approval.createdAt };
    const moved = this.#parts.ledger.move(decided, { events: [event], rows: (db) => moveApproval(db, approval.id, 'pending', 'approved', { at: now, by: who.by, reason: who.reason ?? null }) });
    if (moved) {
      this.#desk.tell(approval.id);
      this.#approved.send(approval.id, decided);
    }
    return this.#desk.get(approval.id);
  }

  #refuse(approval: ApprovalRow, why: Fault): Result<never, Fault> {
    const isExpiry = why.code === 'approval_expired';
    const told = isExpiry ? why : voidBecause(why);
    this.#desk.end(approval, isExpiry ? 'expired' : 'void', told, 'Gantry', null);
    return err(told);
  }

  /** What a further decision on a settled approval answers. */
  #standing(approval: ApprovalRow, decision: 'approve' | 'deny'): Result<Approval, Fault> {
    if (decision === 'approve' && approval.state === 'expired') return err(fault('approval_expired', 'Nobody decided in time; nothing was sent.', { remedy: 'Ask again.' }));
    if (decision === 'approve' && approval.state === 'void') return err(fault('approval_void', 'What was to be approved has changed; nothing was sent.', { remedy: 'Ask again.', details: { cause: approval.reason } }));
    return this.#desk.get(approval.id);
  }

  #endCall(approval: ApprovalRow, why: Fault, event: NewEvent, move: StepRows): boolean {
    this.#brought.delete(approval.invocationId);
    const row = this.#parts.deps.store.read((db) => getInvocation(db, approval.invocationId));
    if (!row || row.state === 'completed' || row.state === 'failed') return false;
    const closing = notSentClosing('approve', why, FAULT_CODES[why.code].layer === 'transport' ? 'unavailable' : 'not_sent');
    const waitedMs = approval.decidedAt === null ? this.#parts.deps.clock.now() - approval.createdAt : row.waitedMs;
    const closed = this.#parts.ledger.close({ ...row, waitedMs }, closing, { events: [event], rows: move });
    this.#parts.waiters.end(outcomeOf(closed.row, null));
    return true;
  }
}
