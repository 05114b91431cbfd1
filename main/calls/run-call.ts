import type { Invocation } from '../../shared/call.ts';
import { parseCapabilityId } from '../../shared/capability-id.ts';
import { FAULT_CODES } from '../../shared/fault-codes.ts';
import { fault } from '../../shared/fault.ts';
import type { HostResult } from '../../shared/host-result.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Run } from '../../shared/run.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import { USER } from '../../shared/principal.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import { readInvocation, readWholeResult } from '../evidence/read-runs.ts';
import { ASK_SENT_AGAIN } from '../policy/built-in-rules.ts';
import { readTold } from '../evidence/read-told.ts';
import { RulesPage } from '../policy/rules-page.ts';
import type { WriteDb } from '../store/database.ts';
import { getInvocation } from '../store/invocations.ts';
import type { InvocationRow } from '../store/invocations.ts';
import { storeFault } from '../store/store-fault.ts';
import { ApprovalLane } from './approval-lane.ts';
import { approveByRule } from './approve.ts';
import { CallParts } from './call-parts.ts';
import type { CallLineDeps } from './call-parts.ts';
import { outcomeOf } from './call-outcome.ts';
import type { Outcome } from './call-outcome.ts';
import { CallEnd } from './call-end.ts';
import { judgedEvents, shownIn } from './call-events.ts';
import { judge } from './judge.ts';
import type { JudgedCall } from './judge.ts';
import { notSentClosing } from './ledger.ts';
import type { Closing } from './ledger.ts';
import { normalize } from './normalize.ts';
import { orderedId } from '../ordered-id.ts';
import { plan } from './plan.ts';
import type { CallRequest } from './plan.ts';
import { recoverQuestions } from './recover-questions.ts';
import { recoverCalls } from './recover-calls.ts';
import { isIdempotent, Repeats } from './repeats.ts';
import type { Earlier } from './repeats.ts';
import { RunIsolations } from './run-isolations.ts';
import { CallSender } from './send-call.ts';
import type { TryCall } from './try-call.ts';

/** Where a call stands once it is on record. `told`: all that there is to tell. `joined`: the same write of its run, which is under way and answers it. */
type Entered = { readonly row: InvocationRow; readonly sending: Promise<Outcome> | null } | { readonly told: Outcome } | { readonly joined: InvocationRow };

/**
 * The only door to a server's tool: plan, normalize, policy, approve, dispatch, validate, evidence (design section 3). Every way in ends in an
 * Outcome with evidence; an error means that there is none: the store refused (store_write_failed) or the run does not exist.
 */
export class CallLine {
  readonly approvals: ApprovalLane;
  readonly rules: RulesPage;
  readonly #parts: CallParts;
  readonly #end: CallEnd;
  readonly #repeats: Repeats;
  readonly #sender: CallSender;
  /** sources that a run under way does not use any more */
  readonly isolations: RunIsolations;
  #stopped = false;

