import type { Fault } from '../../shared/fault.ts';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Run } from '../../shared/run.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import { CallClock } from '../servers/questions/call-clock.ts';
import type { InvocationRow } from '../store/invocations.ts';
import type { TaskRow } from '../store/tasks.ts';
import type { ApprovedCall } from './approve.ts';
import type { CallEnd } from './call-end.ts';
import { intentEvent, retryEndEvent, retryEvent } from './call-events.ts';
import type { Outcome } from './call-outcome.ts';
import type { CallParts } from './call-parts.ts';
import { deadlineOf } from './deadlines.ts';
import type { Deadline } from './deadlines.ts';
import { dispatch } from './dispatch.ts';
import { metaOf } from './idempotency-key.ts';
import type { FrozenCall } from './normalize.ts';
import { plan } from './plan.ts';
import { PollPacer } from './poll-pacer.ts';
import { ProgressNotes } from './progress-notes.ts';
import type { RunIsolations } from './run-isolations.ts';
import { TaskFollower } from './task-follower.ts';

interface Running {
  readonly controller: AbortController;
  readonly done: Promise<Outcome>;
}

export interface CallSenderDeps {
  readonly end: CallEnd;
  readonly isolations: RunIsolations;
  /** nothing is dispatched */
  readonly isStopped: () => boolean;
}

/** Sends approved calls, and knows those under way. */
export class CallSender {
  readonly #parts: CallParts;
  readonly #deps: CallSenderDeps;
  readonly #pacer: PollPacer;
  readonly #tasks: TaskFollower;
  readonly #running = new Map<string, Running>();

  constructor(parts: CallParts, deps: CallSenderDeps) {
    this.#parts = parts;
    this.#deps = deps;
    this.#pacer = new PollPacer(() => parts.deps.clock.monotonic());
    this.#tasks = new TaskFollower(parts, deps);
  }

  get count(): number {
    return this.#running.size;
  }

  isRunning(invocationId: string): boolean {
    return this.#running.has(invocationId);
  }

  /** Ends known or unknown soon; false where it is not under way. */
  stop(invocationId: string): boolean {
    const running = this.#running.get(invocationId);
    running?.controller.abort();
    return running !== undefined;
  }

