import { fault, type Fault } from '../../shared/fault.ts';
import type { Result } from '../../shared/result.ts';
import type { TaskAnswer, TaskAsk } from '../servers/task-call.ts';
import { isOver, type TaskState } from '../servers/task-state.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import { isPassing } from './deadlines.ts';

/** What is on record of a task, beside its creation. */
export type TaskNote =
  | { readonly type: 'task.status'; readonly data: { readonly status: string; readonly words?: string | undefined; readonly polls: number } }
  | { readonly type: 'task.unreachable'; readonly data: { readonly cause: string; readonly message: string; readonly polls: number } }
  | { readonly type: 'task.cancel'; readonly data: { readonly why: 'stopped' | 'timeout' | 'not_answered' | 'odd'; readonly answer: 'cancelled' | 'acknowledged' | 'unknown' | 'none' } }
  | { readonly type: 'task.ended'; readonly data: { readonly status: string; readonly polls: number; readonly followedMs: number } };

/** Questions that a task of the newer era has for a person, by key. Error: why none of them will be answered. */
export type AnswerInputs = (requests: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<Result<Readonly<Record<string, unknown>>, Fault>>;

export interface FollowDeps {
  /** `waitMs`: for its answer */
  ask(ask: TaskAsk, waitMs: number, signal: AbortSignal): Promise<TaskAnswer>;
  note(note: TaskNote): void;
  /** the server's words about the task changed */
  said(words: string): void;
  readonly limits: { readonly timeoutMs: number; readonly pollEveryMs: number };
  /** how long it is still followed; the time in which a person is asked does not count */
  leftMs(): number;
  /** monotonic */
  now(): number;
  /** resolves early where the signal is raised */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** the person stops the call */
  readonly signal: AbortSignal;
  /** Gantry is closing: no wait takes any time, and no question is answered */
  readonly leaving: AbortSignal;
  /** a confirmed failure of the source; null while it may come back */
  gone(): Fault | null;
  readonly answerInputs: AnswerInputs | null;
}

/** A server that asks to be left alone for longer is asked once in this time all the same. */
const MOST_POLL_MS = 300_000;
const CANCEL_WAIT_MS = 800;
/** Refusals in a row of a question that had been answered before. */
const MOST_REFUSALS = 3;
const STATUS_NOTES = 100;
const METHOD_NOT_FOUND = -32601;

const ended = (why: Fault): WireOutcome => ({ kind: 'failed', fault: why, sent: true, mayHaveRun: true });

/** One task from its creation to its outcome: asked about at its own pace, within bounds, and never begun a second time. */
class Following {
  readonly #deps: FollowDeps;
  readonly #over = new AbortController();
  readonly #answered = new Set<string>();
  readonly #startedAt: number;
  #state: TaskState;
  #polls = 0;
  #notes = 0;
  #refusals = 0;
  #reachable = true;
  /** tasks/result under way, which brings what the server asks meanwhile (older era) */
  #result: Promise<TaskAnswer> | null = null;
  /** it was refused while the task waits for input */
  #earlyRefused = false;
  /** a person is asked (newer era) */
  #asking: { readonly keys: ReadonlySet<string>; readonly stop: AbortController; readonly done: Promise<void> } | null = null;
  /** why nobody will answer what it wants */
  #unanswered: Fault | null = null;
  #outcome: WireOutcome | null = null;

  constructor(state: TaskState, deps: FollowDeps) {
    this.#deps = deps;
    this.#state = state;
    this.#startedAt = deps.now();
  }

  async run(): Promise<WireOutcome> {
    const outcome = await this.#follow();
    if (this.#outcome !== null && this.#outcome !== outcome) releaseHeld(this.#outcome);
    this.#over.abort();
    this.#asking?.stop.abort();
    this.#deps.note({ type: 'task.ended', data: { status: this.#state.status, polls: this.#polls, followedMs: Math.round(this.#deps.now() - this.#startedAt) } });
    return outcome;
  }

  async #follow(): Promise<WireOutcome> {
    const deps = this.#deps;
    if (this.#state.words !== undefined) deps.said(this.#state.words);
    for (let first = true; ; first = false) {
      // a task that was over when it was named is asked for its outcome at once
      if (!first || !isOver(this.#state.status)) await this.#pause();
      if (deps.leftMs() <= 0) return this.#giveUp('timeout', fault('timeout', 'The task was not done in the longest time that a task is followed.'));
      if (deps.signal.aborted) return this.#giveUp('stopped', fault('cancelled', 'The call was stopped while its server worked on it.'));
      if (this.#outcome !== null) return this.#outcome;
      if (this.#unanswered !== null) return this.#giveUp('not_answered', this.#unanswered);
      const gone = deps.gone();
      if (gone !== null) return ended(gone);
      const over = await this.#poll();
      if (over !== null) return over;
    }
  }

  /** As long as the server asks to be left alone, within bounds; an outcome that comes meanwhile ends it. */
  async #pause(): Promise<void> {
    const { limits: { pollEveryMs }, now, leftMs, wait, signal, leaving } = this.#deps;
    const pauseMs = Math.min(Math.max(this.#state.pollMs ?? 0, pollEveryMs), Math.max(MOST_POLL_MS, pollEveryMs));
    const until = now() + Math.min(pauseMs, leftMs());
    for (let left = until - now(); left > 0 && this.#outcome === null && this.#unanswered === null && !signal.aborted && !leaving.aborted; left = until - now()) {
      const ends = new AbortController();
      await Promise.race([wait(left, AbortSignal.any([signal, ends.signal])), ...(this.#result === null ? [] : [this.#result]), ...(this.#asking === null ? [] : [this.#asking.done])]);
      ends.abort();
    }
  }

  /** Null: not over yet. */
  async #poll(): Promise<WireOutcome | null> {
    this.#polls += 1;
    const answer = await this.#deps.ask({ what: 'get' }, this.#deps.limits.timeoutMs, this.#deps.signal);
    if (this.#deps.signal.aborted) return leave(answer);
    switch (answer.kind) {
      case 'state':
        return this.#stands(answer.state, answer.settled ?? null);
      case 'failed':
        return this.#unreached(answer.fault);
      case 'unknown':
        return ended(fault('not_found', 'The server does not know the task of this call any more.', { details: { serverWords: answer.words } }));
      case 'refused':
        this.#refusals += 1;
        return answer.rpcCode === METHOD_NOT_FOUND || this.#refusals >= MOST_REFUSALS ? ended(fault('protocol_error', `The server does not say how the task stands (${answer.rpcCode}).`, { details: { rpcCode: answer.rpcCode, serverWords: answer.words } })) : null;
      case 'odd':
        return this.#giveUp('odd', fault('protocol_error', `Asked about the task, the server answered with ${answer.what}.`));
      default:
        return this.#giveUp('odd', fault('protocol_error', 'Asked about the task, the server answered with something else.'));
    }
  }

  async #stands(state: TaskState, settled: WireOutcome | null): Promise<WireOutcome | null> {
    const before = this.#state;
    this.#state = state;
    this.#refusals = 0;
    if (state.status !== before.status || !this.#reachable) this.#noteStatus();
    this.#reachable = true;
    if (state.words !== undefined && state.words !== before.words) this.#deps.said(state.words);
    if (state.status === 'cancelled') return ended(fault('cancelled', 'The server ended the task before it was done.', { details: { taskStatus: 'cancelled' } }));
    if (state.status !== 'input_required') this.#earlyRefused = false;
    if (state.status === 'working') return null;
    if (state.status === 'input_required') return this.#wantsInput();
    if (settled !== null) return settled;
    return this.#fetch();
  }

  /** The outcome of the call itself, in the older era by a request of its own. */
  async #fetch(): Promise<WireOutcome | null> {
    if (this.#result !== null) await this.#result;
    if (this.#outcome !== null) return this.#outcome;
    const answer = await this.#deps.ask({ what: 'result' }, this.#deps.limits.timeoutMs, this.#deps.signal);
    if (this.#deps.signal.aborted) return leave(answer);
    if (answer.kind === 'outcome') return answer.outcome;
    return answer.kind === 'failed' ? this.#unreached(answer.fault) : this.#giveUp('odd', fault('protocol_error', 'The server names the task as done and gives no result of it.'));
  }

  /** What passes by itself is waited for; the rest ends the call, and nobody knows what became of it. */
  #unreached(why: Fault): WireOutcome | null {
    if (!passes(why)) return ended(why);
    if (this.#reachable) this.#deps.note({ type: 'task.unreachable', data: { cause: why.code, message: why.message, polls: this.#polls } });
    this.#reachable = false;
    return null;
  }

  #noteStatus(): void {
    if (this.#notes >= STATUS_NOTES) return;
    this.#notes += 1;
    this.#deps.note({ type: 'task.status', data: { status: this.#state.status, words: this.#state.words, polls: this.#polls } });
  }

  async #wantsInput(): Promise<WireOutcome | null> {
    const deps = this.#deps;
    const requests = this.#state.inputRequests;
    if (requests === undefined) {
      // older era: the questions come on the stream of tasks/result, which is asked for before its time (2025-11-25, tasks)
      if (!this.#earlyRefused && this.#outcome === null) this.#result ??= deps.ask({ what: 'result' }, Math.max(1, deps.leftMs()), AbortSignal.any([deps.signal, this.#over.signal])).then((answer) => this.#early(answer));
      return null;
    }
    if (this.#unanswered !== null) return null;
    // a key names one question for the life of the task: what was answered is not asked again
    const open = Object.entries(requests).filter(([key]) => !this.#answered.has(key));
    if (this.#asking !== null) {
      if ([...this.#asking.keys].every((key) => Object.hasOwn(requests, key))) return null;
      this.#asking.stop.abort();
      await this.#asking.done;
    }
    if (open.length === 0) return null;
    if (deps.answerInputs === null) return this.#giveUp('not_answered', fault('protocol_error', 'The server wants further input for this task, which Gantry did not offer.'));
    this.#ask(Object.fromEntries(open), deps.answerInputs);
    return null;
  }

  /** Before the task was over it brings its result, or is refused; then the state says what there is. */
  #early(answer: TaskAnswer): TaskAnswer {
    this.#result = null;
    const outcome = answer.kind === 'outcome' ? answer.outcome : null;
    if (outcome === null || outcome.kind === 'rpc_error') this.#earlyRefused = outcome !== null;
    else if (this.#over.signal.aborted) releaseHeld(outcome);
    else this.#outcome = outcome;
    return answer;
  }

  /** A person is asked; meanwhile the task goes on being asked about. Where nobody will answer, it is ended in place of the next question, never beside one. */
  #ask(requests: Readonly<Record<string, unknown>>, answerInputs: AnswerInputs): void {
    const stop = new AbortController();
    const done = answerInputs(requests, AbortSignal.any([stop.signal, this.#deps.signal])).then(async (answers) => {
      this.#asking = null;
      if (stop.signal.aborted || this.#deps.signal.aborted || this.#deps.leaving.aborted) return;
      // the connection ended meanwhile: what the task still wants is asked anew over the next one
      if (!answers.ok && answers.error.code === 'not_connected') return;
      if (!answers.ok) {
        this.#unanswered = answers.error;
        return;
      }
      for (const key of Object.keys(requests)) this.#answered.add(key);
      const told = await this.#deps.ask({ what: 'update', inputResponses: answers.value }, this.#deps.limits.timeoutMs, this.#deps.signal);
      // not heard: the same questions are asked of the server's next state, and of the person
      if (told.kind === 'failed') for (const key of Object.keys(requests)) this.#answered.delete(key);
    });
    this.#asking = { keys: new Set(Object.keys(requests)), stop, done };
  }

  /** The server is asked to end it, which is a wish; what became of it nobody knows. */
  async #giveUp(why: Extract<TaskNote, { type: 'task.cancel' }>['data']['why'], because: Fault): Promise<WireOutcome> {
    const answer = await cancelTask(this.#deps);
    this.#deps.note({ type: 'task.cancel', data: { why, answer } });
    return ended({ ...because, details: { ...because.details, taskCancel: answer } });
  }
}

const releaseHeld = (outcome: WireOutcome): void => {
  if (outcome.kind === 'held') outcome.held.release();
};

/** Stopped meanwhile: what came is not read. */
const leave = (answer: TaskAnswer): null => {
  if (answer.kind === 'outcome') releaseHeld(answer.outcome);
  if (answer.kind === 'state' && answer.settled !== undefined) releaseHeld(answer.settled);
  return null;
};

const PASSES: ReadonlySet<string> = new Set(['endpoint_error', 'timeout']);
/** A server that is not there yet, or answers with trouble of its own, may be there at the next question. */
const passes = (why: Fault): boolean => {
  if (why.details?.['confirmed'] === true) return false;
  const status = why.details?.['status'];
  return isPassing(why) || why.code === 'not_connected' || PASSES.has(why.code) || (why.code === 'protocol_error' && typeof status === 'number' && status >= 429);
};

/** Asks a server to end a task, and does not wait long for what it says. */
export const cancelTask = async (deps: Pick<FollowDeps, 'ask' | 'wait'>): Promise<Extract<TaskNote, { type: 'task.cancel' }>['data']['answer']> => {
  const enough = new AbortController();
  const asked = deps.ask({ what: 'cancel' }, CANCEL_WAIT_MS, enough.signal).catch(() => null);
  const answer = await Promise.race([asked, deps.wait(CANCEL_WAIT_MS, enough.signal).then(() => null)]);
  enough.abort();
  if (answer === null) return 'none';
  if (answer.kind === 'state') return answer.state.status === 'cancelled' ? 'cancelled' : 'acknowledged';
  return answer.kind === 'acknowledged' ? 'acknowledged' : answer.kind === 'unknown' ? 'unknown' : 'none';
};

/** The outcome of the call that a server goes on with as a task. Never rejects for what a server does. */
export const followTask = (state: TaskState, deps: FollowDeps): Promise<WireOutcome> => new Following(state, deps).run();
