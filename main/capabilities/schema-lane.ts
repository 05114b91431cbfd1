import { Worker } from 'node:worker_threads';
import type { SchemaState } from '../../shared/capability.ts';
import type { SchemaPair } from './schema-examination.ts';

interface Job {
  readonly id: number;
  readonly pair: SchemaPair;
  readonly done: (state: SchemaState | 'too_slow' | 'broken') => void;
}

/** The first answer of a fresh worker includes its start. */
const START_MS = 15_000;
const MEMORY_MB = 256;
/** A machine that is busy with others gives a job so many times its limit, by the clock. */
const WAITS = 20;

export interface LaneLimits {
  /** processor time of one job, in ms */
  readonly limitMs: number;
  /** one job by the clock; without it 20 times its processor time */
  readonly clockMs?: number;
  /** processor time that a worker has used so far, in ms */
  readonly usedMs?: (worker: Worker) => Promise<number>;
}

const usedMs = async (worker: Worker): Promise<number> => {
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1000;
};

/**
 * One worker, one job at a time. A job over its processor time costs the worker its life, and the next job gets a new one (S04): what others do on the
 * machine makes no schema too slow. Ends with `close`.
 */
export class SchemaLane {
  readonly #limits: Required<LaneLimits>;
  readonly #queue: Job[] = [];
  #worker: Worker | null = null;
  #current: Job | null = null;
  #timer: NodeJS.Timeout | null = null;
  #nextId = 1;
  #warm = false;
  /** of this worker, when its last job ended */
  #usedBeforeMs = 0;
  #closed = false;

  constructor(limits: LaneLimits) {
    this.#limits = { clockMs: WAITS * limits.limitMs, usedMs, ...limits };
  }

  examine(pair: SchemaPair): Promise<SchemaState | 'too_slow' | 'broken'> {
    if (this.#closed) return Promise.resolve('broken');
    return new Promise((done) => {
      this.#queue.push({ id: this.#nextId++, pair, done });
      this.#advance();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.done('broken');
    await this.#end('broken');
  }

  #advance(): void {
    if (this.#current || this.#closed) return;
    const job = this.#queue.shift();
    if (!job) {
      this.#worker?.unref();
      return;
    }
    this.#current = job;
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    const endsAt = performance.now() + (this.#warm ? this.#limits.clockMs : START_MS);
    this.#arm(job, worker, this.#warm ? this.#limits.limitMs : START_MS, endsAt);
    worker.postMessage({ id: job.id, pair: job.pair });
  }

  #arm(job: Job, worker: Worker, waitMs: number, endsAt: number): void {
    this.#timer = setTimeout(() => void this.#isOver(job, worker, endsAt), waitMs);
  }

  async #isOver(job: Job, worker: Worker, endsAt: number): Promise<void> {
    const used = await this.#limits.usedMs(worker).catch(() => Infinity);
    if (this.#current !== job) return;
    const leftMs = Math.min(this.#limits.limitMs - (used - this.#usedBeforeMs), endsAt - performance.now());
    if (leftMs > 0) return this.#arm(job, worker, Math.max(1, leftMs), endsAt);
    await this.#end('too_slow');
    this.#advance();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./schema-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
    this.#usedBeforeMs = 0;
    worker.on('message', ({ id, state, usedMs: used }: { readonly id: number; readonly state: SchemaState; readonly usedMs: number }) => {
      if (worker !== this.#worker || this.#current?.id !== id) return;
      this.#warm = true;
      this.#usedBeforeMs = used;
      this.#finish(state);
      this.#advance();
    });
    const lost = (): void => {
      if (worker === this.#worker) void this.#end('broken').then(() => this.#advance());
    };
    worker.on('error', lost);
    worker.on('exit', lost);
    return worker;
  }

  #finish(answer: SchemaState | 'too_slow' | 'broken'): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const job = this.#current;
    this.#current = null;
    job?.done(answer);
  }

  async #end(answer: 'too_slow' | 'broken'): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#warm = false;
    this.#finish(answer);
    await worker?.terminate();
  }
}
