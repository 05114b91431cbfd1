import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { WorkerSeat, type SeatEnd } from '../worker-seat.ts';
import type { LargePart } from './large-part.ts';

/** Frames over this are parsed in a worker (design section 7). */
export const LARGE_FRAME_BYTES = 256 * 1024;

export type FrameQuestion =
  | { readonly op: 'read'; readonly bytes: Uint8Array }
  | { readonly op: 'judge'; readonly index: number; readonly order: unknown }
  | { readonly op: 'task'; readonly index: number }
  | { readonly op: 'whole'; readonly index: number }
  | { readonly op: 'slice'; readonly index: number; readonly from: number };

export interface FrameTask {
  /** null: more than crosses */
  readonly state: Readonly<Record<string, unknown>> | null;
  /** what is held from now on is the result of the task's call */
  readonly hasResult: boolean;
}

export interface FrameSlice {
  /** with the first slice: the result without its list */
  readonly rest?: Readonly<Record<string, unknown>>;
  readonly field: string | null;
  readonly items: readonly unknown[];
  readonly left: number;
}

export interface LaneLimits {
  /** for one step: reading a frame, judging a result, one slice */
  readonly stepMs: number;
  readonly memoryMb: number;
  /** a result that nobody asked for is let go after this */
  readonly leaseMs: number;
}
const LIMITS: LaneLimits = { stepMs: 60_000, memoryMb: 2048, leaseMs: 30_000 };
/** Two answers at once; a third waits for its turn. */
const SEATS = 2;

const endFault = (end: SeatEnd, sizeBytes: number): Fault => {
  const details = { sizeBytes, workerEnd: end.why };
  if (end.why === 'time' || end.why === 'memory') {
    return fault('too_large', `An answer of ${sizeBytes} bytes came, and needs more ${end.why === 'time' ? 'time' : 'memory'} to be read than Gantry gives to one.`, { remedy: 'Ask for less: a smaller range, fewer rows, or a page.', details: { ...details, limit: end.why } });
  }
  if (end.why === 'closed') return fault('interrupted', 'An answer came and was not read to its end: Gantry was stopped.', { details });
  return fault('internal', 'An answer came, and Gantry failed while it was read.', { details: { ...details, words: end.words.slice(0, 300) } });
};

/** What came of a frame. Error: the worker's end, as the fault of the call whose answer it was. */
export type FrameReading = Result<readonly { readonly part: LargePart; readonly held: HeldResult | null }[], Fault>;

interface Lease {
  readonly seat: WorkerSeat;
  readonly sizeBytes: number;
  open: number;
  over: boolean;
  timer: NodeJS.Timeout | null;
  /** steps of one lease follow one another */
  last: Promise<unknown>;
}

/** A result that lies parsed in a worker until it was judged, taken over or let go: one of these has to happen to each. */
export class HeldResult {
  readonly sizeBytes: number;
  readonly #ask: (question: FrameQuestion) => Promise<Result<unknown, Fault>>;
  readonly #index: number;
  readonly #done: () => void;
  #isDone = false;

  constructor(parts: { readonly sizeBytes: number; readonly index: number; readonly ask: (question: FrameQuestion) => Promise<Result<unknown, Fault>>; readonly done: () => void }) {
    this.sizeBytes = parts.sizeBytes;
    this.#index = parts.index;
    this.#ask = parts.ask;
    this.#done = parts.done;
  }

  /** Judged where it lies; `order` and the answer are the call line's own. Error: as FrameReading. */
  async judge(order: unknown): Promise<Result<unknown, Fault>> {
    const answer = await this.#ask({ op: 'judge', index: this.#index, order });
    this.release();
    return answer;
  }

  /** What is said of a task, where this is an answer about one; the result in it stays held, where there is one. Error: as FrameReading. */
  async task(): Promise<Result<FrameTask, Fault>> {
    const answer = await this.#ask({ op: 'task', index: this.#index });
    if (!answer.ok || !(answer.value as FrameTask).hasResult) this.release();
    return answer as Result<FrameTask, Fault>;
  }

  /** The whole result at once: holds up the thread unless it is known to be small. */
  async all(): Promise<Result<Readonly<Record<string, unknown>>, Fault>> {
    const answer = await this.#ask({ op: 'whole', index: this.#index });
    this.release();
    return answer as Result<Readonly<Record<string, unknown>>, Fault>;
  }

