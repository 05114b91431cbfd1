import { parseCapabilityId } from '../../shared/capability-id.ts';
import { FAULT_CODES } from '../../shared/fault-codes.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { HostResult } from '../../shared/host-result.ts';
import { USER } from '../../shared/principal.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Run } from '../../shared/run.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import { orderedId } from '../ordered-id.ts';
import { ASK_SENT_AGAIN } from '../policy/built-in-rules.ts';
import type { InvocationRow } from '../store/invocations.ts';
import { ASK_LIMITS } from './approval-desk.ts';
import type { ApprovalLane } from './approval-lane.ts';
import { approveByRule } from './approve.ts';
import { judgedEvents, shownIn } from './call-events.ts';
import { outcomeOf } from './call-outcome.ts';
import type { Outcome } from './call-outcome.ts';
import type { CallParts } from './call-parts.ts';
import { judge } from './judge.ts';
import type { JudgedCall } from './judge.ts';
import { notSentClosing } from './ledger.ts';
import type { Closing } from './ledger.ts';
import { normalize } from './normalize.ts';
import { plan } from './plan.ts';
import type { CallRequest } from './plan.ts';
import { isIdempotent } from './repeats.ts';
import type { Earlier, Repeats } from './repeats.ts';
import type { RunIsolations } from './run-isolations.ts';
import type { CallSender } from './send-call.ts';
import type { TryCall } from './try-call.ts';

/**
 * Where a call stands once it is on record. `told`: all that there is to tell. `joined`: the same write of its run, which is under way and answers it. `behind`: not
 * on record yet; another call of its turn comes before it, after which it is judged anew.
 */
export type Entered = { readonly row: InvocationRow; readonly sending: Promise<Outcome> | null } | { readonly told: Outcome } | { readonly joined: InvocationRow } | { readonly behind: Promise<void> };

export interface CallEntryDeps {
  readonly sender: CallSender;
  readonly repeats: Repeats;
  readonly isolations: RunIsolations;
  readonly approvals: ApprovalLane;
  readonly isStopped: () => boolean;
}

/** The way of a call up to where it is sent, waits for a person, or is refused. */
export class CallEntry {
  readonly #parts: CallParts;
  readonly #deps: CallEntryDeps;

  constructor(parts: CallParts, deps: CallEntryDeps) {
    this.#parts = parts;
    this.#deps = deps;
  }

