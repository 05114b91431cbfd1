import type { ReadStore } from '../store/read-only.ts';
import { getInvocation, storedResult } from '../store/invocations.ts';
import { readPart, type NoPart, type Part, type PartWanted } from './read-part.ts';

/** Of a run's own results only: another run's invocation is as good as none. */
export interface PartQuestion extends PartWanted {
  readonly runId: string;
  readonly invocationId: string;
}

export type PartAnswer =
  | { readonly state: 'no_result' }
  | ({ readonly state: 'no_part'; readonly capabilityId: string; readonly class: string } & NoPart)
  | { readonly state: 'part'; readonly part: Part; readonly capabilityId: string; readonly class: string; readonly grounded: boolean; readonly notes: readonly string[] };

export const partOfResult = (store: ReadStore, question: PartQuestion): PartAnswer =>
  store.read((db): PartAnswer => {
    const row = getInvocation(db, question.invocationId);
    const result = row === null || row.runId !== question.runId ? null : storedResult(db, row.id);
    if (row === null || result === null) return { state: 'no_result' };
    const about = { capabilityId: row.capabilityId, class: row.class ?? '' };
    const found = readPart(result, question);
    return 'missing' in found ? { state: 'no_part', ...about, ...found } : { state: 'part', ...about, part: found, grounded: row.grounded, notes: result.notes ?? [] };
  });