  constructor(deps: CallLineDeps) {
    this.#parts = new CallParts(deps);
    this.#end = new CallEnd(this.#parts);
    this.#repeats = new Repeats(deps.store, () => deps.clock.now());
    this.isolations = new RunIsolations({ now: () => deps.clock.now(), note: (runId, event) => void this.#end.quietly(() => this.#parts.ledger.note(runId, [event])) });
    this.#sender = new CallSender(this.#parts, { end: this.#end, isolations: this.isolations, isStopped: () => this.#stopped });
    this.approvals = new ApprovalLane(this.#parts, {
      send: (approved, row) => this.#sender.send(approved, row, { events: [], open: null }),
      isStopped: () => this.#stopped,
      judge: (request) => this.#judge(request),
    });
    this.rules = new RulesPage({
      store: deps.store,
      book: this.#parts.rules,
      now: () => deps.clock.now(),
      definitionOf: (capabilityId) => {
        const found = deps.registry.candidate(capabilityId, 'user');
        return found.ok ? ok(found.value.definitionFingerprint) : found;
      },
      onChanged: () => {
        this.approvals.rulesChanged();
        deps.bus.emit('rules:changed', {});
      },
    });
  }

  async tryCall(request: TryCall): Promise<Result<Outcome, Fault>> {
    for (;;) {
      // an announced change is read before anything is judged by what was read earlier (S63); a quiet server costs nothing here
      const reading = this.#parts.deps.freshen(request.capabilityId);
      const unread = reading === null ? null : await reading;
      if (request.signal?.aborted) return err(fault('cancelled', 'The run was stopped; nothing was sent.'));
      const entered = this.#entered(() => this.#enter(request, unread));
      if (!entered.ok) return entered;
      if ('told' in entered.value) return ok(entered.value.told);
      if ('joined' in entered.value) {
        const { joined } = entered.value;
        const told = { ...outcomeOf(joined, null), repeatOf: { invocationId: joined.id, at: joined.createdAt } };
        if (request.wait === false || (request.wait === undefined && joined.state === 'awaiting_approval')) return ok(told);
        // its end may answer this one or not: it is judged anew by what there is then
        await this.#parts.waiters.wait(joined.id);
        continue;
      }
      const { row, sending } = entered.value;
      const now = outcomeOf(row, null);
      if (request.wait === false || row.state === 'failed') return ok(now);
      if (sending) return ok(await sending);
      return ok(request.wait === true ? await this.#parts.waiters.wait(row.id) : now);
    }
  }

  /** The call with its result, shortened to a window's budget. Error: not_found. */
  get(invocationId: string): Result<Invocation, Fault> {
    const owed = this.#parts.ledger.owed(invocationId);
    const read = readInvocation(this.#parts.deps.store, invocationId);
    if (!owed || !read.ok) return read;
    const { bindingFingerprint: _b, definitionFingerprint: _d, ...row } = owed.row;
    return ok({ ...row, approvalId: read.value.approvalId, result: owed.result });
  }

  /** The whole stored result. Error: not_found. */
  wholeResult(invocationId: string): ReturnType<typeof readWholeResult> {
    return readWholeResult(this.#parts.deps.store, invocationId);
  }

  /** What a model was told of the call. Error: not_found. */
  told(invocationId: string): ReturnType<typeof readTold> {
    return readTold(this.#parts.deps.store, invocationId);
  }

  /** Ends a waiting call as cancelled; a running one ends known or unknown. A finished one stays as it is. Error: not_found. */
  stop(invocationId: string): Result<null, Fault> {
    if (this.#sender.stop(invocationId)) return ok(null);
    const row = this.#parts.deps.store.read((db) => getInvocation(db, invocationId));
    if (!row) return err(fault('not_found', 'There is no such call.'));
    if (row.state === 'awaiting_approval') this.approvals.cancel(row);
    return ok(null);
  }

  /** Nothing is dispatched from now on; running calls and approved ones that wait for their server are stopped. The number of both. */
  stopAll(): { readonly cancelled: number } {
    this.#stopped = true;
    this.#sender.stopAll();
    let unsent = 0;
    // a store that cannot write now leaves them approved; the stop stands all the same, and resume ends them first
    this.#end.quietly(() => {
      unsent = this.approvals.stopApproved();
    });
    return { cancelled: this.#sender.count + unsent };
  }

  resume(): void {
    if (this.#stopped) this.#end.quietly(() => this.approvals.stopApproved());
    this.#stopped = false;
  }

  isStopped(): boolean {
    return this.#stopped;
  }

  runningCount(): number {
    return this.#sender.count;
  }

  /** Why nothing with effects is sent now (A20); null when all evidence is written. */
  evidenceFault(): Fault | null {
    return this.#parts.ledger.blocked();
  }

  /** A run for several calls; its owner ends it. Throws what the store throws. */
  beginRun(about: Pick<Run, 'kind' | 'title' | 'principal' | 'via'>): Run {
    const run = this.#parts.ledger.newRun(about);
    this.#parts.ledger.beginRun(run);
    this.isolations.begin(run.id);
    return run;
  }

  /** Facts of a run beside its calls (a model's turns), with the rows that they prove. Throws what the store throws. */
  note(runId: string, events: readonly NewEvent[], rows?: (db: WriteDb) => void, durable = false): void {
    this.#parts.ledger.note(runId, events, rows, durable);
  }

  endRun(runId: string, end: { readonly state: 'completed' | 'failed'; readonly code: string | null }): void {
    this.isolations.end(runId);
    this.#parts.ledger.endRun(runId, end);
  }

  /** Once, before anything else: what the last process left open is ended or taken up; nothing is sent again. */
  recoverAtStart(): void {
    recoverQuestions(this.#parts);
    recoverCalls(this.#parts, this.approvals, this.#sender);
  }

  /** A definition, launch, review, grant or the configuration of this server moved: approvals that hang on it are void. */
  bindingsChanged(serverId: string): void {
    this.approvals.bindingsChanged(serverId);
  }

  /** The launch or address of this server was changed: its waiting approvals are void at once. */
  launchChanged(serverId: string): void {
    this.approvals.launchChanged(serverId);
  }

  /** The server was put in quarantine or removed: its waiting and its approved, unsent calls end at once. Throws what the store throws. */
  serverGone(serverId: string, cause: 'quarantined' | 'removed'): void {
    this.approvals.serverGone(serverId, cause);
  }

  /** Stops what runs and waits for it to end (at most about a second). Waiting approvals stay as they are. */
  async close(): Promise<void> {
    this.#stopped = true;
    this.approvals.close();
    await Promise.allSettled(this.#sender.close());
    this.#parts.ledger.blocked();
  }

  #entered<T>(enter: () => Result<T, Fault>): Result<T, Fault> {
    try {
      return enter();
    } catch (error) {
      const cause = storeFault(error);
      if (!cause) throw error;
      return err({ ...cause, message: `${cause.message} The tool was not called.` });
    }
  }

  #judge(request: CallRequest): Result<JudgedCall, { readonly fault: Fault; readonly stage: 'plan' | 'normalize' | 'policy'; readonly planned?: JudgedCall['frozen']['planned'] }> {
    const { deps, filter, rules } = this.#parts;
    const planned = plan(request, deps.registry);
    if (!planned.ok) return err({ fault: planned.error, stage: 'plan' });
    const frozen = normalize(planned.value, { validator: deps.validator, filter, keys: this.#repeats.keys });
    if (!frozen.ok) return err({ fault: frozen.error, stage: 'normalize', planned: planned.value });
    const judged = judge(frozen.value, rules, deps.clock.now());
    return judged.ok ? judged : err({ fault: judged.error, stage: 'policy', planned: planned.value });
  }

  #enter(request: TryCall, unread: Fault | null): Result<Entered, Fault> {
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
    if (this.#stopped) return refuse(fault('stopped', 'Everything is stopped; nothing was sent.', { remedy: 'Resume in the top bar, then call again.' }), 'plan');
    if (unread) return refuse(unread, 'plan');
    const isolated = this.isolations.refusal(run.id, parseCapabilityId(request.capabilityId)?.serverId ?? '');
    if (isolated) return refuse({ ...isolated, message: `${isolated.message} The tool was not called.` }, 'plan');
    const judged = this.#judge({ capabilityId: request.capabilityId, principal: request.principal, via: run.via, runId: run.id, scope: request.scope, input, binding: request.binding, shown: request.shown, undo: request.undo, fresh: request.fresh, keepsKey: request.principal === USER });
    if (!judged.ok) return refuse(judged.error.fault, judged.error.stage, judged.error.planned);
    const row = this.#parts.frozenRow(blank, judged.value.frozen);
    const events = judgedEvents(row.id, row.createdAt, judged.value);
    if (mayHaveEffects(row.tier)) {
      const blocked = ledger.blocked();
      if (blocked) return refuse(blocked, 'evidence', judged.value.frozen.planned);
    }
    const earlier: Earlier = !isNew && isIdempotent(judged.value.frozen) ? this.#repeats.earlier(run.id, judged.value.frozen) : { kind: 'none' };
    const isFresh = judged.value.frozen.planned.request.fresh === true;
    if (!isFresh) {
      const repeated = this.#repeated(run, row, earlier, events, judged.value.frozen.hostResult);
      if (repeated) return ok(repeated);
    }
    const early = this.#sender.tooEarly(judged.value.frozen);
    if (early) return refuse(early, 'policy', undefined, { row, events });
    // a person who sends a repeat again as new does so in a run of its own, where nothing was made before
    const isMadeBefore = earlier.kind !== 'none' || (isNew && mayHaveEffects(row.tier));
    const approved = isFresh && isMadeBefore ? null : approveByRule(judged.value);
    if (approved) {
      const sent = this.#sender.send(approved, row, { events, open: { run, isNew } });
      return sent.ok ? ok({ row: { ...row, stage: 'dispatch', startedAt: deps.clock.now() }, sending: sent.value }) : sent;
    }
    const tooMany = isNew ? null : this.approvals.mayAsk(run.id);
    if (tooMany) return refuse(tooMany, 'approve', undefined, { row, events });
    const asked: JudgedCall = judged.value.decision.effect === 'ask' ? judged.value : { ...judged.value, decision: { effect: 'ask', ruleId: ASK_SENT_AGAIN, reason: 'The same write was made before.' } };
    return ok({ row: this.approvals.ask(asked, row, run, isNew, events), sending: null });
  }

  /** A repeat that the first call of the same write answers, now or when it ends; null: it is a call of its own. */
  #repeated(run: Run, row: InvocationRow, earlier: Earlier, events: readonly NewEvent[], wanted: HostResult | null): Entered | null {
    const { ledger } = this.#parts;
    if (earlier.kind === 'open') {
      const first = earlier.row;
      if (first.state !== 'awaiting_approval' && !this.#sender.isRunning(first.id)) return null;
      ledger.note(run.id, [{ type: 'call.repeat_waits', invocationId: first.id, data: { of: first.id } }]);
      return { joined: first };
    }
    const answered = earlier.kind === 'done' ? this.#repeats.answered(earlier.row, row.id, this.#parts.validateDeps(row, wanted).model) : null;
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