  /** The result of a list method, its list in slices, so that no single one holds the thread. */
  async list(): Promise<Result<Readonly<Record<string, unknown>>, Fault>> {
    const items: unknown[] = [];
    let rest: Readonly<Record<string, unknown>> = {};
    for (let from = 0; ; from++) {
      const answer = await this.#ask({ op: 'slice', index: this.#index, from });
      if (!answer.ok) {
        this.release();
        return answer;
      }
      const slice = answer.value as FrameSlice;
      if (slice.rest !== undefined) ({ rest } = slice);
      for (const item of slice.items) items.push(item);
      if (slice.left > 0) continue;
      this.release();
      return ok(slice.field === null ? rest : { ...rest, [slice.field]: items });
    }
  }

  release(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#done();
  }
}

/**
 * Reads large frames in worker threads. A worker has one frame from its reading to the end of its judging, so that a worker which a hostile answer
 * brings down takes no other answer with it. Started with the first large frame, ended with `close`.
 */
export class FrameLane {
  readonly #limits: LaneLimits;
  readonly #seats: WorkerSeat[];
  readonly #free: WorkerSeat[];
  readonly #queue: ((seat: WorkerSeat | null) => void)[] = [];
  readonly #leases = new Set<Lease>();
  /** thread ids of the workers that read frames, newest last: a fact for diagnosis */
  readonly readBy: number[] = [];
  #closed = false;

  /** `worker`: the file that answers FrameQuestions. */
  constructor(worker: URL, limits: Partial<LaneLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    this.#seats = Array.from({ length: SEATS }, () => new WorkerSeat({ file: worker, memoryMb: this.#limits.memoryMb }));
    this.#free = [...this.#seats];
  }

  /** `bytes` are given away. */
  async read(bytes: Uint8Array): Promise<FrameReading> {
    const sizeBytes = bytes.byteLength;
    const seat = await this.#seat();
    if (seat === null) return err(endFault({ why: 'closed', words: 'closed' }, sizeBytes));
    // a view into a larger buffer would take its neighbours along
    const own = bytes.byteOffset === 0 && bytes.buffer.byteLength - sizeBytes <= 64 ? bytes : Uint8Array.from(bytes);
    const read = await seat.ask({ op: 'read', bytes: own } satisfies FrameQuestion, this.#limits.stepMs, [own.buffer as ArrayBuffer]);
    if (!read.ok) {
      this.#giveBack(seat);
      return err(endFault(read.error, sizeBytes));
    }
    if (seat.threadId !== null && this.readBy.push(seat.threadId) > 100) this.readBy.shift();
    const parts = read.value as readonly LargePart[];
    const lease: Lease = { seat, sizeBytes, open: parts.filter((part) => part.kind === 'answer').length, over: false, timer: null, last: Promise.resolve() };
    if (lease.open === 0) this.#end(lease);
    else {
      this.#leases.add(lease);
      lease.timer = setTimeout(() => this.#end(lease), this.#limits.leaseMs).unref();
    }
    return ok(parts.map((part, index) => ({ part, held: part.kind === 'answer' ? this.#held(lease, index, part.sizeBytes) : null })));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const wake of this.#queue.splice(0)) wake(null);
    await Promise.all(this.#seats.map((seat) => seat.end()));
  }

  #held(lease: Lease, index: number, sizeBytes: number): HeldResult {
    const ask = (question: FrameQuestion): Promise<Result<unknown, Fault>> => {
      const step = lease.last.then(async (): Promise<Result<unknown, Fault>> => {
        if (lease.over) return err(endFault({ why: 'closed', words: 'let go' }, sizeBytes));
        const answer = await lease.seat.ask(question, this.#limits.stepMs);
        if (answer.ok) return answer;
        this.#end(lease);
        return err(endFault(answer.error, sizeBytes));
      });
      lease.last = step;
      return step;
    };
    const done = (): void => {
      if (--lease.open === 0) void lease.last.then(() => this.#end(lease));
    };
    return new HeldResult({ sizeBytes, index, ask, done });
  }

  #end(lease: Lease): void {
    if (lease.over) return;
    lease.over = true;
    if (lease.timer !== null) clearTimeout(lease.timer);
    this.#leases.delete(lease);
    lease.seat.tell({ op: 'drop' });
    void lease.last.then(() => this.#giveBack(lease.seat));
  }

  #seat(): Promise<WorkerSeat | null> {
    if (this.#closed) return Promise.resolve(null);
    const free = this.#free.pop();
    return free === undefined ? new Promise((wake) => this.#queue.push(wake)) : Promise.resolve(free);
  }

  #giveBack(seat: WorkerSeat): void {
    const next = this.#closed ? undefined : this.#queue.shift();
    if (next === undefined) this.#free.push(seat);
    else next(seat);
  }
}
