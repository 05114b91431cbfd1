import { setTimeout as pause } from 'node:timers/promises';
import { parseCapabilityId } from '../../shared/capability-id.ts';
import { fault } from '../../shared/fault.ts';
import { sha256 } from '../evidence/canonical.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import type { CallClock } from '../servers/questions/call-clock.ts';
import type { CallMark } from '../servers/questions/question-port.ts';
import type { TaskHandle, TaskState } from '../servers/task-state.ts';
import type { TaskBegun } from '../servers/wire-answer.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import type { InvocationRow } from '../store/invocations.ts';
import { endTask, insertTask, type TaskRow } from '../store/tasks.ts';
import type { CallEnd } from './call-end.ts';
import type { CallParts } from './call-parts.ts';
import { cancelTask, followTask, type AnswerInputs, type FollowDeps, type TaskNote } from './follow-task.ts';
import type { RunIsolations } from './run-isolations.ts';

/** A call whose server goes on with it as a task. */
export interface FollowedCall {
  readonly row: InvocationRow;
  /** stands still while a person is asked */
  readonly clock: CallClock;
  readonly signal: AbortSignal;
  /** the server's words about how far it has come */
  readonly said: (words: string) => void;
}

export interface TaskFollowerDeps {
  readonly end: CallEnd;
  readonly isolations: RunIsolations;
}

const waited = (ms: number, signal: AbortSignal): Promise<void> => pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
const markOf = ({ id, runId, capabilityId }: InvocationRow): CallMark => ({ invocationId: id, runId, capabilityId });
const serverOf = (row: InvocationRow): string => parseCapabilityId(row.capabilityId)?.serverId ?? '';

/** Tasks of calls under way, on record and kept in the store for as long as they are open. */
export class TaskFollower {
  readonly #parts: CallParts;
  readonly #deps: TaskFollowerDeps;
  /** Gantry is closing: what a server goes on with is left to it, and taken up at the next start */
  readonly #leaving = new AbortController();
  readonly #open = new Set<string>();
  /** calls of which a task may be in the store: most have none, and cost it nothing */
  readonly #kept = new Set<string>();

  constructor(parts: CallParts, deps: TaskFollowerDeps) {
    this.#parts = parts;
    this.#deps = deps;
  }

  isFollowed(invocationId: string): boolean {
    return this.#open.has(invocationId);
  }

