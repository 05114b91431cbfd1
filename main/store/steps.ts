import { z } from 'zod';
import type { Run } from '../../shared/run.ts';
import { countIn } from './count-row.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { assertPlace, insertEvents } from './events.ts';
import type { NewEventRow } from './events.ts';
import { callMoves, callValues, insertCall, moveCall } from './invocations.ts';
import type { InvocationRow, ResultTexts } from './invocations.ts';
import { insertRun, moveRun, runMoves, runNumber, runValues } from './runs.ts';
import { storeFault } from './store-fault.ts';

/** The call that a step opens or moves. */
export interface StepCall {
  readonly row: InvocationRow;
  readonly isNew: boolean;
  /** null leaves the stored result alone */
  readonly result: ResultTexts | null;
}

/** What one transaction writes of a run: its events, the run as it is after them, and the call that they prove. */
export interface RunRows {
  readonly run: Run;
  readonly isNew: boolean;
  readonly call: StepCall | null;
  readonly events: readonly NewEventRow[];
}

const Values = z.array(z.union([z.string(), z.number(), z.null()]));
const EventHead = z.tuple([z.number(), z.string(), z.number(), z.string(), z.string().nullable()]);

/**
 * The first line of a folded step: values in the order of the statements that take them. The data of each event and then the result follow, a line each, as
 * they are: JSON text holds no line break. What changes the order of the values takes another number and goes on reading this one.
 */
const Head = z.object({ v: z.literal(1), runId: z.string(), newRun: Values.nullable(), run: Values.nullable(), newCall: Values.nullable(), call: Values.nullable(), hasResult: z.boolean(), events: z.array(EventHead) });

/** Characters of a folded step: larger ones gain nothing by it. */
const MOST_CHARACTERS = 16_384;
/** Slots of the ring. */
export const STEP_SLOTS = 256;

type StepValues = Pick<z.infer<typeof Head>, 'runId' | 'newRun' | 'run' | 'newCall' | 'call'>;

const valuesOf = ({ run, isNew, call }: RunRows): StepValues => ({
  runId: run.id,
  newRun: isNew ? runValues(run) : null,
  run: isNew ? null : runMoves(run),
  newCall: call?.isNew ? callValues(call.row) : null,
  call: call && !call.isNew ? callMoves(call.row) : null,
});

/** The step as one text, or null where it is too large to be folded. Throws as assertPlace. */
export const foldedText = (rows: RunRows): string | null => {
  const { call, events } = rows;
  const result = call?.result ?? null;
  if (result !== null && (typeof result.text !== 'string' || result.preview !== null || result.text.length > MOST_CHARACTERS || result.text.includes('\n'))) return null;
  if ((call?.row.frozenInput?.length ?? 0) > MOST_CHARACTERS) return null;
  const head: z.input<typeof Head> = {
    v: 1,
    ...valuesOf(rows),
    hasResult: result !== null,
    events: events.map((e) => [e.seq, e.hash, e.at, e.type, e.invocation_id]),
  };
  let text = JSON.stringify(head);
  for (const event of events) {
    assertPlace(event.seq);
    text += `\n${event.data_json}`;
  }
  if (result !== null) text += `\n${String(result.text)}`;
  return text.length > MOST_CHARACTERS ? null : text;
};

const writeValues = (db: WriteDb, step: StepValues, result: ResultTexts | null, events: readonly NewEventRow[], beside?: (db: WriteDb) => void): void => {
  const n = step.newRun ? insertRun(db, step.newRun) : runNumber(db, step.runId);
  if (n === null) throw new Error(`run ${step.runId} does not exist`);
  if (step.newCall) insertCall(db, step.newCall);
  if (step.call) moveCall(db, step.call, result);
  beside?.(db);
  insertEvents(db, n, events);
  if (step.run) moveRun(db, n, step.run);
};

/** Writes the rows themselves; `beside` writes further ones that hang on them. Throws when the run is not there. */
export const writeRows = (db: WriteDb, rows: RunRows, beside?: (db: WriteDb) => void): void => writeValues(db, valuesOf(rows), rows.call?.result ?? null, rows.events, beside);

const writeFolded = (db: WriteDb, text: string): void => {
  const lines = text.split('\n');
  const step = Head.parse(JSON.parse(lines[0] ?? ''));
  if (lines.length !== 1 + step.events.length + (step.hasResult ? 1 : 0)) throw new Error('the step has not the lines that it names');
  const events = step.events.map(([seq, hash, at, type, invocation_id], i) => ({ seq, hash, at, type, invocation_id, data_json: lines[i + 1]! }));
  writeValues(db, step, step.hasResult ? { text: lines.at(-1)!, preview: null } : null, events);
};

/** `seq` follows the last one; the slot it takes has been taken over. */
export const insertStep = (db: WriteDb, seq: number, runId: string, text: string): void => {
  db.run('INSERT OR REPLACE INTO steps (slot, seq, run_id, step_text) VALUES (?,?,?,?)', [seq % STEP_SLOTS, seq, runId, text]);
};

const Ends = z.object({ done: z.number(), last: z.number() });
/** Numbers of the last step that has been taken over, and of the last one. */
export type StepEnds = Readonly<z.infer<typeof Ends>>;

/** False before the migration that made the table. */
export const hasSteps = (db: ReadDb): boolean => db.get("SELECT 1 FROM sqlite_schema WHERE name = 'steps'") !== undefined;

export const stepEnds = (db: ReadDb): StepEnds => Ends.parse(db.get('SELECT done, max(done, coalesce((SELECT max(seq) FROM steps), 0)) AS last FROM (SELECT coalesce((SELECT seq FROM steps_done), 0) AS done)'));

const Waiting = z.object({ seq: z.number(), run_id: z.string(), step_text: z.string() });

/**
 * Takes every step into its tables, in order. One that they do not take (its run was changed by hand, say) is kept in `steps_refused` with the reason and
 * keeps no other from being taken. Returns how many were refused. Throws what a disk throws.
 */
export const takeOver = (db: WriteDb): number => {
  const { done, last } = stepEnds(db);
  let refused = 0;
  const waiting = db.all('SELECT seq, run_id, step_text FROM steps WHERE seq > ? ORDER BY seq', [done]);
  for (const raw of waiting) {
    const { seq, run_id, step_text } = Waiting.parse(raw);
    db.run('SAVEPOINT step');
    try {
      writeFolded(db, step_text);
    } catch (error) {
      if (storeFault(error)) throw error;
      db.run('ROLLBACK TO step');
      const reason = error instanceof Error ? error.message : String(error);
      db.run('INSERT OR REPLACE INTO steps_refused (seq, run_id, step_text, reason) VALUES (?,?,?,?)', [seq, run_id, step_text, reason.slice(0, 1000)]);
      refused += 1;
    }
    db.run('RELEASE step');
  }
  if (last > done) db.run('INSERT OR REPLACE INTO steps_done (id, seq) VALUES (1, ?)', [last]);
  return refused;
};

/** Steps of a run that the tables did not take. */
export const countRefusedSteps = (db: ReadDb, runId: string): number => countIn(db.get('SELECT count(*) AS n FROM steps_refused WHERE run_id = ?', [runId]));

/** What is left of a deleted run: its steps were taken over, and their slots not used again yet. */
export const deleteSteps = (db: WriteDb, runId: string): void => {
  db.run('DELETE FROM steps WHERE run_id = ?', [runId]);
  db.run('DELETE FROM steps_refused WHERE run_id = ?', [runId]);
};
