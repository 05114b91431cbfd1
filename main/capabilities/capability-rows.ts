import type { CapabilityRow } from '../../shared/capability.ts';
import type { AccessPreview, CapabilityFilter } from '../../shared/capability-list.ts';
import type { CapabilityStanding } from '../../shared/capability-standings.ts';
import type { Tier } from '../../shared/tier.ts';
import { mayBeAllowed } from './access.ts';
import type { CapabilityIndex, Entry } from './capability-index.ts';
import { lastReviewedFields } from './capability-view.ts';

export interface RowsQuery extends CapabilityFilter {
  readonly order: 'registered' | 'name';
  readonly offset: number;
  readonly limit: number;
}
export interface RowsPage {
  readonly rows: CapabilityRow[];
  readonly total: number;
  readonly of: number;
  readonly toReview: number;
  readonly allowable: number;
  readonly allowed: number;
}
type ReasonOf = (entry: Entry) => string | null;

const DESCRIPTION_CHARS = 1_000;

/** One page of what fits; only the rows of that page are made. */
export const rowsOf = (entries: Iterable<Entry>, query: RowsQuery, index: CapabilityIndex, reasonOf: ReasonOf): RowsPage => {
  const fits = fitting(query, index, reasonOf);
  const counts = { of: 0, toReview: 0, allowable: 0, allowed: 0 };
  const found: Entry[] = [];
  for (const entry of entries) {
    counts.of += 1;
    if (index.standing(entry).needsReview) counts.toReview += 1;
    if (!fits(entry)) continue;
    found.push(entry);
    if (index.isGranted(entry, query.principal)) counts.allowed += 1;
    else if (mayBeAllowed(entry, index)) counts.allowable += 1;
  }
  if (query.order === 'name') found.sort(byName);
  return { rows: found.slice(query.offset, query.offset + query.limit).map((entry) => rowOf(entry, index, reasonOf(entry))), total: found.length, ...counts };
};

/** What a bulk change of all that fits would move, by tier. */
export const accessPreview = (entries: Iterable<Entry>, query: CapabilityFilter & { readonly allowed: boolean }, index: CapabilityIndex, reasonOf: ReasonOf): AccessPreview => {
  const fits = fitting(query, index, reasonOf);
  const capabilityIds: string[] = [];
  const byTier: Record<Tier, number> = { read_only: 0, low_write: 0, high_write: 0, unknown: 0 };
  let leftOut = 0;
  for (const entry of entries) {
    if (!fits(entry)) continue;
    const granted = index.isGranted(entry, query.principal);
    const may = mayBeAllowed(entry, index);
    if (query.allowed && !may) leftOut += 1;
    if (query.allowed ? granted || !may : !granted) continue;
    capabilityIds.push(entry.row.id);
    byTier[index.standing(entry).tier] += 1;
  }
  return { capabilityIds, byTier, leftOut };
};

const KINDS = { tool: 0, resource: 1, prompt: 2 } as const;
const byName = ({ row: a }: Entry, { row: b }: Entry): number => KINDS[a.kind] - KINDS[b.kind] || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1);

const fitting = (query: CapabilityFilter, index: CapabilityIndex, reasonOf: ReasonOf): ((entry: Entry) => boolean) => {
  const words = (query.words ?? '').toLowerCase().split(/\s+/).filter((word) => word !== '');
  return (entry) => {
    const standing = index.standing(entry);
    if (query.needsReview !== undefined && standing.needsReview !== query.needsReview) return false;
    if (query.kind !== undefined && entry.row.kind !== query.kind) return false;
    if (query.tier !== undefined && standing.tier !== query.tier) return false;
    if (query.standing !== undefined && !stands(entry, query.standing, query.principal, index, reasonOf)) return false;
    if (words.length === 0) return true;
    const { title = '', description = '' } = entry.stored.definition;
    const text = `${entry.row.id} ${title} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
};

const stands = (entry: Entry, standing: CapabilityStanding, principal: string, index: CapabilityIndex, reasonOf: ReasonOf): boolean => {
  switch (standing) {
    case 'allowed':
      return index.isGranted(entry, principal);
    case 'not_allowed':
      return !index.isGranted(entry, principal);
    case 'needs_review':
      return index.standing(entry).needsReview;
    case 'changed':
      return lastReviewedFields(entry, index).length > 0;
    case 'unavailable':
      return reasonOf(entry) !== null;
    case 'flagged':
      return entry.row.flags.length + index.nameClashes(entry).length > 0;
    default:
      return entry.stored.schemaState.state === standing;
  }
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
