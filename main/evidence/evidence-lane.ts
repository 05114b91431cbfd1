import { fault, type Fault } from '../../shared/fault.ts';
import { err, type Result } from '../../shared/result.ts';
import { WorkerSeat, type SeatEnd } from '../worker-seat.ts';
import type { exportRun } from './export-run.ts';
import type { Verdict } from './verify-run.ts';

export interface EvidenceQuestion {
  readonly op: 'verify' | 'export';
  readonly runId: string;
}

/** A run of a million events is an hour's work of nobody: far above what is met. */
const LIMIT_MS = 15 * 60_000;
const MEMORY_MB = 2048;

const failure = (end: SeatEnd): Fault => {
  const details = { workerEnd: end.why };
  if (end.why === 'closed') return fault('cancelled', 'Gantry is closing; the run was not read to its end.', { details });
  if (end.why === 'time' || end.why === 'memory') return fault('too_large', `The run needs more ${end.why === 'time' ? 'time' : 'memory'} to be read than Gantry gives to it.`, { details: { ...details, limit: end.why } });
  return fault('internal', 'Gantry failed while it read the run.', { details: { ...details, words: end.words.slice(0, 300) } });
};

/**
 * Verify and export in a worker thread with a connection of its own, which only reads (design section 7). One question at a time; started with the first,
 * ended with `close`, which answers what is under way as cancelled.
 */
export class EvidenceLane {
  readonly #seat: WorkerSeat;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** `path`: of the database; `worker`: the file that answers, for tests. */
  constructor(path: string, worker: URL = new URL('./evidence-worker.ts', import.meta.url)) {
    this.#seat = new WorkerSeat({ file: worker, workerData: { path }, memoryMb: MEMORY_MB });
  }

  /** As verifyRun; also errors: cancelled (at quit), too_large, internal. */
  verify(runId: string): Promise<Result<Verdict, Fault>> {
    return this.#ask({ op: 'verify', runId }) as Promise<Result<Verdict, Fault>>;
  }

  /** As exportRun; also errors: cancelled (at quit), too_large, internal. */
  export(runId: string): Promise<ReturnType<typeof exportRun>> {
    return this.#ask({ op: 'export', runId }) as Promise<ReturnType<typeof exportRun>>;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#seat.end();
  }

  #ask(question: EvidenceQuestion): Promise<Result<unknown, Fault>> {
    const answer = this.#last.then(async (): Promise<Result<unknown, Fault>> => {
      if (this.#closed) return err(failure({ why: 'closed', words: 'closed' }));
      const told = await this.#seat.ask(question, LIMIT_MS);
      return told.ok ? (told.value as Result<unknown, Fault>) : err(failure(told.error));
    });
    this.#last = answer;
    return answer;
  }
}