  /** plan, normalize, policy. */
  judge(request: CallRequest): Result<JudgedCall, { readonly fault: Fault; readonly stage: 'plan' | 'normalize' | 'policy'; readonly planned?: JudgedCall['frozen']['planned'] }> {
    const { deps, filter, rules } = this.#parts;
    const planned = plan(request, deps.registry);
    if (!planned.ok) return err({ fault: planned.error, stage: 'plan' });
    const frozen = normalize(planned.value, { validator: deps.validator, filter, keys: this.#deps.repeats.keys });
    if (!frozen.ok) return err({ fault: frozen.error, stage: 'normalize', planned: planned.value });
    const judged = judge(frozen.value, rules, deps.clock.now());
    return judged.ok ? judged : err({ fault: judged.error, stage: 'policy', planned: planned.value });
  }

  /** One step from planning to what comes after policy, in one go. Error: nothing of it is on record. Throws what the store throws. */
  enter(request: TryCall, unread: Fault | null): Result<Entered, Fault> {
    const { deps, ledger } = this.#parts;
    const title = parseCapabilityId(request.capabilityId)?.name ?? request.capabilityId;
    const run = request.run === undefined ? ledger.newRun({ kind: 'try', title, principal: request.principal, ...(request.via ? { via: request.via } : {}) }) : ledger.run(request.run.id);
    if (!run || run.endedAt !== null) return err(fault(run ? 'conflict' : 'not_found', run ? 'This run has ended.' : 'There is no such run.'));
    const isNew = request.run === undefined;
    const blank = this.#blank(run.id, request);
    const input = request.inputText === undefined ? { value: request.input } : { text: request.inputText };
    const refuse = (f: Fault, stage: Closing['stage'], planned?: JudgedCall['frozen']['planned'], frozen?: { readonly row: InvocationRow; readonly events: readonly NewEvent[] }): Result<{ row: InvocationRow; sending: null }, Fault> => {
      const row = frozen?.row ?? (planned ? this.#parts.rowOf(blank, planned) : blank);
      const { principal, tier, inputHash, bindingFingerprint, definitionFingerprint, createdAt } = row;
      const refused: NewEvent = { type: 'call.refused', invocationId: row.id, data: { stage, code: f.code, message: f.message, field: f.field, capabilityId: row.capabilityId, principal, tier, inputHash, bindingFingerprint, definitionFingerprint, createdAt, ...shownIn(request) } };
      return ok({ row: ledger.openClosed(run, isNew, row, notSentClosing(stage, f, FAULT_CODES[f.code].layer === 'transport' ? 'unavailable' : 'not_sent'), { events: [...(frozen?.events ?? []), refused] }), sending: null });
    };
    if (this.#deps.isStopped()) return refuse(fault('stopped', 'Everything is stopped; nothing was sent.', { remedy: 'Resume in the top bar, then call again.' }), 'plan');
    if (request.notMade) return refuse(request.notMade, 'plan');
    if (unread) return refuse(unread, 'plan');
    const isolated = this.#deps.isolations.refusal(run.id, parseCapabilityId(request.capabilityId)?.serverId ?? '');
    if (isolated) return refuse({ ...isolated, message: `${isolated.message} The tool was not called.` }, 'plan');
    const judged = this.judge({ capabilityId: request.capabilityId, principal: request.principal, via: run.via, runId: run.id, scope: request.scope, input, binding: request.binding, shown: request.shown, isUnshown: request.isUnshown, undo: request.undo, fresh: request.fresh, keepsKey: request.principal === USER });
    if (!judged.ok) return refuse(judged.error.fault, judged.error.stage, judged.error.planned);
    const row = this.#parts.frozenRow(blank, judged.value.frozen);
    const events = judgedEvents(row.id, row.createdAt, judged.value);
    if (mayHaveEffects(row.tier)) {
      const blocked = ledger.blocked();
      if (blocked) return refuse(blocked, 'evidence', judged.value.frozen.planned);
    }
    const earlier: Earlier = !isNew && isIdempotent(judged.value.frozen) ? this.#deps.repeats.earlier(run.id, judged.value.frozen) : { kind: 'none' };
    const isFresh = judged.value.frozen.planned.request.fresh === true;
    if (!isFresh) {
      const repeated = this.#repeated(run, row, earlier, events, judged.value.frozen.hostResult);
      if (repeated) return ok(repeated);
    }
    const early = this.#deps.sender.tooEarly(judged.value.frozen);
    if (early) return refuse(early, 'policy', undefined, { row, events });
    // a person who sends a repeat again as new does so in a run of its own, where nothing was made before
    const isMadeBefore = earlier.kind !== 'none' || (isNew && mayHaveEffects(row.tier));
    const approved = isFresh && isMadeBefore ? null : approveByRule(judged.value);
    if (approved) {
      const behind = request.place?.ahead(mayHaveEffects(row.tier)) ?? null;
      if (behind) return ok({ behind });
      const sent = this.#deps.sender.send(approved, row, { events, open: { run, isNew } });
      return sent.ok ? ok({ row: { ...row, stage: 'dispatch', startedAt: deps.clock.now() }, sending: sent.value }) : sent;
    }
    const tooMany = isNew ? null : this.#deps.approvals.mayAsk(run.id);
    const behind = tooMany !== null && isForNow(tooMany) ? (request.place?.nextEnd() ?? null) : null;
    if (behind) return ok({ behind });
    if (tooMany) return refuse(tooMany, 'approve', undefined, { row, events });
    const asked: JudgedCall = judged.value.decision.effect === 'ask' ? judged.value : { ...judged.value, decision: { effect: 'ask', ruleId: ASK_SENT_AGAIN, reason: 'The same write was made before.' } };
    return ok({ row: this.#deps.approvals.ask(asked, row, run, isNew, { events, place: request.place ?? null }), sending: null });
  }

  /** A repeat that the first call of the same write answers, now or when it ends; null: it is a call of its own. */
  #repeated(run: Run, row: InvocationRow, earlier: Earlier, events: readonly NewEvent[], wanted: HostResult | null): Entered | null {
    const { ledger } = this.#parts;
    if (earlier.kind === 'open') {
      const first = earlier.row;
      if (first.state !== 'awaiting_approval' && !this.#deps.sender.isRunning(first.id)) return null;
      ledger.note(run.id, [{ type: 'call.repeat_waits', invocationId: first.id, data: { of: first.id } }]);
      return { joined: first };
    }
    const answered = earlier.kind === 'done' ? this.#deps.repeats.answered(earlier.row, row.id, this.#parts.validateDeps(row, wanted).model) : null;
    if (earlier.kind !== 'done' || !answered) return null;
    const closed = ledger.openClosed(run, false, row, answered.closing, { events: [...events, answered.event], rows: answered.rows });
    return { told: { ...outcomeOf(closed, answered.closing.result), ...(answered.fitted ? { fitted: answered.fitted } : {}), repeatOf: { invocationId: earlier.row.id, at: earlier.row.startedAt ?? earlier.row.createdAt } } };
  }

  #blank(runId: string, request: TryCall): InvocationRow {
    return {
      id: orderedId(this.#parts.deps.clock.now()), runId, capabilityId: request.capabilityId, principal: request.principal, tier: 'unknown', state: 'running', stage: 'plan', code: null, class: null,
      fault: null, frozenInput: null, inputHash: null, approvalId: null, grounded: false, createdAt: this.#parts.deps.clock.now(), startedAt: null, endedAt: null, waitedMs: 0,
      bindingFingerprint: null, definitionFingerprint: null,
    };
  }
}

/** So many wait now; that another one was decided makes room. */
const isForNow = ({ details }: Fault): boolean => Number(details?.['asked']) < ASK_LIMITS.askedPerRun;
