import type { Invocation } from '../../shared/call.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Run } from '../../shared/run.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import { readInvocation, readWholeResult } from '../evidence/read-runs.ts';
import { readTold } from '../evidence/read-told.ts';
import { RulesPage } from '../policy/rules-page.ts';
import type { WriteDb } from '../store/database.ts';
import { getInvocation } from '../store/invocations.ts';
import { storeFault } from '../store/store-fault.ts';
import { ApprovalLane } from './approval-lane.ts';
import { CallParts } from './call-parts.ts';
import type { CallLineDeps } from './call-parts.ts';
import { outcomeOf } from './call-outcome.ts';
import type { Outcome } from './call-outcome.ts';
import { CallEnd } from './call-end.ts';
import { CallEntry } from './enter-call.ts';
import { endLeftRuns } from './left-runs.ts';
import { recoverQuestions } from './recover-questions.ts';
import { recoverCalls } from './recover-calls.ts';
import { Repeats } from './repeats.ts';
import { RunIsolations } from './run-isolations.ts';
import { CallSender } from './send-call.ts';
import type { TryCall } from './try-call.ts';

/**
 * The only door to a server's tool: plan, normalize, policy, approve, dispatch, validate, evidence (design section 3). Every way in ends in an
 * Outcome with evidence; an error means that there is none: the store refused (store_write_failed) or the run does not exist.
 */
export class CallLine {
  readonly approvals: ApprovalLane;
  readonly rules: RulesPage;
  readonly #parts: CallParts;
  readonly #end: CallEnd;
  readonly #entry: CallEntry;
  readonly #sender: CallSender;
  /** sources that a run under way does not use any more */
  readonly isolations: RunIsolations;
  #stopped = false;

  constructor(deps: CallLineDeps) {
    this.#parts = new CallParts(deps);
    this.#end = new CallEnd(this.#parts);
    this.isolations = new RunIsolations({ now: () => deps.clock.now(), note: (runId, event) => void this.#end.quietly(() => this.#parts.ledger.note(runId, [event])) });
    this.#sender = new CallSender(this.#parts, { end: this.#end, isolations: this.isolations, isStopped: () => this.#stopped });
    this.approvals = new ApprovalLane(this.#parts, {
      send: (approved, row) => this.#sender.send(approved, row, { events: [], open: null }),
      isStopped: () => this.#stopped,
      judge: (request) => this.#entry.judge(request),
    });
    this.#entry = new CallEntry(this.#parts, { sender: this.#sender, repeats: new Repeats(deps.store, () => deps.clock.now()), isolations: this.isolations, approvals: this.approvals, isStopped: () => this.#stopped });
    this.rules = new RulesPage({
      store: deps.store,
      book: this.#parts.rules,
      now: () => deps.clock.now(),
      definitionOf: (capabilityId) => {
        const found = deps.registry.candidate(capabilityId, 'user');
        return found.ok ? ok(found.value.definitionFingerprint) : found;
      },
      onChanged: () => {
        this.approvals.voids.rulesChanged();
        deps.bus.emit('rules:changed', {});
      },
    });
  }

  async tryCall(request: TryCall): Promise<Result<Outcome, Fault>> {
    try {
      return await this.#tried(request);
    } finally {
      request.place?.ended();
    }
  }

  async #tried(request: TryCall): Promise<Result<Outcome, Fault>> {
    const { place } = request;
    for (;;) {
      // an announced change is read before anything is judged by what was read earlier (S63); a quiet server costs nothing here
      const reading = this.#parts.deps.freshen(request.capabilityId);
      const unread = reading === null ? null : await reading;
      if (request.signal?.aborted) return err(fault('cancelled', 'The run was stopped; nothing was sent.'));
      const entered = this.#entered(() => this.#entry.enter(request, unread));
      if (!entered.ok) return entered;
      if ('told' in entered.value) return ok(entered.value.told);
      if ('behind' in entered.value) {
        await Promise.race([entered.value.behind, raised(request.signal)]);
        continue;
      }
      if ('joined' in entered.value) {
        const { joined } = entered.value;
        const told = { ...outcomeOf(joined, null), repeatOf: { invocationId: joined.id, at: joined.createdAt } };
        if (request.wait === false || (request.wait === undefined && joined.state === 'awaiting_approval')) return ok(told);
        // its end may answer this one or not: it is judged anew by what there is then
        place?.aside();
        await this.#parts.waiters.wait(joined.id);
        place?.comes();
        continue;
      }
      const { row, sending } = entered.value;
      const now = outcomeOf(row, null);
      if (row.state === 'failed') return ok(now);
      if (sending) place?.sent();
      else place?.aside();
      if (request.wait === false) return ok(now);
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

  isRunOpen(runId: string): boolean {
    return this.#parts.ledger.run(runId)?.endedAt === null;
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
    const { deps: { store, bus, log }, ledger } = this.#parts;
    this.approvals.runsLeft(endLeftRuns(recoverCalls(this.#parts, this.approvals, this.#sender), { store, bus, log, ledger }));
  }

  /** A definition, launch, review or grant of this server moved, or (null) the scope of a profile: approvals that hang on it are void. */
  bindingsChanged(serverId: string | null): void {
    this.approvals.voids.bindingsChanged(serverId);
  }

  /** The launch or address of this server was changed: its waiting approvals are void at once. */
  launchChanged(serverId: string): void {
    this.approvals.voids.launchChanged(serverId);
  }

  /** The server was put in quarantine, removed or switched off: its waiting and its approved, unsent calls end at once. Throws what the store throws. */
  serverGone(serverId: string, cause: 'quarantined' | 'removed' | 'disabled'): void {
    this.approvals.voids.serverGone(serverId, cause);
  }

  /** The server is down, and nothing starts it again by itself. */
  sourceRests(serverId: string, why: Fault): void {
    void this.#end.quietly(() => this.approvals.voids.sourceRests(serverId, why));
  }

  /** A failure of this source is confirmed: the runs that used it stop doing so, and ask nobody about it any more. */
  sourceConfirmed(serverId: string, why: Fault): void {
    this.isolations.confirmed(serverId, why);
    void this.#end.quietly(() => this.approvals.voids.sourceIsolated(serverId, (runId) => this.isolations.refusal(runId, serverId)));
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
}

/** Resolves when the signal is raised; never without one. */
const raised = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
