import type { ParsedInputOf } from '../../shared/contract/contract.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, type Result } from '../../shared/result.ts';
import type { Store } from '../store/database.ts';
import { WorkerSeat, type SeatEnd } from '../worker-seat.ts';
import type { conversationPage, conversationSearch } from './conversation-pages.ts';
import type { exportRun } from './export-run.ts';
import type { readRun } from './read-runs.ts';
import type { runCalls, runEvents, runHead, runsThatFit } from './run-pages.ts';
import type { runSpans } from './run-spans.ts';
import type { PartAnswer, PartQuestion, sliceOfResult } from './result-parts.ts';
import type { Verdict } from './verify-run.ts';

export type EvidenceQuestion =
  | { readonly op: 'verify' | 'export' | 'get'; readonly runId: string }
  | { readonly op: 'spans'; readonly query: ParsedInputOf<'runs:spans'> }
  | { readonly op: 'conversation'; readonly query: ParsedInputOf<'conversations:get'> }
  | { readonly op: 'conversations'; readonly query: ParsedInputOf<'conversations:search'> }
  | { readonly op: 'head'; readonly query: ParsedInputOf<'runs:head'> }
  | { readonly op: 'list'; readonly query: ParsedInputOf<'runs:list'> }
  | { readonly op: 'calls'; readonly query: ParsedInputOf<'runs:calls'> }
  | { readonly op: 'events'; readonly query: ParsedInputOf<'runs:events'> }
  | { readonly op: 'slice'; readonly invocationId: string; readonly offset: number }
  | { readonly op: 'part'; readonly wanted: PartQuestion };

/** A run of a million events is an hour's work of nobody: far above what is met. */
const LIMIT_MS = 15 * 60_000;
const MEMORY_MB = 2048;

const failure = (end: SeatEnd): Fault => {
  const details = { workerEnd: end.why };
  if (end.why === 'closed') return fault('cancelled', 'Gantry is closing; the run was not read to its end.', { details });
  if (end.why === 'time' || end.why === 'memory') return fault('too_large', `The run needs more ${end.why === 'time' ? 'time' : 'memory'} to be read than Gantry gives to it.`, { details: { ...details, limit: end.why } });
  return fault('internal', 'Gantry failed while it read the run.', { details: { ...details, words: end.words.slice(0, 300) } });
};

type Answer<F extends (...args: never[]) => unknown> = Promise<Awaited<ReturnType<F>>>;

/**
 * A worker thread with a connection of its own, which only reads (design section 7). One question at a time; started with the first, ended with `close`,
 * which answers what is under way as cancelled. All questions can also end as cancelled (at quit), too_large, internal. The host has two: what a page waits
 * for does not stand behind the verification of a long run.
 */
export class EvidenceLane {
  readonly #seat: WorkerSeat;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  readonly #store: Pick<Store, 'path' | 'settle'>;

  /** `store`: what the worker's own connection reads beside; `worker`: the file that answers, for tests. */
  constructor(store: Pick<Store, 'path' | 'settle'>, worker: URL = new URL('./evidence-worker.ts', import.meta.url)) {
    this.#store = store;
    this.#seat = new WorkerSeat({ file: worker, workerData: { path: store.path }, memoryMb: MEMORY_MB });
  }

  verify(runId: string): Promise<Result<Verdict, Fault>> {
    return this.#ask({ op: 'verify', runId }) as Promise<Result<Verdict, Fault>>;
  }

  export(runId: string): Answer<typeof exportRun> {
    return this.#ask({ op: 'export', runId }) as Answer<typeof exportRun>;
  }

  get(runId: string): Answer<typeof readRun> {
    return this.#ask({ op: 'get', runId }) as Answer<typeof readRun>;
  }

  spans(query: ParsedInputOf<'runs:spans'>): Answer<typeof runSpans> {
    return this.#ask({ op: 'spans', query }) as Answer<typeof runSpans>;
  }

  /** One conversation's questions. */
  conversation(query: ParsedInputOf<'conversations:get'>): Answer<typeof conversationPage> {
    return this.#ask({ op: 'conversation', query }) as Answer<typeof conversationPage>;
  }

  /** Conversations by what was said. */
  conversations(query: ParsedInputOf<'conversations:search'>): Promise<Result<ReturnType<typeof conversationSearch>, Fault>> {
    return this.#ask({ op: 'conversations', query }) as Promise<Result<ReturnType<typeof conversationSearch>, Fault>>;
  }

  head(query: ParsedInputOf<'runs:head'>): Answer<typeof runHead> {
    return this.#ask({ op: 'head', query }) as Answer<typeof runHead>;
  }

  list(query: ParsedInputOf<'runs:list'>): Promise<Result<ReturnType<typeof runsThatFit>, Fault>> {
    return this.#ask({ op: 'list', query }) as Promise<Result<ReturnType<typeof runsThatFit>, Fault>>;
  }

  calls(query: ParsedInputOf<'runs:calls'>): Answer<typeof runCalls> {
    return this.#ask({ op: 'calls', query }) as Answer<typeof runCalls>;
  }

  events(query: ParsedInputOf<'runs:events'>): Answer<typeof runEvents> {
    return this.#ask({ op: 'events', query }) as Answer<typeof runEvents>;
  }

  slice(invocationId: string, offset: number): Promise<ReturnType<typeof sliceOfResult>> {
    return this.#ask({ op: 'slice', invocationId, offset }) as Promise<ReturnType<typeof sliceOfResult>>;
  }

  part(wanted: PartQuestion): Promise<Result<PartAnswer, Fault>> {
    return this.#ask({ op: 'part', wanted }) as Promise<Result<PartAnswer, Fault>>;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#seat.end();
  }

  #ask(question: EvidenceQuestion): Promise<Result<unknown, Fault>> {
    const answer = this.#last.then(async (): Promise<Result<unknown, Fault>> => {
      if (this.#closed) return err(failure({ why: 'closed', words: 'closed' }));
      // the worker sees what is in the tables
      this.#store.settle();
      const told = await this.#seat.ask(question, LIMIT_MS);
      return told.ok ? (told.value as Result<unknown, Fault>) : err(failure(told.error));
    });
    this.#last = answer;
    return answer;
  }
}
