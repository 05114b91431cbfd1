import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { DeletedRun, HistoryDeleted, HistoryPreview, HistorySelect } from '../../shared/history.ts';
import { USER, type Via } from '../../shared/principal.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Bus } from '../bus.ts';
import type { CallLine } from '../calls/run-call.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { SqliteStore } from '../store/database.ts';
import { deleteRunSlice } from '../store/delete-run.ts';
import { getDeletedRun, halfDeletedRuns, insertDeletedRun } from '../store/deleted-runs.ts';
import { getRun } from '../store/runs.ts';
import type { SelectedHistory, SelectedRun } from '../store/select-history.ts';
import { storeFault } from '../store/store-fault.ts';
import type { TellProgress } from './data-jobs.ts';
import { runDataJob } from './run-data-job.ts';

export interface HistoryDeps {
  readonly store: SqliteStore;
  readonly line: Pick<CallLine, 'beginRun' | 'note' | 'endRun'>;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
  readonly keepDays: () => number;
  readonly onProgress: TellProgress;
  /** aborted when the host closes */
  readonly closing: AbortSignal;
}

const DAY_MS = 24 * 60 * 60_000;
/** What one transaction deletes: some 10 ms of the host's thread. */
const SLICE_EVENTS = 400;
const SLICE_BYTES = 4 * 2 ** 20;
const SHRINK_PAGES = 256;
const FIRST_RETENTION_MS = 60_000;

/** Who deletes: a person by a way in, or the retention of the settings. */
export type Deleter = { readonly by: Via } | { readonly by: 'host' };

