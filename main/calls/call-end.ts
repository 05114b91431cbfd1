import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { HostResult } from '../../shared/host-result.ts';
import type { Result } from '../../shared/result.ts';
import type { Candidate } from '../capabilities/candidate.ts';
import { getInvocation } from '../store/invocations.ts';
import type { InvocationRow } from '../store/invocations.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import { storeFault } from '../store/store-fault.ts';
import type { ApprovedCall } from './approve.ts';
import { receivedEvents } from './call-events.ts';
import { outcomeOf } from './call-outcome.ts';
import type { Outcome } from './call-outcome.ts';
import type { CallParts } from './call-parts.ts';
import type { AnsweredCall } from './dispatch.ts';
import { isCompleted, textsOf } from './judge-result.ts';
import type { ValidatedCall } from './judge-result.ts';
import { notSentClosing } from './ledger.ts';
import type { Closing } from './ledger.ts';
import type { FittedResult } from './result-fit.ts';
import { recordLate } from './record-late.ts';
import { validate, validateHeld } from './validate.ts';
import { classOfFailure, withoutAnswer } from './wire-failure.ts';

/** What came, and on how many tries; of a call that an earlier process sent, without what was approved. */
export type Answer = Result<Pick<AnsweredCall, 'wire' | 'attempts' | 'waitedMs'>, Fault>;

/** A call that waits for its end. */
export interface OpenCall {
  readonly row: InvocationRow;
  readonly candidate: Candidate;
  readonly hostResult: HostResult | null;
  /** what a resource is asked by; null for tools and prompts */
  readonly uri: string | null;
  /** its outcome must survive a power loss */
  readonly durable: boolean;
  /** the call is to be stopped */
  readonly signal: AbortSignal;
  /** it is known what came, and the call runs no more; told before anybody hears of its end */
  readonly over: () => void;
}

const closingOf = (validated: ValidatedCall): Closing => ({
  state: isCompleted(validated.class) ? 'completed' : 'failed',
  stage: 'evidence',
  class: validated.class,
  fault: validated.fault,
  grounded: validated.grounded,
  result: validated.result,
  texts: textsOf(validated),
});

