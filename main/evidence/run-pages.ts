import type { Invocation } from '../../shared/call.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { EvidenceEvent, Run } from '../../shared/run.ts';
import type { ParsedInputOf } from '../../shared/contract/contract.ts';
import { idsBefore } from '../ordered-id.ts';
import type { ReadStore } from '../store/read-only.ts';
import { eventPage, toEvent } from '../store/events.ts';
import { callFiguresOfRun, invocationsOfRun, placeOfCall } from '../store/invocations.ts';
import { searchRuns, type FoundRuns } from '../store/run-search.ts';
import { getRun } from '../store/runs.ts';
import { absentRun } from './absent-run.ts';
import { invocationWithoutResult } from './read-runs.ts';

/** A page of the runs that fit, with how many there are. Takes as long as there are runs: asked of the worker. */
export const runsThatFit = (store: ReadStore, query: ParsedInputOf<'runs:list'>): FoundRuns => {
  const { before, from, to } = query;
  return store.read((db) => searchRuns(db, { ...query, offset: query.offset ?? 0, beforeId: before === undefined ? undefined : idsBefore(before), fromId: from === undefined ? undefined : idsBefore(from), toId: to === undefined ? undefined : idsBefore(to) }));
};

export interface RunHead {
  readonly run: Run;
  readonly calls: number;
  readonly waitedMs: number;
  readonly unknown: number;
  readonly shown: string | null;
  readonly place: number | null;
}

/** Error: not_found. */
export const runHead = (store: ReadStore, { runId, invocationId }: ParsedInputOf<'runs:head'>): Result<RunHead, Fault> =>
  store.read((db) => {
    const run = getRun(db, runId);
    if (!run) return err(absentRun(db, runId));
    const figures = callFiguresOfRun(db, runId);
    const meant = invocationId ?? figures.shown;
    return ok({ run, ...figures, place: meant === null ? null : placeOfCall(db, runId, meant) });
  });

/** Calls with their events (what a model was told is read by `calls:told`, it may be long): each page can be shown by itself. Error: not_found. */
export const runCalls = (store: ReadStore, { runId, offset, limit }: ParsedInputOf<'runs:calls'>): Result<{ calls: Invocation[]; events: EvidenceEvent[]; total: number }, Fault> =>
  store.read((db) => {
    if (!getRun(db, runId)) return err(absentRun(db, runId));
    const rows = invocationsOfRun(db, runId, { offset, limit });
    const { rows: events } = eventPage(db, runId, { invocationIds: rows.map((row) => row.id), offset: 0, limit: -1 });
    return ok({ calls: rows.map(invocationWithoutResult), events: events.filter(({ type }) => type !== 'call.told').map(toEvent), total: callFiguresOfRun(db, runId).calls });
  });

/** Error: not_found. */
export const runEvents = (store: ReadStore, { runId, leaveOut = [], ...query }: ParsedInputOf<'runs:events'>): Result<{ events: EvidenceEvent[]; total: number }, Fault> =>
  store.read((db) => {
    if (!getRun(db, runId)) return err(absentRun(db, runId));
    const { rows, total } = eventPage(db, runId, query);
    const without = new Set(leaveOut);
    return ok({ events: rows.map(toEvent).map((event) => (without.size === 0 ? event : { ...event, data: Object.fromEntries(Object.entries(event.data).filter(([name]) => !without.has(name))) })), total });
  });
