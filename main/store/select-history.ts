import { z } from 'zod';
import type { HistoryPreview } from '../../shared/history.ts';
import type { ReadDb } from './database.ts';

/** `runIds` null: all. `before`: began before, ms since epoch. */
export interface HistoryBounds {
  readonly runIds: readonly string[] | null;
  readonly before: number;
}

export interface SelectedRun {
  readonly runId: string;
  readonly events: number;
  readonly calls: number;
  readonly resultBytes: number;
  readonly outcomeUnknown: boolean;
}

export interface SelectedHistory {
  /** oldest first */
  readonly runs: readonly SelectedRun[];
  readonly preview: HistoryPreview;
  /** of `runIds`: those that are no run */
  readonly absent: readonly string[];
}

const RunRow = z.object({ id: z.string(), kind: z.string(), title: z.string(), state: z.string(), code: z.string().nullable(), started_at: z.number(), event_count: z.number() });
const CallsRow = z.object({ run_id: z.string(), calls: z.number(), bytes: z.number().nullable(), unknown: z.number().nullable() });

const MOST_SHOWN = 100;

/** Walks through all runs and calls: for a thread of its own. */
export const selectHistory = (db: ReadDb, { runIds, before }: HistoryBounds, includeOutcomeUnknown: boolean): SelectedHistory => {
  const wanted = runIds === null ? null : new Set(runIds);
  const rows = db.all('SELECT id, kind, title, state, code, started_at, event_count FROM runs WHERE started_at < ? ORDER BY id', [before]).map((raw) => RunRow.parse(raw)).filter((row) => wanted?.has(row.id) ?? true);
  const calls = new Map(
    db
      .all("SELECT run_id, count(*) AS calls, sum(octet_length(result_json)) AS bytes, sum(code = 'outcome_unknown') AS unknown FROM invocations GROUP BY run_id")
      .map((raw) => CallsRow.parse(raw))
      .map((row) => [row.run_id, row]),
  );
  const open = new Set(rows.filter((row) => row.state === 'running' || row.state === 'awaiting_approval'));
  const records = new Set(rows.filter((row) => row.kind === 'host' && !open.has(row)));
  const ended = rows.filter((row) => !open.has(row) && !records.has(row)).map((row) => {
    const own = calls.get(row.id);
    return { row, runId: row.id, events: row.event_count, calls: own?.calls ?? 0, resultBytes: own?.bytes ?? 0, outcomeUnknown: row.code === 'outcome_unknown' || (own?.unknown ?? 0) > 0 };
  });
  const there = new Set(rows.map((row) => row.id));
  const unknown = ended.filter((one) => one.outcomeUnknown);
  const runs = ended.filter((one) => includeOutcomeUnknown || !one.outcomeUnknown);
  const sum = (of: (one: SelectedRun) => number): number => runs.reduce((total, one) => total + of(one), 0);
  const starts = runs.map((one) => one.row.started_at);
  return {
    runs: runs.map(({ row: _row, ...one }) => one),
    preview: {
      runs: runs.length,
      events: sum((one) => one.events),
      calls: sum((one) => one.calls),
      resultBytes: sum((one) => one.resultBytes),
      oldestAt: starts.reduce<number | null>((least, at) => (least === null || at < least ? at : least), null),
      newestAt: starts.reduce<number | null>((most, at) => (most === null || at > most ? at : most), null),
      kept: {
        open: open.size,
        records: records.size,
        outcomeUnknown: includeOutcomeUnknown ? 0 : unknown.length,
        outcomeUnknownRuns: unknown.slice(-MOST_SHOWN).toReversed().map(({ row }) => ({ runId: row.id, title: row.title, startedAt: row.started_at })),
      },
    },
    absent: runIds === null ? [] : runIds.filter((id) => !there.has(id)),
  };
};
