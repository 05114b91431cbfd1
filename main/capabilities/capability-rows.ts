import type { CapabilityRow } from '../../shared/capability.ts';
import type { Tier } from '../../shared/tier.ts';
import { lastReviewedFields } from './capability-view.ts';
import type { CapabilityIndex, Entry } from './capability-index.ts';

export interface RowsQuery {
  readonly needsReview?: boolean | undefined;
  readonly tier?: Tier | undefined;
  readonly words?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

const DESCRIPTION_CHARS = 1_000;

/** One page of what fits, in the registry's order; only the rows of that page are made. */
export const rowsOf = (entries: Iterable<Entry>, query: RowsQuery, index: CapabilityIndex, reasonOf: (entry: Entry) => string | null): { rows: CapabilityRow[]; total: number } => {
  const words = (query.words ?? '').toLowerCase().split(/\s+/).filter((word) => word !== '');
  const rows: CapabilityRow[] = [];
  let total = 0;
  for (const entry of entries) {
    if (!fits(entry, query, words, index)) continue;
    total += 1;
    if (total > query.offset && rows.length < query.limit) rows.push(rowOf(entry, index, reasonOf(entry)));
  }
  return { rows, total };
};

const fits = (entry: Entry, query: RowsQuery, words: readonly string[], index: CapabilityIndex): boolean => {
  const standing = index.standing(entry);
  if (query.needsReview !== undefined && standing.needsReview !== query.needsReview) return false;
  if (query.tier !== undefined && standing.tier !== query.tier) return false;
  if (words.length === 0) return true;
  const { title = '', description = '' } = entry.stored.definition;
  const text = `${entry.row.id} ${title} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

const rowOf = (entry: Entry, index: CapabilityIndex, unavailableReason: string | null): CapabilityRow => {
  const { row, stored } = entry;
  const { tier, admitted, needsReview } = index.standing(entry);
  const { title, description } = stored.definition;
  return {
    id: row.id,
    serverId: row.serverId,
    kind: row.kind,
    name: row.name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description: description.length > DESCRIPTION_CHARS ? description.slice(0, DESCRIPTION_CHARS).toWellFormed() : description }),
    schemaState: stored.schemaState.state,
    tier,
    admitted,
    needsReview,
    changedFields: lastReviewedFields(entry, index),
    grantedTo: index.grantedTo(entry),
    available: unavailableReason === null,
    ...(unavailableReason === null ? {} : { unavailableReason }),
    flagCount: row.flags.length + index.nameClashes(entry).length,
  };
};