  /** All that are under way; their ends. */
  stopAll(): Promise<Outcome>[] {
    return [...this.#running.values()].map(({ controller, done }) => {
      controller.abort();
      return done;
    });
  }

  /** rate_limited: another poll of its job waits for its turn already. Null: it may be sent. */
  tooEarly(frozen: FrozenCall): Fault | null {
    return this.#pacer.refusal(jobOf(frozen), this.#deadline(frozen).pollEveryMs);
  }

  /**
   * Everything after approval, for a call by rule (opened together with its intent) and for one by a person (open already). Error: the rows of a new
   * call could not be written, so that nothing was sent and nothing is on record.
   */
  send(approved: ApprovedCall, row: InvocationRow, step: { readonly events: readonly NewEvent[]; readonly open: { readonly run: Run; readonly isNew: boolean } | null }): Result<Promise<Outcome>, Fault> {
    const { deps, ledger } = this.#parts;
    const controller = new AbortController();
    const durable = mayHaveEffects(row.tier);
    const deadline = this.#deadline(approved.frozen);
    const pauseMs = this.#pacer.take(jobOf(approved.frozen), deadline.pollEveryMs);
    const current: InvocationRow = { ...row, state: 'running', stage: 'dispatch', startedAt: deps.clock.now() };
    const { candidate, request } = approved.frozen.planned;
    const progress = this.#progressOf(row);
    let unopened: Fault | null = null;
    const answered = dispatch(approved, {
      pool: deps.pool,
      deadline,
      signal: controller.signal,
      invocationId: row.id,
      pauseMs,
      meta: metaOf(candidate, approved.frozen.value),
      now: () => deps.clock.monotonic(),
      writeIntent: () => {
        // a yes may come long after the question
        const isolated = this.#deps.isolations.refusal(row.runId, candidate.capability.serverId);
        if (isolated) return err({ ...isolated, message: `${isolated.message} The tool was not called.` });
        const paced: NewEvent[] = pauseMs === 0 ? [] : [{ type: 'call.paced', invocationId: row.id, data: { waitMs: pauseMs, pollEveryMs: deadline.pollEveryMs } }];
        const events = [...step.events, intentEvent(approved, row.id, deadline, durable), ...paced];
        const { open } = step;
        const written = this.#deps.end.quietly(() => (open ? ledger.open(open.run, open.isNew, current, { events, durable }) : ledger.move(current, { events, durable })));
        if (!written.ok && open) unopened = { ...written.error, message: `${written.error.message} The tool was not called.` };
        return written;
      },
      writeRetry: (retry) => this.#deps.end.quietly(() => ledger.note(row.runId, [retryEvent(row.id, retry)])),
      writeRetryEnd: (end) => void this.#deps.end.quietly(() => ledger.note(row.runId, [retryEndEvent(row.id, end)])),
      stillOpen: async () => {
        const unread = await deps.freshen(request.capabilityId);
        if (unread) return err(unread);
        if (this.#deps.isStopped()) return err(fault('stopped', 'Everything was stopped before the next try.'));
        const isolated = this.#deps.isolations.refusal(row.runId, candidate.capability.serverId);
        if (isolated) return err(isolated);
        // drift within the turn is told as that here, too
        const again = plan(request, deps.registry);
        if (!again.ok) return again;
        return again.value.candidate.bindingFingerprint === candidate.bindingFingerprint ? ok(null) : err(fault('binding_changed', 'The tool changed before the next try.'));
      },
      onSent: () => {},
      onProgress: (p) => progress.add(p),
      onLate: (late) => this.#deps.end.late(late, row.id, approved),
      onRecovery: (note) => void this.#deps.end.quietly(() => ledger.note(row.runId, [{ type: 'call.recovery', invocationId: row.id, data: { ...note } }])),
      onTask: (begun, clock, isLate) => this.#tasks.begin(begun, { row: current, clock, signal: controller.signal, said: saidBy(progress) }, isLate),
      ...(deps.onPoint ? { onPoint: deps.onPoint } : {}),
    });
    // dispatch runs up to the first byte before it returns, so this is known here
    if (unopened !== null) return err(unopened);
    const ended = this.#deps.isolations.calling(row.runId, candidate.capability.serverId);
    const done = answered
      .catch((error: unknown) => this.#deps.end.bug(error, row.id))
      .then((answer) => this.#deps.end.conclude(answer, { row: current, candidate, hostResult: approved.frozen.hostResult, uri: approved.frozen.uri, durable, signal: controller.signal, over: () => this.#running.delete(row.id) }))
      .finally(() => {
        progress.end();
        ended();
        this.#tasks.forget(row.id);
      });
    this.#running.set(row.id, { controller, done });
    return ok(done);
  }

  /** One that an earlier process sent, and that its server goes on with as a task: followed to its end, never sent again. */
  takeUp(row: InvocationRow, task: TaskRow): void {
    const { registry } = this.#parts.deps;
    const controller = new AbortController();
    const progress = this.#progressOf(row);
    const ended = this.#deps.isolations.calling(row.runId, task.serverId);
    const call = { row, hostResult: null, uri: null, durable: mayHaveEffects(row.tier), signal: controller.signal, over: () => this.#running.delete(row.id) };
    const done = this.#tasks
      .takeUp(task, { row, clock: new CallClock(() => this.#parts.deps.clock.monotonic()), signal: controller.signal, said: saidBy(progress) })
      .then((wire) => {
        // asked for now: at the start its server was not there
        const found = registry.candidate(row.capabilityId, row.principal);
        return this.#deps.end.takenUp(wire, call, found.ok && found.value.definitionFingerprint === row.definitionFingerprint ? found.value : null);
      })
      .finally(() => {
        progress.end();
        ended();
        this.#tasks.forget(row.id);
      });
    this.#running.set(row.id, { controller, done });
  }

  /** Gantry is closing. What is under way is stopped, but for the tasks of servers: those go on there, and are taken up at the next start. */
  close(): Promise<Outcome>[] {
    this.#tasks.leave();
    return [...this.#running].flatMap(([invocationId, { controller, done }]) => {
      if (this.#tasks.isFollowed(invocationId)) return [];
      controller.abort();
      return [done];
    });
  }

  #progressOf(row: InvocationRow): ProgressNotes {
    const { deps, ledger, filter } = this.#parts;
    return new ProgressNotes({
      clock: deps.clock,
      filter,
      write: (data) => this.#deps.end.quietly(() => ledger.note(row.runId, [{ type: 'call.progress', invocationId: row.id, data }])),
      tell: (report) => deps.bus.emit('call:progress', { invocationId: row.id, runId: row.runId, progress: report }),
    });
  }

  #deadline({ planned: { candidate } }: FrozenCall): Deadline {
    return deadlineOf({ tier: candidate.tier, callClass: candidate.capability.callClass }, this.#parts.deps.settings().callLimits);
  }
}

/** A task's words are told like those of progress, which has a number besides. */
const saidBy = (progress: ProgressNotes) => (words: string): void => progress.add({ progress: Number.NaN, message: words });

/** What polls of one job share. */
const jobOf = ({ planned, inputHash }: FrozenCall): string => `${planned.request.capabilityId} ${inputHash}`;
