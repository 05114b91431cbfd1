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

/**
 * One worker, one job at a time. A job over its time costs the worker its life, and the next job gets a new one (S04).
 * Ends with `close`.
 */
export class SchemaLane {
  readonly #limitMs: number;
  readonly #queue: Job[] = [];
  #worker: Worker | null = null;
  #current: Job | null = null;
  #timer: NodeJS.Timeout | null = null;
  #nextId = 1;
  #warm = false;
  #closed = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
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
    this.#timer = setTimeout(() => void this.#end('too_slow').then(() => this.#advance()), this.#warm ? this.#limitMs : START_MS);
    worker.postMessage({ id: job.id, pair: job.pair });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./schema-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
    worker.on('message', ({ id, state }: { readonly id: number; readonly state: SchemaState }) => {
      if (worker !== this.#worker || this.#current?.id !== id) return;
      this.#warm = true;
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
