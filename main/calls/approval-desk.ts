import { randomBytes, randomUUID } from 'node:crypto';
import type { Approval, ApprovalState } from '../../shared/approval.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Run } from '../../shared/run.ts';
import { tellingArguments } from '../../shared/telling-arguments.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import { sha256 } from '../evidence/canonical.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import { approvalDetail, approvalPage, countAsked, getApproval, insertApproval, listApprovals, moveApproval, pendingTimes } from '../store/approvals.ts';
import type { ApprovalRow } from '../store/approvals.ts';
import type { Store } from '../store/database.ts';
import type { InvocationRow } from '../store/invocations.ts';
import { ApprovalClock } from './approval-clock.ts';
import { approvalContext } from './approval-context.ts';
import type { JudgedCall } from './judge.ts';

/** What one run may ask of a person (A15). */
export const ASK_LIMITS = { pendingPerRun: 10, askedPerRun: 60 } as const;

export interface DeskDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly expiryMs: () => number;
  /** closes the waiting call of an approval that ended without a yes, in one transaction with `move`; false when another was first */
  readonly onEnded: (approval: ApprovalRow, why: Fault, event: NewEvent, move: StepRows) => boolean;
}
export type StepRows = (db: Parameters<typeof moveApproval>[0]) => boolean;

/** Approvals and their one-way states: pending -> approved -> consumed, or denied, expired, void. */
export class ApprovalDesk {
  readonly #deps: DeskDeps;
  readonly #ages: ApprovalClock;
  #left: ReadonlySet<string> = new Set();

  constructor(deps: DeskDeps) {
    this.#deps = deps;
    this.#ages = new ApprovalClock(deps.clock, (id) => this.expireIfDue(id));
  }

  /** Runs of an earlier process that still wait for a person. */
  runsLeft(left: ReadonlySet<string>): void {
    this.#left = left;
  }

