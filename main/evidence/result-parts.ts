import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ReadStore } from '../store/read-only.ts';
import { isSameTalk } from '../store/agent-runs.ts';
import { getInvocation, resultSlice, storedResult } from '../store/invocations.ts';
import { readPart, type NoPart, type Part, type PartWanted } from './read-part.ts';

/** Of results of its own run, and of earlier questions of its conversation to the same profile: any other invocation is as good as none. */
export interface PartQuestion extends PartWanted {
  readonly runId: string;
  readonly invocationId: string;
}

export type PartAnswer =
  | { readonly state: 'no_result' }
  | ({ readonly state: 'no_part'; readonly capabilityId: string; readonly class: string; readonly isError: boolean } & NoPart)
  | { readonly state: 'part'; readonly part: Part; readonly capabilityId: string; readonly class: string; readonly isError: boolean; readonly grounded: boolean; readonly notes: readonly string[] };

export const partOfResult = (store: ReadStore, question: PartQuestion): PartAnswer =>
  store.read((db): PartAnswer => {
    const row = getInvocation(db, question.invocationId);
    const result = row === null || (row.runId !== question.runId && !isSameTalk(db, row.runId, question.runId)) ? null : storedResult(db, row.id);
    if (row === null || result === null) return { state: 'no_result' };
    const about = { capabilityId: row.capabilityId, class: row.class ?? '', isError: result.isError };
    const found = readPart(result, question);
    return 'missing' in found ? { state: 'no_part', ...about, ...found } : { state: 'part', ...about, part: found, grounded: row.grounded, notes: result.notes ?? [] };
  });

/** Characters of one slice on its way to a window. */
const SLICE = 1_000_000;

/** The stored text of a result, a slice at a time. Error: not_found. */
export const sliceOfResult = (store: ReadStore, invocationId: string, offset: number): Result<{ text: string; total: number; next: number | null }, Fault> => {
  const slice = store.read((db) => resultSlice(db, invocationId, offset, SLICE));
  if (slice === null) return err(fault('not_found', 'This call has no stored result.'));
  return ok({ ...slice, next: offset + SLICE < slice.total ? offset + SLICE : null });
};
