import { randomUUID } from 'node:crypto';
import type { CallResult, CallStage, ResultClass } from '../../shared/call.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { Run } from '../../shared/run.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import { FIRST_PREV_HASH } from '../evidence/chain.ts';
import { sha256 } from '../evidence/canonical.ts';
import { invocationWithoutResult } from '../evidence/read-runs.ts';
import type { PrivacyFilter } from '../evidence/privacy-filter.ts';
import type { Recorder, NewEvent } from '../evidence/recorder.ts';
import type { WriteDb } from '../store/database.ts';
import { faultText } from '../store/invocations.ts';
import type { InvocationRow, ResultTexts } from '../store/invocations.ts';
import { storeFault } from '../store/store-fault.ts';
import { orderedId } from '../ordered-id.ts';

/** How an invocation ends. */
export interface Closing {
  readonly state: 'completed' | 'failed';
  readonly stage: CallStage;
  readonly class: ResultClass;
  readonly fault: Fault | null;
  readonly grounded: boolean;
  /** within a window's budget */
  readonly result: CallResult | null;
  readonly texts: ResultTexts | null;
}

export interface Step {
  readonly events: readonly NewEvent[];
  readonly durable?: boolean;
  readonly rows?: (db: WriteDb) => boolean | void;
}

interface RunEnd {
  readonly state: 'completed' | 'failed';
  readonly code: string | null;
  readonly endedAt: number;
}

/** Characters of a run's title. */
const LONGEST_TITLE = 200;

export const notSentClosing = (stage: CallStage, f: Fault, resultClass: ResultClass = 'not_sent'): Closing => ({
  state: 'failed', stage, class: resultClass, fault: f, grounded: false, result: null, texts: null,
});

/** Whether a run lives only for its one call: the try-out's. Other runs are ended by who began them. */
const endsWithCall = (run: Run): boolean => run.kind === 'try';

/**
 * Rows of invocations and runs, each change in one transaction with the events that prove it. Throws what the store throws; `close` alone keeps
 * what could not be written and holds further effects back until it is (A20).
 */
export class Ledger {
  readonly #recorder: Recorder;
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #filter: PrivacyFilter;
  readonly #owed = new Map<string, { readonly row: InvocationRow; readonly closing: Closing; readonly step: Step }>();
  #cause: Fault | null = null;

  readonly #waits: (runId: string, besides: string) => boolean;

  /** `waits`: whether a call of the run waits for a person, besides this one. */
  constructor(deps: { readonly recorder: Recorder; readonly bus: Bus; readonly clock: Clock; readonly filter: PrivacyFilter; readonly waits: (runId: string, besides: string) => boolean }) {
    this.#recorder = deps.recorder;
    this.#bus = deps.bus;
    this.#clock = deps.clock;
    this.#filter = deps.filter;
    this.#waits = deps.waits;
  }

  newRun(about: Pick<Run, 'kind' | 'title' | 'principal' | 'via'>): Run {
    const startedAt = this.#clock.now();
    // a prompt may hold a secret: masked whole, then cut
    const title = this.#filter.text(about.title).slice(0, LONGEST_TITLE).toWellFormed();
    // a UUID's digits: Node draws those in stock, randomBytes asks the system each time
    const traceId = randomUUID().replaceAll('-', '');
    return { ...about, title, id: orderedId(startedAt), traceId, state: 'running', code: null, startedAt, endedAt: null, eventCount: 0, headHash: FIRST_PREV_HASH };
  }

  run(runId: string): Run | null {
    return this.#recorder.run(runId);
  }

  beginRun(run: Run): void {
    this.#recorder.begin(run, { events: [this.#started(run)] });
  }