  #shown(row: ApprovalRow): Approval {
    const { bindingFingerprint: _binding, policyVersion: _policy, consumedAt: _consumed, ...approval } = row;
    const telling = tellingArguments(approval.frozenInput);
    return row.state === 'pending' && this.#left.has(row.runId) ? { ...approval, telling, runLeft: true } : { ...approval, telling };
  }

  /** Null while this run may ask; else rate_limited. */
  mayAsk(runId: string): Fault | null {
    const { pending, asked } = this.#deps.store.read((db) => countAsked(db, runId));
    if (pending < ASK_LIMITS.pendingPerRun && asked < ASK_LIMITS.askedPerRun) return null;
    return fault('rate_limited', `This run has asked too often (${pending} questions wait, ${asked} were asked); nothing was sent.`, {
      remedy: 'Decide the waiting ones first, or start a new run.',
      details: { pending, asked, ...ASK_LIMITS },
    });
  }

  /** A new pending approval of a judged call: not written yet. `rows` and `event` belong into the step that opens the call. */
  draft(judged: JudgedCall, invocation: InvocationRow, run: Run): { readonly approval: ApprovalRow; readonly event: NewEvent; readonly rows: StepRows } {
    const { frozen, decision } = judged;
    const { candidate, request } = frozen.planned;
    const now = this.#deps.clock.now();
    const approval: ApprovalRow = {
      id: randomUUID(),
      invocationId: invocation.id,
      runId: invocation.runId,
      runTitle: run.title,
      principal: request.principal,
      ...(run.via === undefined ? {} : { via: run.via }),
      capabilityId: request.capabilityId,
      capabilityTitle: candidate.definition.title ?? candidate.capability.name,
      ...(candidate.definition.description === undefined ? {} : { serverSays: candidate.definition.description }),
      tier: candidate.tier,
      state: 'pending',
      frozenInput: frozen.frozenInput,
      inputBytes: frozen.inputBytes,
      inputHash: frozen.inputHash,
      nonce: randomBytes(16).toString('hex'),
      ruleId: decision.ruleId,
      ...this.#deps.store.read((db) => approvalContext(db, frozen, now)),
      createdAt: now,
      expiresAt: now + this.#deps.expiryMs(),
      decidedAt: null,
      decidedBy: null,
      reason: null,
      consumedAt: null,
      bindingFingerprint: candidate.bindingFingerprint,
      policyVersion: judged.policyVersion,
    };
    const { id, inputHash, ruleId, createdAt, expiresAt, policyVersion, bindingFingerprint } = approval;
    return {
      approval,
      event: { type: 'approval.asked', invocationId: invocation.id, data: {
          approvalId: id, inputHash, ruleId, createdAt, expiresAt, policyVersion, bindingFingerprint, notices: approval.notices.map((n) => n.code),
          nonceSha256: sha256(approval.nonce), detailSha256: sha256(approvalDetail(approval)),
        } },
      rows: (db) => {
        insertApproval(db, approval);
        return true;
      },
    };
  }

  /** After the draft is committed, and for each pending one found at start. */
  watch(approval: ApprovalRow): void {
    this.#ages.watch(approval);
    this.tell(approval.id);
  }

  age(approval: ApprovalRow): { readonly elapsedMs: number; readonly clockMovedBack: boolean } {
    return this.#ages.age(approval);
  }

  row(approvalId: string): ApprovalRow | null {
    return this.#deps.store.read((db) => getApproval(db, approvalId));
  }

  get(approvalId: string): Result<Approval, Fault> {
    this.expireIfDue(approvalId);
    const row = this.row(approvalId);
    return row ? ok(this.#shown(row)) : err(fault('not_found', 'There is no such approval.'));
  }

  list(state?: ApprovalState): Approval[] {
    this.#expireDue();
    return this.rows(state).map((row) => this.#shown(row));
  }

  page(query: Parameters<typeof approvalPage>[1]): ReturnType<typeof approvalPage> {
    this.#expireDue();
    return this.#deps.store.read((db) => approvalPage(db, query));
  }

  countPending(): number {
    return this.#expireDue();
  }

  /** How many wait after that; their inputs are not read for it. */
  #expireDue(): number {
    let waiting = 0;
    for (const approval of this.#deps.store.read(pendingTimes)) {
      const { elapsedMs, clockMovedBack } = this.#ages.age(approval);
      if (clockMovedBack || elapsedMs >= approval.expiresAt - approval.createdAt) this.expireIfDue(approval.id);
      else waiting += 1;
    }
    return waiting;
  }

  rows(state?: ApprovalState): readonly ApprovalRow[] {
    return this.#deps.store.read((db) => listApprovals(db, state));
  }

  /** Ends an approval that nobody will use. False when it had ended already. */
  end(approval: ApprovalRow, to: 'denied' | 'expired' | 'void', why: Fault, by: string, reason: string | null): boolean {
    const from = approval.state === 'approved' ? 'approved' : 'pending';
    const at = this.#deps.clock.now();
    const type = to === 'denied' ? 'approval.decided' : to === 'expired' ? 'approval.expired' : 'approval.voided';
    const cause = typeof why.details?.['cause'] === 'string' ? why.details['cause'] : why.code;
    const data = { approvalId: approval.id, by, reason, decidedAt: at, ...(to === 'denied' ? { decision: 'deny' } : { cause, message: why.message }) };
    const decision = { at, by, reason: to === 'denied' ? reason : (reason ?? cause) };
    const ended = this.#deps.onEnded(approval, why, { type, invocationId: approval.invocationId, data }, (db) => moveApproval(db, approval.id, from, to, decision));
    if (ended) this.settled(approval.id);
    return ended;
  }

  /** No clock watches it any more, and the windows hear of it. */
  settled(approvalId: string): void {
    this.#ages.forget(approvalId);
    this.tell(approvalId);
  }

  expireIfDue(approvalId: string, known?: ApprovalRow): void {
    const approval = known ?? this.row(approvalId);
    if (!approval || approval.state !== 'pending') return;
    const { elapsedMs, clockMovedBack } = this.age(approval);
    if (clockMovedBack) this.end(approval, 'void', fault('approval_void', 'The clock of this computer was set back after the approval was asked for; nothing was sent.', { remedy: 'Ask again.', details: { cause: 'clock_set_back' } }), 'Gantry', null);
    else if (elapsedMs >= approval.expiresAt - approval.createdAt) this.end(approval, 'expired', fault('approval_expired', 'Nobody decided in time; nothing was sent.', { remedy: 'Ask again.' }), 'Gantry', null);
  }

  tell(approvalId: string): void {
    const row = this.row(approvalId);
    if (row) this.#deps.bus.emit('approval:changed', { approval: this.#shown(row) });
  }

  close(): void {
    this.#ages.close();
  }
}
