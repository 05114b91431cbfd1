import { setTimeout as pause } from 'node:timers/promises';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { HostResult } from '../../shared/host-result.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import { consumeApproval } from '../store/approvals.ts';
import type { ApprovalRow } from '../store/approvals.ts';
import type { InvocationRow } from '../store/invocations.ts';
import { guarded } from '../store/store-fault.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import { askedUri } from './asked-uri.ts';
import { approveByPerson } from './approve.ts';
import type { ApprovedCall, stillHolds } from './approve.ts';
import type { Outcome } from './call-outcome.ts';
import type { CallParts } from './call-parts.ts';
import { inputHashOf } from './normalize.ts';
import type { FrozenCall } from './normalize.ts';
import type { CallRequest } from './plan.ts';
import type { CallPlace } from './turn-order.ts';
import { causeOf, endedBecause } from './void-cause.ts';

/** How long a yes waits for a server that is just (re)starting, and how often it looks. */
const READY_WAIT_MS = 20_000;
const READY_LOOK_MS = 200;

/** What the caller of a waiting call wants of its answer, and where it stands in its turn: no part of what is approved. */
export interface Brought {
  readonly hostResult: HostResult | null;
  readonly place: CallPlace | null;
}

export interface ApprovedCallsDeps {
  readonly desk: ApprovalDesk;
  /** by invocation */
  readonly brought: Map<string, Brought>;
  readonly send: (approved: ApprovedCall, row: InvocationRow) => Result<Promise<Outcome>, Fault>;
  readonly isStopped: () => boolean;
}

/** From a person's yes to the wire: used up by one atomic update, on what still is as it was shown. */
export class ApprovedCalls {
  readonly #parts: CallParts;
  readonly #deps: ApprovedCallsDeps;
  #closed = false;

  constructor(parts: CallParts, deps: ApprovedCallsDeps) {
    this.#parts = parts;
    this.#deps = deps;
  }