  endRun(runId: string, end: { readonly state: 'completed' | 'failed'; readonly code: string | null }): void {
    const run = this.#recorder.run(runId);
    if (!run || run.endedAt !== null) return;
    const ended = { ...end, endedAt: this.#clock.now() };
    this.#recorder.append(runId, { events: [this.#runEnded(ended)], run: ended });
  }

  /** First rows of an invocation; `run` is written with it when it is new. */
  open(run: Run, isNew: boolean, row: InvocationRow, step: Step): void {
    const state = this.#runState(isNew ? null : run, row);
    const opened = { ...step, call: { row, isNew: true, result: null } };
    if (isNew) this.#recorder.begin({ ...run, state }, { ...opened, events: [this.#started(run), ...step.events] });
    else this.#recorder.append(run.id, { ...opened, ...(run.state === state ? {} : { run: { state } }) });
    this.#tell(row, null);
  }

  /** A change in the life of an open invocation. False when `rows` refused; then nothing changed. */
  move(row: InvocationRow, step: Step): boolean {
    const run = this.#recorder.run(row.runId);
    const state = this.#runState(run, row);
    const moved = this.#recorder.append(row.runId, {
      ...step,
      call: { row, isNew: false, result: null },
      ...(run && run.endedAt === null && run.state !== state ? { run: { state } } : {}),
    });
    if (moved) this.#tell(row, null);
    return moved;
  }

  /** Evidence only; the row stays as it is. */
  note(runId: string, events: readonly NewEvent[], rows?: Step['rows'], durable = false): boolean {
    return this.#recorder.append(runId, { events, durable, ...(rows ? { rows } : {}) });
  }

  /** Opens and ends in one transaction: a call that is refused before anything waits or runs. */
  openClosed(run: Run, isNew: boolean, row: InvocationRow, closing: Closing, step: Step): InvocationRow {
    const ended = this.#ended(row, closing);
    const events = [...step.events, this.#outcome(ended)];
    const opened = { ...step, call: { row: ended, isNew: true, result: null } };
    const end = endsWithCall(run) ? this.#runEnd(closing) : null;
    if (isNew) this.#recorder.begin({ ...run, ...end }, { ...opened, events: [this.#started(run), ...events, ...(end ? [this.#runEnded(end)] : [])] });
    else this.#recorder.append(run.id, { ...opened, events });
    this.#tell(ended, null);
    return ended;
  }

  /** The outcome row closes what intent opened. When it cannot be written it is owed: kept here, and effects wait for it. `recorded` says which. */
  close(row: InvocationRow, closing: Closing, step: Step, keepRun = false): { readonly row: InvocationRow; readonly recorded: boolean } {
    const ended = this.#ended(row, closing);
    try {
      if (!this.#write(ended, closing, step, keepRun)) throw new Error(`the end of call ${row.id} was refused`);
      return { row: ended, recorded: true };
    } catch (error) {
      const cause = storeFault(error);
      if (!cause) throw error;
      this.#cause = cause;
      this.#owed.set(row.id, { row: ended, closing, step });
      this.#tell(ended, closing.result);
      return { row: ended, recorded: false };
    }
  }

  /** Why nothing with effects may be sent, after one more try to write what is owed; null when all is written. */
  blocked(): Fault | null {
    if (this.#owed.size === 0) return null;
    for (const [id, owed] of this.#owed) {
      try {
        this.#write(owed.row, owed.closing, owed.step, false);
        this.#owed.delete(id);
      } catch (error) {
        this.#cause = storeFault(error) ?? this.#cause;
        break;
      }
    }
    if (this.#owed.size === 0) return null;
    return fault('store_write_failed', `The outcome of ${this.#owed.size} finished call(s) could not be recorded yet; nothing new is sent.`, {
      remedy: this.#cause?.remedy ?? 'Make the data folder writable.',
      details: { ...this.#cause?.details, waiting: this.#owed.size },
    });
  }

  /** A finished call whose outcome lies only in memory. */
  owed(invocationId: string): { readonly row: InvocationRow; readonly result: CallResult | null } | null {
    const found = this.#owed.get(invocationId);
    return found ? { row: found.row, result: found.closing.result } : null;
  }

  #write(ended: InvocationRow, closing: Closing, step: Step, keepRun: boolean): boolean {
    const run = this.#recorder.run(ended.runId);
    if (!run) throw new Error(`run ${ended.runId} does not exist`);
    const end = !keepRun && run.endedAt === null && endsWithCall(run) ? this.#runEnd(closing) : null;
    const written = this.#recorder.append(ended.runId, {
      ...step,
      events: [...step.events, this.#outcome(ended), ...(end ? [this.#runEnded(end)] : [])],
      call: { row: ended, isNew: false, result: closing.texts },
      ...(end ? { run: end } : !keepRun && run.endedAt === null && run.state !== 'running' && this.#runState(run, ended) === 'running' ? { run: { state: 'running' as const } } : {}),
    });
    if (written) this.#tell(ended, closing.result);
    return written;
  }

  /** A run waits for its person as long as one of its calls does. */
  #runState(run: Run | null, row: InvocationRow): 'running' | 'awaiting_approval' {
    if (row.state === 'awaiting_approval') return 'awaiting_approval';
    return run?.state === 'awaiting_approval' && this.#waits(run.id, row.id) ? 'awaiting_approval' : 'running';
  }

  #started(run: Run): NewEvent {
    return { type: 'run.started', invocationId: null, data: { kind: run.kind, title: run.title, principal: run.principal, via: run.via, traceId: run.traceId, startedAt: run.startedAt } };
  }

  #runEnd(closing: Closing): RunEnd {
    return { state: closing.state, code: closing.fault?.code ?? null, endedAt: this.#clock.now() };
  }

  #runEnded(end: RunEnd): NewEvent {
    return { type: 'run.ended', invocationId: null, data: { ...end } };
  }

  #ended(row: InvocationRow, closing: Closing): InvocationRow {
    const { state, stage, grounded } = closing;
    const f = closing.fault === null ? null : (this.#filter.value(closing.fault).value as NonNullable<InvocationRow['fault']>);
    return { ...row, state, stage, grounded, class: closing.class, code: f?.code ?? null, fault: f, endedAt: this.#clock.now() };
  }

  #outcome(row: InvocationRow): NewEvent {
    const durationMs = row.startedAt === null || row.endedAt === null ? undefined : row.endedAt - row.startedAt;
    const f = row.fault;
    const text = faultText(row);
    const data = { state: row.state, code: row.code, class: row.class, stage: row.stage, grounded: row.grounded, startedAt: row.startedAt, endedAt: row.endedAt, durationMs, waitedMs: row.waitedMs, faultSha256: text === null ? null : sha256(text), message: f?.message, field: f?.field, mayHaveRun: f?.details?.['mayHaveRun'] };
    return { type: 'call.outcome', invocationId: row.id, data };
  }

  /** Tells the windows of a row that another part has changed. */
  tell(row: InvocationRow): void {
    this.#tell(row, null);
  }

  #tell(row: InvocationRow, result: CallResult | null): void {
    this.#bus.emitSoon('invocation:changed', () => {
      const invocation = invocationWithoutResult(row);
      return { invocation: result === null ? invocation : { ...invocation, result } };
    });
  }
}
