import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadStore } from '../store/read-only.ts';
import { eventRows } from '../store/events.ts';
import type { EventRow } from '../store/events.ts';
import { countRefusedSteps } from '../store/steps.ts';
import { storedRun } from '../store/stored-rows.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import { absentRun } from './absent-run.ts';
import { canonicalText } from './canonical.ts';
import { ChainClaims } from './chain-claims.ts';
import { FIRST_PREV_HASH, FIRST_SEQ, eventHash } from './chain.ts';
import { judgeRows } from './judge-rows.ts';
import type { BadPlace } from './judge-rows.ts';

export interface Verdict {
  readonly ok: boolean;
  /** the first row of the chain that does not hold, the place where one is missing, or the row and field beside the chain that is not what the chain says */
  readonly firstBad?: BadPlace;
  readonly events: number;
}

/** Rows a slice: about 5 ms, so that a long run never holds the host's thread. */
const SLICE = 500;

/** Canonical text of a stored text, or null where the text is not the canonical form that was hashed. */
const dataOf = (row: EventRow): string | null => {
  try {
    const text = canonicalText(JSON.parse(row.data_json));
    return text === row.data_json ? text : null;
  } catch {
    return null;
  }
};

const judgeRow = (row: EventRow, seq: number, prevHash: string): string | null => {
  if (row.seq !== seq) return `row ${seq} is missing`;
  const text = dataOf(row);
  if (text === null) return 'its data was edited';
  const hash = eventHash({ runId: row.run_id, seq: row.seq, prevHash, at: row.at, type: row.type, invocationId: row.invocation_id }, text);
  return hash === row.hash ? null : 'its hash does not match: it was edited, or the row before it was changed or moved';
};

/**
 * Recomputes the whole chain of a run, then compares every row beside it with what the chain says. Each slice is one snapshot with the head of that
 * moment, so that a run which goes on meanwhile is judged as far as it has come. Error: not_found.
 */
export const verifyRun = async (store: ReadStore, runId: string): Promise<Result<Verdict, Fault>> => {
  const claims = new ChainClaims(runId);
  let seq = FIRST_SEQ;
  let prevHash = FIRST_PREV_HASH;
  let events = 0;
  let after = Number.MIN_SAFE_INTEGER;
  let stray = false;
  const failed = (firstBad: BadPlace): Result<Verdict, Fault> => ok({ ok: false, firstBad, events });
  for (;;) {
    const verdict = store.read((db): Result<Verdict, Fault> | null => {
      const run = storedRun(db, runId);
      if (!run) return err(absentRun(db, runId));
      const count = Number(run['event_count']);
      const rows = eventRows(db, runId, after, SLICE);
      for (const row of rows) {
        after = row.seq;
        if (row.seq < FIRST_SEQ) {
          stray = true;
          continue;
        }
        if (row.seq > count && events === count) return failed({ seq: row.seq, reason: 'this row was added after the end of the chain' });
        const reason = judgeRow(row, seq, prevHash);
        if (reason !== null) return failed({ seq: row.seq === seq ? row.seq : seq, reason });
        claims.add(row);
        prevHash = row.hash;
        seq += 1;
        events += 1;
      }
      if (rows.length === SLICE) return null;
      if (events < count) return failed({ seq, reason: `the end of the chain is cut off: ${count} rows were written, ${events} are there` });
      if (prevHash !== run['head_hash']) return failed({ seq: seq - 1, reason: 'the head of the run does not match its last row' });
      if (stray) return failed({ seq: FIRST_SEQ, reason: 'a row stands before the first one, at a place that no writer gives' });
      if (countRefusedSteps(db, runId) > 0) return failed({ seq, reason: 'a step that was recorded could not be taken into the chain: a row was changed by hand before it' });
      const beside = judgeRows(db, runId, run, claims, seq - 1);
      return beside ? failed(beside) : ok({ ok: true, events });
    });
    if (verdict) return verdict;
    await nextTurn();
  }
};