  /** Now, or as soon as its place in the turn and its server allow it. */
  send(approvalId: string, row: InvocationRow): void {
    const before = this.#before(row);
    if (before === null && this.#use(approvalId, row)) return;
    this.#useWhenReady(approvalId, row, before).catch((error: unknown) => this.#parts.deps.log.error('an approved call that waited could not be ended', { approvalId, error: String(error) }));
  }

  close(): void {
    this.#closed = true;
  }

  /** What the approval hangs on, as it is now. Errors: as the registry. */
  present(approval: ApprovalRow, row: InvocationRow): Result<Parameters<typeof stillHolds>[1], Fault> {
    const found = this.#parts.deps.registry.candidate(row.capabilityId, row.principal);
    if (!found.ok) return found;
    const policyVersion = this.#parts.rules.version(this.#parts.deps.clock.now());
    return ok({ bindingFingerprint: found.value.bindingFingerprint, policyVersion, frozenInput: row.frozenInput ?? '', ...this.#deps.desk.age(approval) });
  }

  /** True when the approval was used up or ended; false while its server is not there. */
  #use(approvalId: string, row: InvocationRow): boolean {
    const approval = this.#deps.desk.row(approvalId);
    if (!approval || approval.state !== 'approved') return true;
    const frozen = this.thaw(row, approval);
    if (!frozen.ok && isAbsence(frozen.error)) return false;
    const present = this.present(approval, row);
    if (!frozen.ok || !present.ok) {
      this.#deps.desk.end(approval, 'void', frozen.ok ? voidBecause(present.ok ? null : present.error) : voidBecause(frozen.error), 'Gantry', null);
      return true;
    }
    const at = this.#parts.deps.clock.now();
    const consumed: InvocationRow = { ...row, state: 'running', stage: 'approve' };
    const event: NewEvent = { type: 'approval.consumed', invocationId: row.id, data: { approvalId, inputHash: approval.inputHash, consumedAt: at } };
    const approved = approveByPerson(frozen.value, approval, present.value, () => this.#parts.ledger.move(consumed, { events: [event], rows: (db) => consumeApproval(db, approval, at) }));
    if (!approved.ok) {
      if (approved.error.code !== 'conflict') this.#deps.desk.end(approval, approved.error.code === 'approval_expired' ? 'expired' : 'void', approved.error, 'Gantry', null);
      return true;
    }
    this.#deps.desk.settled(approvalId);
    const place = this.#deps.brought.get(row.id)?.place;
    this.#deps.brought.delete(row.id);
    const sent = this.#deps.send(approved.value, consumed);
    place?.sent();
    if (!sent.ok) this.#parts.deps.log.error('an approved call could not be sent', { code: sent.error.code });
    return true;
  }

  /** Waits for its place, for the server, and for the reading of what it announced: a yes is not used on a definition that may be no more (S63). */
  async #useWhenReady(approvalId: string, row: InvocationRow, first: Promise<Fault | null> | null): Promise<void> {
    const { clock, registry } = this.#parts.deps;
    let unread = await first;
    const until = clock.monotonic() + READY_WAIT_MS;
    while (!this.#closed) {
      if (unread) {
        const approval = this.#deps.desk.row(approvalId);
        if (approval?.state === 'approved') this.#deps.desk.end(approval, 'void', unread, 'Gantry', null);
        return;
      }
      const settled = guarded(() => ok(!this.#deps.isStopped() && this.#isClear(row) && this.#use(approvalId, row)));
      if (!settled.ok || settled.value) return;
      if (clock.monotonic() >= until) break;
      if (this.#isClear(row)) await pause(READY_LOOK_MS, undefined, { ref: false });
      unread = await this.#before(row);
    }
    const approval = this.#deps.desk.row(approvalId);
    const present = registry.candidate(row.capabilityId, row.principal);
    if (approval?.state === 'approved' && !this.#closed) this.#deps.desk.end(approval, 'void', present.ok ? fault('unavailable', 'The server was not ready in time; the tool was not called.') : present.error, 'Gantry', null);
  }

  #isClear(row: InvocationRow): boolean {
    return (this.#deps.brought.get(row.id)?.place?.inFlight() ?? null) === null;
  }

  /** What of its turn is under way at its server, then the reading of what that announced. Null: nothing is waited for. */
  #before(row: InvocationRow): Promise<Fault | null> | null {
    const meets = this.#deps.brought.get(row.id)?.place?.inFlight() ?? null;
    return meets === null ? this.#parts.deps.freshen(row.capabilityId) : meets.then(() => this.#before(row));
  }

  /** The frozen call from its rows, with the capability as it is now. */
  thaw(row: InvocationRow, approval: ApprovalRow): Result<FrozenCall, Fault> {
    const found = this.#parts.deps.registry.candidate(row.capabilityId, row.principal);
    if (!found.ok) return found;
    const frozenInput = row.frozenInput ?? '';
    const inputHash = inputHashOf(row.capabilityId, found.value.bindingFingerprint, frozenInput);
    if (inputHash !== approval.inputHash) return err(fault('approval_void', 'The tool or the stored input is not the one that was shown; nothing was sent.', { remedy: 'Ask again.', details: { cause: 'input_not_shown' } }));
    const request: CallRequest = { capabilityId: row.capabilityId, principal: row.principal, runId: row.runId, input: { text: frozenInput } };
    const value: unknown = JSON.parse(frozenInput);
    const uri = askedUri(found.value, value);
    if (!uri.ok) return uri;
    return ok({ stage: 'frozen', planned: { stage: 'planned', request, candidate: found.value }, frozenInput, inputBytes: Buffer.byteLength(frozenInput), inputHash, value, repairs: [], hostResult: this.#deps.brought.get(row.id)?.hostResult ?? null, uri: uri.value });
  }
}

/** The source is there but not connected: nothing about what was approved has changed. */
export const isAbsence = (f: Fault): boolean => f.code === 'not_connected' || f.code === 'unavailable' || f.code === 'connection_failed' || f.code === 'exited';

export const voidBecause = (f: Fault | null): Fault =>
  f === null || f.code === 'approval_void' ? (f ?? fault('approval_void', 'What was approved has changed; nothing was sent.', { remedy: 'Ask again.' })) : endedBecause(causeOf(f));
