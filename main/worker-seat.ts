import { Worker } from 'node:worker_threads';
import type { Transferable } from 'node:worker_threads';
import { err, ok } from '../shared/result.ts';
import type { Result } from '../shared/result.ts';

/** Why a worker gave no answer: over its time, out of memory, ended by itself or by an error of its own (`words`), or ended by us. */
export interface SeatEnd {
  readonly why: 'time' | 'memory' | 'died' | 'closed';
  readonly words: string;
}

/** What a worker of a seat answers: `{answer}`, or `{failed}` for an error that it caught itself and outlives. */
export type SeatReply = { readonly answer: unknown } | { readonly failed: string };

export interface SeatOptions {
  readonly file: URL;
  readonly workerData?: unknown;
  readonly memoryMb: number;
}

/** The first answer of a fresh worker includes its start. */
const START_MS = 15_000;
/** An idle worker keeps what its heap has grown to; after this time it is given back. */
const IDLE_MS = 60_000;

interface Waiting {
  readonly settle: (answer: Result<unknown, SeatEnd>) => void;
  readonly timer: NodeJS.Timeout;
}

/** One worker thread, started with its first question, one question at a time. A question that goes wrong costs the worker its life; the next one gets a new one. */
export class WorkerSeat {
  readonly #options: SeatOptions;
  #worker: Worker | null = null;
  #waiting: Waiting | null = null;
  #idle: NodeJS.Timeout | null = null;
  #warm = false;

  constructor(options: SeatOptions) {
    this.#options = options;
  }

  /** Of the living worker; null when there is none. */
  get threadId(): number | null {
    return this.#worker?.threadId ?? null;
  }

  /** Never rejects. The caller sees to it that one question is answered before the next is asked. */
  ask(question: unknown, limitMs: number, transfer: readonly Transferable[] = []): Promise<Result<unknown, SeatEnd>> {
    if (this.#waiting !== null) throw new Error('a worker is asked one question at a time');
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    return new Promise((settle) => {
      const timer = setTimeout(() => void this.end({ why: 'time', words: `no answer within ${limitMs} ms` }), limitMs + (this.#warm ? 0 : START_MS));
      this.#waiting = { settle, timer };
      worker.postMessage(question, transfer as Transferable[]);
    });
  }

  /** A word that needs no answer; nothing where no worker lives. */
  tell(message: unknown): void {
    this.#worker?.postMessage(message);
  }

  async end(end: SeatEnd = { why: 'closed', words: 'ended' }): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#warm = false;
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    this.#answer(err(end));
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#options.file, { workerData: this.#options.workerData, resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMb } });
    worker.on('message', (reply: SeatReply) => {
      if (worker !== this.#worker) return;
      this.#warm = true;
      worker.unref();
      this.#idle = setTimeout(() => void this.end(), IDLE_MS).unref();
      this.#answer('failed' in reply ? err({ why: 'died', words: reply.failed }) : ok(reply.answer));
    });
    const lost = (end: SeatEnd): void => {
      if (worker === this.#worker) void this.end(end);
    };
    worker.on('error', (error: Error & { readonly code?: string }) => lost({ why: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'died', words: error.message }));
    worker.on('exit', (code) => lost({ why: 'died', words: `the worker ended with code ${code}` }));
    return worker;
  }

  #answer(answer: Result<unknown, SeatEnd>): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) return;
    clearTimeout(waiting.timer);
    waiting.settle(answer);
  }
}