  /** The outcome of the call. `isLate`: the call has ended meanwhile, so that its task is ended too. Never rejects for what a server does. */
  async begin(begun: TaskBegun, call: FollowedCall, isLate: boolean): Promise<WireOutcome> {
    const { clock } = this.#parts.deps;
    const { row } = call;
    const { followMs, pollEveryMs } = this.#limits;
    const endsAt = clock.now() + followMs;
    const task: TaskRow = { invocationId: row.id, serverId: serverOf(row), taskSha256: sha256(begun.handle.taskId), handle: begun.handle, endsAt };
    const { state } = begun;
    const created: NewEvent = { type: 'task.created', invocationId: row.id, data: { task: task.taskSha256, serverId: task.serverId, era: begun.handle.era, status: state.status, words: this.#words(state.words), askedPollMs: state.pollMs, pollEveryMs, ttlMs: state.ttlMs, endsAt, ...(isLate ? { late: true } : {}) } };
    let isNew = true;
    this.#kept.add(row.id);
    this.#deps.end.quietly(() => (isNew = this.#parts.ledger.note(row.runId, [created], (db) => insertTask(db, task))));
    try {
      // asking about it would be to ask about, and ending it to end, another call's work
      if (!isNew) return { kind: 'failed', sent: true, mayHaveRun: true, fault: fault('protocol_error', 'The server named a task that belongs to another call.') };
      if (isLate) return await this.#abandon(begun.handle, call);
      return await this.#follow(state, task, call, followMs);
    } finally {
      begun.forget();
    }
  }

  /** One that an earlier process left open, asked about anew. */
  takeUp(task: TaskRow, call: FollowedCall): Promise<WireOutcome> {
    const left = task.endsAt - this.#parts.deps.clock.now();
    this.#kept.add(task.invocationId);
    this.#note(call, { type: 'task.taken_up', data: { task: task.taskSha256, leftMs: left } });
    return this.#follow({ taskId: task.handle.taskId, status: 'working' }, task, call, left);
  }

  /** Nothing is asked any more, and the calls stay as they are. */
  leave(): void {
    this.#leaving.abort();
  }

  get #limits() {
    return this.#parts.deps.settings().callLimits.job_status;
  }

  async #follow(state: TaskState, task: TaskRow, call: FollowedCall, leftMs: number): Promise<WireOutcome> {
    const { clock } = this.#parts.deps;
    this.#open.add(call.row.id);
    const endsAt = call.clock.activeMs + leftMs;
    try {
      const outcome = await followTask(state, {
        ...this.#asking(task.handle, call),
        note: (note) => this.#note(call, note),
        said: (words) => call.said(words),
        limits: this.#limits,
        leftMs: () => endsAt - call.clock.activeMs,
        now: () => clock.monotonic(),
        signal: call.signal,
        leaving: this.#leaving.signal,
        gone: () => this.#deps.isolations.refusal(call.row.runId, task.serverId),
        answerInputs: (requests, signal) => this.#answers(task.handle, call, requests, signal),
      });
      if (this.#leaving.signal.aborted) return await new Promise<never>(() => {});
      return outcome;
    } finally {
      this.#open.delete(call.row.id);
    }
  }

  /** Once the outcome of the call is written: the task's id is kept no longer. */
  forget(invocationId: string): void {
    if (!this.#kept.delete(invocationId)) return;
    this.#deps.end.quietly(() => this.#parts.deps.store.write((db) => endTask(db, invocationId)));
  }

  /** The same questions as in a round of a call, of the same call. */
  #answers(handle: TaskHandle, { row, clock }: FollowedCall, requests: Readonly<Record<string, unknown>>, signal: AbortSignal): ReturnType<AnswerInputs> {
    return this.#parts.deps.pool.answerTask(serverOf(row), { handle, requests, mark: markOf(row), clock, signal });
  }

  #asking(handle: TaskHandle, { row, clock }: FollowedCall): Pick<FollowDeps, 'ask' | 'wait'> {
    const { pool, wait = waited } = this.#parts.deps;
    return {
      ask: async (ask, waitMs, signal) => {
        if (this.#leaving.signal.aborted) return new Promise<never>(() => {});
        return pool.askTask(serverOf(row), { handle, ask, timeoutMs: waitMs, maxTotalMs: waitMs, signal, mark: markOf(row), clock });
      },
      wait: (ms, signal) => wait(ms, AbortSignal.any([signal, this.#leaving.signal])),
    };
  }

  async #abandon(handle: TaskHandle, call: FollowedCall): Promise<WireOutcome> {
    const answer = await cancelTask(this.#asking(handle, call));
    this.#note(call, { type: 'task.cancel', data: { why: 'stopped', answer } });
    this.forget(call.row.id);
    return { kind: 'failed', sent: true, mayHaveRun: true, fault: fault('cancelled', 'The call had ended before its server named a task.') };
  }

  #words(words: string | undefined): string | undefined {
    return words === undefined ? undefined : this.#parts.filter.text(words).slice(0, 200).toWellFormed();
  }

  #note({ row }: FollowedCall, note: TaskNote | { readonly type: 'task.taken_up'; readonly data: Readonly<Record<string, unknown>> }): void {
    const data = note.type === 'task.status' ? { ...note.data, words: this.#words(note.data.words) } : note.data;
    this.#deps.end.quietly(() => this.#parts.ledger.note(row.runId, [{ type: note.type, invocationId: row.id, data: { ...data } }]));
  }
}
