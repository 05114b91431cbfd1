import type { EvidenceType, EvidenceEvent, Run } from '../../shared/run.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import type { Store, WriteDb } from '../store/database.ts';
import { insertEvent } from '../store/events.ts';
import { getRun, insertRun, updateRun } from '../store/runs.ts';
import { canonicalText } from './canonical.ts';
import { FIRST_SEQ, eventHash } from './chain.ts';
import type { PrivacyFilter } from './privacy-filter.ts';
import { wellFormed } from './well-formed.ts';

/** One event before it has a place in the chain. Members of `data` that are undefined are left out. */
export interface NewEvent {
  readonly type: EvidenceType;
  readonly invocationId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What one transaction does to a run: its events, its new state, and the rows that they prove. */
export interface RunStep {
  readonly events: readonly NewEvent[];
  readonly run?: Partial<Pick<Run, 'state' | 'code' | 'endedAt'>>;
  /** must survive a power loss (A24) */
  readonly durable?: boolean;
  /** runs in the same transaction; returning false rolls back the whole step */
  readonly rows?: (db: WriteDb) => boolean | void;
}

class StepRefused extends Error {}

/**
 * The only writer of evidence. Events are masked, chained and committed in the transaction of the state change that they prove; the bus hears of
 * them after the commit. Throws what the store throws: then nothing was written and the chain stands where it stood.
 */
export class Recorder {
  readonly #store: Store;
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #filter: PrivacyFilter;
  /** heads of runs that are under way; only ever replaced after a commit (A22: one writer) */
  readonly #open = new Map<string, Run>();

  constructor(deps: { readonly store: Store; readonly bus: Bus; readonly clock: Clock; readonly filter: PrivacyFilter }) {
    this.#store = deps.store;
    this.#bus = deps.bus;
    this.#clock = deps.clock;
    this.#filter = deps.filter;
  }

  /** The run as it was last committed; null when there is none. */
  run(runId: string): Run | null {
    return this.#open.get(runId) ?? this.#store.read((db) => getRun(db, runId));
  }

  /** Writes the run's row and its first events together. */
  begin(run: Run, step: RunStep): void {
    this.#commit(run, step, true);
  }

  /** False when `rows` refused; then nothing was written. */
  append(runId: string, step: RunStep): boolean {
    const run = this.run(runId);
    if (!run) throw new Error(`run ${runId} does not exist`);
    return this.#commit(run, step, false);
  }

  #commit(before: Run, step: RunStep, isNew: boolean): boolean {
    const written: EvidenceEvent[] = [];
    const texts: string[] = [];
    let head = before.headHash;
    let seq = before.eventCount + FIRST_SEQ - 1;
    const at = this.#clock.now();
    for (const event of step.events) {
      // words of a server come along in many members; one odd character must never keep an outcome from being written
      let data = wellFormed(event.data).value as Record<string, unknown>;
      let text = canonicalText(data);
      if (this.#filter.touchesJson(text)) {
        data = this.#filter.value(data).value as Record<string, unknown>;
        text = canonicalText(data);
      }
      seq += 1;
      const link = { runId: before.id, seq, prevHash: head, at, type: event.type, invocationId: event.invocationId };
      head = eventHash(link, text);
      written.push({ ...link, hash: head, data });
      texts.push(text);
    }
    const after: Run = { ...before, ...step.run, eventCount: before.eventCount + written.length, headHash: head };
    const work = (db: WriteDb): void => {
      if (isNew) insertRun(db, after);
      if (step.rows?.(db) === false) throw new StepRefused();
      for (const [i, e] of written.entries()) {
        insertEvent(db, { run_id: e.runId, seq: e.seq, prev_hash: e.prevHash, hash: e.hash, at: e.at, type: e.type, invocation_id: e.invocationId, data_json: texts[i]! });
      }
      if (!isNew) updateRun(db, after);
    };
    try {
      if (step.durable === true) this.#store.writeDurable(work);
      else this.#store.write(work);
    } catch (error) {
      if (error instanceof StepRefused) return false;
      throw error;
    }
    if (after.endedAt === null) this.#open.set(after.id, after);
    else this.#open.delete(after.id);
    for (const event of written) this.#bus.emit('run:event', { event });
    if (isNew || step.run !== undefined) this.#bus.emit('run:changed', { run: after });
    return true;
  }
}
