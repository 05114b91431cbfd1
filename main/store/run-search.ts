import { z } from 'zod';
import type { Run } from '../../shared/run.ts';
import { type RunFilter } from '../../shared/run-list.ts';
import { RUN_STANDINGS, STANDING_CODES, type RunCounts, type RunStanding } from '../../shared/run-standings.ts';
import { foldText } from './fold-text.ts';
import { countIn } from './count-row.ts';
import type { ReadDb } from './database.ts';
import { readableRows } from './readable-rows.ts';
import { toRun } from './runs.ts';

/** Runs of a filter, newest first: `offset` to pass over, none newer than `upTo` (an id; absent: up to the newest there is). */
export interface RunQuery extends RunFilter {
  readonly limit: number;
  readonly offset: number;
  readonly upTo?: string | undefined;
  /** ids below it: see idsBefore */
  readonly beforeId?: string | undefined;
  /** ids from it on: of `from` and `to` */
  readonly fromId?: string | undefined;
  readonly toId?: string | undefined;
}

export interface FoundRuns {
  readonly runs: readonly Run[];
  readonly found: number;
  readonly total: number;
  readonly upTo: string;
  readonly counts: RunCounts;
}

interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

const marks = (list: readonly unknown[]): string => list.map(() => '?').join(', ');

const endedSo = (codes: readonly string[]): Condition => ({ sql: `id IN (SELECT run_id FROM invocations WHERE state = 'failed' AND code IN (${marks(codes)}))`, values: codes });
const standingCondition = (standing: RunStanding): Condition =>
  standing === 'denied' || standing === 'unclear' ? endedSo(STANDING_CODES[standing]) : { sql: 'state = ?', values: [standing] };

const wordCondition = (word: string): Condition => ({
  sql: '(instr(fold_text(title), ?) OR instr(fold_text(id), ?) OR instr(fold_text(trace_id), ?) OR id IN (SELECT run_id FROM invocations WHERE instr(fold_text(capability_id), ?)))',
  values: Array<string>(4).fill(foldText(word)),
});

/** Most words that are looked for: what is typed beyond them narrows nothing. */
const MOST_WORDS = 8;

const conditionsOf = (query: RunQuery): Condition[] => {
  const out: Condition[] = [];
  if (query.upTo !== undefined) out.push({ sql: 'id <= ?', values: [query.upTo] });
  if (query.beforeId !== undefined) out.push({ sql: 'id < ?', values: [query.beforeId] });
  if (query.fromId !== undefined) out.push({ sql: 'id >= ?', values: [query.fromId] });
  if (query.toId !== undefined) out.push({ sql: 'id < ?', values: [query.toId] });
  if (query.capabilityId !== undefined) out.push({ sql: 'id IN (SELECT run_id FROM invocations WHERE capability_id = ?)', values: [query.capabilityId] });
  else if (query.serverId !== undefined) out.push({ sql: 'id IN (SELECT run_id FROM invocations WHERE capability_id >= ? AND capability_id < ?)', values: [`mcp:${query.serverId}:`, `mcp:${query.serverId};`] });
  for (const word of (query.words ?? '').split(/\s+/).filter((one) => one !== '').slice(0, MOST_WORDS)) out.push(wordCondition(word));
  return out;
};

const where = (conditions: readonly Condition[]): { readonly sql: string; readonly values: (string | number)[] } => ({
  sql: conditions.length === 0 ? '' : ` WHERE ${conditions.map((one) => one.sql).join(' AND ')}`,
  values: conditions.flatMap((one) => [...one.values]),
});

const NewestRow = z.object({ id: z.string().nullable() });
const CountsRow = z.record(z.string(), z.number().nullable());

/** SQL and values of the page, for searchRuns and for the test of its plan. */
export const runPageSql = (query: RunQuery): { readonly sql: string; readonly values: (string | number)[] } => {
  const all = where([...conditionsOf(query), ...(query.standing === undefined ? [] : [standingCondition(query.standing)])]);
  return { sql: `SELECT * FROM runs${all.sql} ORDER BY id DESC LIMIT ? OFFSET ?`, values: [...all.values, query.limit, query.offset] };
};

/** Looks through all runs where a word is looked for: not for the host's own thread. */
export const searchRuns = (db: ReadDb, query: RunQuery): FoundRuns => {
  const upTo = query.upTo ?? NewestRow.parse(db.get('SELECT max(id) AS id FROM runs')).id ?? '';
  const page = runPageSql({ ...query, upTo });
  const others = where(conditionsOf({ ...query, upTo }));
  const standings = RUN_STANDINGS.map(standingCondition);
  const row = CountsRow.parse(
    db.get(`SELECT count(*) AS fit, ${standings.map(({ sql }, at) => `sum(${sql}) AS n${at}`).join(', ')} FROM runs${others.sql}`, [...standings.flatMap(({ values }) => [...values]), ...others.values]),
  );
  const counts = Object.fromEntries(RUN_STANDINGS.map((standing, at) => [standing, row[`n${at}`] ?? 0])) as unknown as RunCounts;
  return {
    runs: readableRows(db.all(page.sql, page.values), toRun),
    found: query.standing === undefined ? (row['fit'] ?? 0) : counts[query.standing],
    total: countIn(db.get('SELECT count(*) AS n FROM runs WHERE id <= ?', [upTo])),
    upTo,
    counts,
  };
};