/** Deletes ended runs for good, in slices between which calls go on; each leaves a row and an event in a run of the record. */
export class History {
  readonly #deps: HistoryDeps;
  #busy = false;
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<unknown> = Promise.resolve();

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
  }

  /** At start: ends deletions that were cut off, and looks once a day for what the retention lets go. */
  start(): void {
    this.#work = this.#finishHalfDone();
    this.#timer = setTimeout(() => void this.retain(), FIRST_RETENTION_MS).unref();
  }

  /** Resolves when nothing of it writes any more; `closing` has been aborted before. */
  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.#work;
  }

  /** Errors: not_found (`/select/runIds/<n>`), data_write_failed, cancelled. */
  async preview(select: HistorySelect): Promise<Result<HistoryPreview, Fault>> {
    const selected = await this.#select(select, false);
    return selected.ok ? ok(selected.value.preview) : selected;
  }

  /** Errors: those of preview, conflict, store_write_failed (what was deleted until then is on record). */
  async delete(select: HistorySelect, includeOutcomeUnknown: boolean, who: Deleter): Promise<Result<HistoryDeleted, Fault>> {
    if (this.#busy) return err(fault('conflict', 'History is being deleted already.', { remedy: 'Wait until it is done.', details: { state: 'deleting' } }));
    this.#busy = true;
    const work = this.#work.then(() => this.#run(select, includeOutcomeUnknown, who));
    this.#work = work;
    return work;
  }

  async #run(select: HistorySelect, includeOutcomeUnknown: boolean, who: Deleter): Promise<Result<HistoryDeleted, Fault>> {
    try {
      const selected = await this.#select(select, includeOutcomeUnknown);
      return selected.ok ? ok(await this.#deleteAll(selected.value, who)) : selected;
    } catch (error) {
      const known = storeFault(error);
      this.#deps.log.error('deleting history ended early', { reason: String(error) });
      return err(known ?? fault('internal', 'Deleting history failed inside Gantry; what was deleted until then is on record.'));
    } finally {
      this.#busy = false;
    }
  }

  /** Deletes what is older than the settings keep; nothing where they keep everything. */
  async retain(): Promise<Result<HistoryDeleted, Fault> | null> {
    const days = this.#deps.keepDays();
    this.#timer = setTimeout(() => void this.retain(), DAY_MS).unref();
    if (days === 0 || this.#deps.closing.aborted) return null;
    const done = await this.delete({ olderThanDays: days }, false, { by: 'host' });
    if (!done.ok) this.#deps.log.warn('history that is older than the settings keep could not be deleted', { fault: done.error });
    return done;
  }

  async #select(select: HistorySelect, includeOutcomeUnknown: boolean): Promise<Result<SelectedHistory, Fault>> {
    const { store, clock, closing } = this.#deps;
    const before = 'before' in select ? select.before : 'olderThanDays' in select ? clock.now() - select.olderThanDays * DAY_MS : Number.MAX_SAFE_INTEGER;
    const runIds = 'runIds' in select ? select.runIds : null;
    // the worker sees what is in the tables
    store.settle();
    const selected = await runDataJob('select_history', { path: store.path, bounds: { runIds, before }, includeOutcomeUnknown }, { signal: closing });
    if (!selected.ok || runIds === null || selected.value.absent.length === 0) return selected;
    const first = selected.value.absent[0]!;
    return err(fault('not_found', 'There is no such run.', { field: `/select/runIds/${runIds.indexOf(first)}`, remedy: 'It may have been deleted already; history:deleted lists those.' }));
  }

  async #deleteAll({ runs, preview }: SelectedHistory, who: Deleter): Promise<HistoryDeleted> {
    const { store, line, bus, closing, onProgress } = this.#deps;
    const beforeBytes = this.#fileBytes();
    const done = { runs: 0, events: 0, calls: 0 };
    const nothing = { ...done, recordRunId: null, beforeBytes, afterBytes: beforeBytes, whole: true, kept: preview.kept };
    if (runs.length === 0) return nothing;
    // before anything goes: the highest number of a run is never given twice
    const record = line.beginRun({ kind: 'host', title: 'history_deleted', principal: who.by === 'host' ? 'host' : USER, ...(who.by === 'host' ? {} : { via: who.by }) });
    let group: SelectedRun[] = [];
    let weight = 0;
    const flush = async (): Promise<void> => {
      const { deleted, unfinished } = this.#deleteGroup(group, record.id, who.by);
      for (const run of deleted) {
        while (unfinished.has(run.runId) && !store.write((db) => deleteRunSlice(db, run.runId, SLICE_EVENTS))) await nextTurn();
        done.runs += 1;
        done.events += run.eventCount;
        done.calls += run.calls;
      }
      group = [];
      weight = 0;
      onProgress('delete', done.runs, runs.length);
      await nextTurn();
    };
    for (const run of runs) {
      const heavy = run.events / SLICE_EVENTS + run.resultBytes / SLICE_BYTES;
      if (group.length > 0 && weight + heavy > 1) await flush();
      if (closing.aborted) break;
      group.push(run);
      weight += heavy;
    }
    if (group.length > 0 && !closing.aborted) await flush();
    const whole = !closing.aborted;
    line.endRun(record.id, whole ? { state: 'completed', code: null } : { state: 'failed', code: 'cancelled' });
    bus.emit('history:changed', {});
    if (whole) await this.#shrink();
    return { ...done, recordRunId: record.id, beforeBytes, afterBytes: this.#fileBytes(), whole, kept: preview.kept };
  }

  /** The record of a group, and of its small runs everything else too, in one transaction. A run that was opened or went meanwhile stays out. */
  #deleteGroup(group: readonly SelectedRun[], recordRun: string, by: string): { readonly deleted: readonly DeletedRun[]; readonly unfinished: ReadonlySet<string> } {
    const { store, line, clock } = this.#deps;
    const deletedAt = clock.now();
    const deleted = group.flatMap(({ runId, calls }): DeletedRun[] => {
      const run = store.read((db) => getRun(db, runId));
      if (!run || run.state === 'running' || run.state === 'awaiting_approval' || store.read((db) => getDeletedRun(db, runId))) return [];
      const { kind, state, code, startedAt, endedAt, eventCount, headHash } = run;
      return [{ runId, kind, state, code, startedAt, endedAt, eventCount, calls, headHash, deletedAt, deletedBy: by, recordRun }];
    });
    const events = deleted.map(({ recordRun: _own, state, code, ...data }) => ({ type: 'history.deleted' as const, invocationId: null, data: { ...data, runState: state, runCode: code } }));
    const unfinished = new Set<string>();
    line.note(recordRun, events, (db) => {
      for (const run of deleted) {
        insertDeletedRun(db, run);
        if (!deleteRunSlice(db, run.runId, SLICE_EVENTS)) unfinished.add(run.runId);
      }
    });
    return { deleted, unfinished };
  }

  async #finishHalfDone(): Promise<void> {
    const { store, log, closing } = this.#deps;
    try {
      for (const runId of store.read(halfDeletedRuns)) {
        while (!closing.aborted && !store.write((db) => deleteRunSlice(db, runId, SLICE_EVENTS))) await nextTurn();
      }
    } catch (error) {
      log.warn('a deletion that was cut off could not be ended; the next start tries again', { reason: String(error) });
    }
  }

  /** Gives unused pages back to the disk, and the log with them: what was deleted is in no file then. */
  async #shrink(): Promise<void> {
    const { store, closing, onProgress } = this.#deps;
    const total = store.unusedPages();
    for (let left = total; left > 0 && !closing.aborted; ) {
      const now = store.giveBack(SHRINK_PAGES);
      if (now >= left) break;
      left = now;
      onProgress('shrink', total - left, total);
      await nextTurn();
    }
    store.emptyLog();
  }

  #fileBytes(): number {
    return ['', '-wal'].reduce((sum, tail) => sum + (statSync(`${this.#deps.store.path}${tail}`, { throwIfNoEntry: false })?.size ?? 0), 0);
  }
}