/** The last two stages of a call that was sent: what came is judged, and written. */
export class CallEnd {
  readonly #parts: CallParts;

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  /** A small answer is judged before this returns; a large one in its worker. What goes wrong ends the call all the same. Never rejects. */
  conclude(answer: Answer, call: OpenCall): Outcome | Promise<Outcome> {
    try {
      if (!answer.ok) return this.#close(answer, null, call);
      const { wire } = answer.value;
      const { candidate, hostResult, uri } = call;
      const deps = this.#parts.validateDeps(call.row, hostResult, uri);
      if (wire.kind !== 'held') return this.#close(answer, validate(wire, candidate, deps), call);
      return validateHeld(wire, candidate, deps, call.signal)
        .then((validated) => this.#close(answer, validated, call))
        .catch((error: unknown) => this.#endedByBug(this.bug(error, call.row.id), call));
    } catch (error) {
      return this.#endedByBug(this.bug(error, call.row.id), call);
    }
  }

  /** The end of a call that an earlier process sent. `candidate`: its tool as it was then; null where it cannot be had, so that no result can be judged. */
  takenUp(wire: WireOutcome, call: Omit<OpenCall, 'candidate'>, candidate: Candidate | null): Outcome | Promise<Outcome> {
    if (candidate !== null) return this.conclude(ok({ wire, attempts: 1, waitedMs: 0 }), { ...call, candidate });
    if (wire.kind === 'held') wire.held.release();
    const lost: WireOutcome = wire.kind === 'failed' ? wire : { kind: 'failed', sent: true, mayHaveRun: true, fault: fault('binding_changed', 'The tool is not as it was when it was called, so that its result was not taken.') };
    const end = classOfFailure(lost, mayHaveEffects(call.row.tier));
    call.over();
    const closing = notSentClosing('dispatch', this.#parts.filter.value(end.fault).value as Fault, end.class);
    const closed = this.#parts.ledger.close(call.row, closing, { events: [], durable: call.durable });
    return this.#ended(closed.row, closing, closed.recorded);
  }

  bug(error: unknown, invocationId: string): Result<never, Fault> {
    this.#parts.deps.log.error('the call line failed', { invocationId, error: error instanceof Error ? error.stack : String(error) });
    return err(fault('internal', 'Gantry failed while this call was under way.'));
  }

  late(late: Parameters<typeof recordLate>[0], invocationId: string, approved: ApprovedCall): void {
    const { deps, ledger } = this.#parts;
    const { planned: { candidate, request }, uri } = approved.frozen;
    void recordLate(late, invocationId, candidate, { store: deps.store, ledger, now: () => deps.clock.now(), validate: this.#parts.validateDeps({ principal: request.principal, runId: request.runId }, null, uri) }).catch((error: unknown) => this.unwritten(error));
  }

  /** Evidence beside the line (progress, retries, late answers): a failure is told in the log and as an error, and never ends a running call. */
  quietly(write: () => unknown): Result<null, Fault> {
    try {
      write();
      return ok(null);
    } catch (error) {
      return this.unwritten(error);
    }
  }

  unwritten(error: unknown): Result<never, Fault> {
    const cause = storeFault(error) ?? fault('internal', error instanceof Error ? error.message : String(error));
    this.#parts.deps.log.error('evidence could not be written', { code: cause.code, message: cause.message });
    return err(cause);
  }

  #close(answer: Answer, validated: ValidatedCall | null, { row, durable, over }: OpenCall): Outcome {
    over();
    const current = answer.ok && answer.value.waitedMs > 0 ? { ...row, waitedMs: row.waitedMs + answer.value.waitedMs } : row;
    const closing = validated ? closingOf(validated) : this.#unanswered(answer, durable);
    const events = answer.ok && validated ? receivedEvents(current.id, answer.value, validated) : [];
    const closed = this.#parts.ledger.close(current, closing, { events, durable });
    return this.#ended(closed.row, closing, closed.recorded, validated?.fitted);
  }

  /** An answer that could not be judged or written ends its call all the same, as one of which nobody knows. Never throws: nobody listens there. */
  #endedByBug(why: Result<never, Fault>, { row: current, durable, over }: OpenCall): Outcome {
    over();
    const { deps, ledger } = this.#parts;
    const closing = this.#unanswered(why, durable);
    try {
      const stands = deps.store.read((db) => getInvocation(db, current.id));
      const closed = stands && stands.endedAt !== null ? { row: stands, recorded: true } : ledger.close(current, closing, { events: [], durable });
      return this.#ended(closed.row, closing, closed.recorded);
    } catch (error) {
      deps.log.error('a call could not be closed; the next start ends it', { invocationId: current.id, error: error instanceof Error ? error.stack : String(error) });
      const told = outcomeOf({ ...current, state: 'failed', code: closing.fault?.code ?? null, class: closing.class, fault: closing.fault }, null);
      this.#parts.waiters.end(told);
      return told;
    }
  }

  /** Refused before the first byte; after a bug nobody knows, so it is told like a lost answer. */
  #unanswered(answer: Result<unknown, Fault>, effects: boolean): Closing {
    const why = answer.ok ? fault('internal', 'The call ended without an answer.') : answer.error;
    if (why.code !== 'internal') return notSentClosing('dispatch', why, why.code === 'unavailable' ? 'unavailable' : 'not_sent');
    const lost = withoutAnswer(why, effects);
    return notSentClosing('dispatch', lost.fault, lost.class);
  }

  #ended(row: InvocationRow, closing: Closing, recorded: boolean, fitted?: FittedResult): Outcome {
    const outcome: Outcome = { ...outcomeOf(row, closing.result), ...(fitted === undefined ? {} : { fitted }) };
    const unrecorded = recorded ? null : this.#parts.ledger.blocked();
    const told: Outcome = unrecorded && !outcome.fault ? { ...outcome, fault: { ...unrecorded, details: { ...unrecorded.details } } } : outcome;
    this.#parts.waiters.end(told);
    return told;
  }
}
