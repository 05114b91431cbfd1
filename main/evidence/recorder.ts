import type { EvidenceType, Run } from '../../shared/run.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import type { Store, WriteDb } from '../store/database.ts';
import { toEvent } from '../store/events.ts';
import type { NewEventRow } from '../store/events.ts';
import { getRun } from '../store/runs.ts';
import { writeRows } from '../store/steps.ts';
import type { RunRows, StepCall } from '../store/steps.ts';
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
  /** the call that the events open or move */
  readonly call?: StepCall;
  /** further rows of the same transaction; returning false rolls back the whole step */
  readonly rows?: (db: WriteDb) => boolean | void;
}

class StepRefused extends Error {}

/** Words of a server come along in many members; one odd character must never keep an outcome from being written. */
const dataText = (data: NewEvent['data']): string => {
  try {
    return canonicalText(data);
  } catch {
    return canonicalText(wellFormed(data).value);
  }
};

/**
 * The only writer of evidence. Events are masked, chained and committed in the transaction of the state change that they prove; the bus hears of
 * them after the commit. Throws what the store throws: then nothing was written and the chain stands where it stood.
 */
export class Recorder {
  readonly #store: Store;
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #filter: PrivacyFilter;
  /** runs that are under way, as they were last committed; only ever replaced after a commit (A22: one writer) */
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
    this.#commit(run, true, step);
  }

  /** False when `rows` refused; then nothing was written. */
  append(runId: string, step: RunStep): boolean {
    const head = this.run(runId);
    if (!head) throw new Error(`run ${runId} does not exist`);
    return this.#commit(head, false, step);
  }

  /** Canonical texts of the events' data, masked. One look over all of them tells whether there is anything to mask, which is rare. */
  #texts(events: readonly NewEvent[]): readonly string[] {
    const texts = events.map((event) => dataText(event.data));
    if (!this.#filter.touchesJson(texts.join('\n'))) return texts;
    return texts.map((text) => (this.#filter.touchesJson(text) ? canonicalText(this.#filter.value(JSON.parse(text)).value) : text));
  }

  #commit(before: Run, isNew: boolean, step: RunStep): boolean {
    const at = this.#clock.now();
    const texts = this.#texts(step.events);
    const events: NewEventRow[] = [];
    let headHash = before.headHash;
    let eventCount = before.eventCount;
    for (const [i, { type, invocationId }] of step.events.entries()) {
      const seq = eventCount + FIRST_SEQ;
      headHash = eventHash({ runId: before.id, seq, prevHash: headHash, at, type, invocationId }, texts[i]!);
      events.push({ seq, hash: headHash, at, type, invocation_id: invocationId, data_json: texts[i]! });
      eventCount += 1;
    }
    const after: Run = { ...before, ...step.run, eventCount, headHash };
    if (!this.#write({ run: after, isNew, call: step.call ?? null, events }, step)) return false;
    if (after.endedAt === null) this.#open.set(after.id, after);
    else this.#open.delete(after.id);
    this.#tell(before, after, events, isNew || step.run !== undefined);
    return true;
  }

  #write(rows: RunRows, { durable = false, rows: further }: RunStep): boolean {
    if (further === undefined) {
      this.#store.writeStep(rows, durable);
      return true;
    }
    const work = (db: WriteDb): void =>
      writeRows(db, rows, () => {
        if (further(db) === false) throw new StepRefused();
      });
    try {
      if (durable) this.#store.writeDurable(work);
      else this.#store.write(work);
      return true;
    } catch (error) {
      if (error instanceof StepRefused) return false;
      throw error;
    }
  }

  #tell(before: Run, after: Run, rows: readonly NewEventRow[], runChanged: boolean): void {
    for (const [i, row] of rows.entries()) {
      this.#bus.emitSoon('run:event', () => ({ event: toEvent({ ...row, run_id: after.id, prev_hash: i === 0 ? before.headHash : rows[i - 1]!.hash }) }));
    }
    if (runChanged) this.#bus.emitSoon('run:changed', () => ({ run: after }));
  }
}
