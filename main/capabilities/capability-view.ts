import type { Capability, CapabilityDetail } from '../../shared/capability.ts';
import type { CapabilityIndex, Entry } from './capability-index.ts';
import { definitionChanges } from './definition-changes.ts';
import { inputSchemaOf } from './input-schema.ts';
import type { ReviewRow } from '../store/reviews.ts';
import { keyFieldsOf } from './key-fields.ts';
import type { Standing } from './standing.ts';

/** The last definition that a person reviewed, when it is not the present one and the present one was not reviewed. */
const lastReviewed = (entry: Entry, index: CapabilityIndex): ReviewRow | null => {
  if (index.standing(entry).review) return null;
  return index.reviewsOf(entry.row.id).at(-1) ?? null;
};

const changesOf = (entry: Entry, index: CapabilityIndex) => {
  const reviewed = lastReviewed(entry, index);
  const previous = reviewed ? index.definition(reviewed.definitionFingerprint) : undefined;
  return { previous, changes: previous ? definitionChanges(previous.definition, entry.stored.definition) : [] };
};

/** Fields that differ from the last reviewed definition. */
export const lastReviewedFields = (entry: Entry, index: CapabilityIndex): string[] => (lastReviewed(entry, index) ? changesOf(entry, index).changes.map((change) => change.field) : []);

const timingOf = ({ callClass, idempotency }: Standing): Pick<Capability, 'callClass' | 'idempotency'> => ({ ...(callClass === null ? {} : { callClass }), ...(idempotency === null ? {} : { idempotency }) });

/** A capability as the contract shows it. `unavailableReason`: null when it can be called now. */
export const capabilityView = (entry: Entry, index: CapabilityIndex, unavailableReason: string | null): Capability => {
  const { row, stored } = entry;
  const standing = index.standing(entry);
  const clashes = index.nameClashes(entry);
  const { title, description } = stored.definition;
  return {
    id: row.id,
    serverId: row.serverId,
    kind: row.kind,
    name: row.name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    definitionFingerprint: row.definitionFingerprint,
    bindingFingerprint: index.bindingFingerprint(entry),
    schemaState: stored.schemaState.state,
    schemaDetail: stored.schemaState,
    tier: standing.tier,
    tierSource: standing.tierSource,
    ...timingOf(standing),
    admitted: standing.admitted,
    needsReview: standing.needsReview,
    changedFields: lastReviewedFields(entry, index),
    grantedTo: index.grantedTo(entry),
    available: unavailableReason === null,
    ...(unavailableReason === null ? {} : { unavailableReason }),
    flags: clashes.length > 0 ? [...row.flags, ...clashes] : [...row.flags],
    firstSeenAt: row.firstSeenAt,
    lastSeenAt: row.lastSeenAt,
  };
};

export const capabilityDetail = (entry: Entry, index: CapabilityIndex, unavailableReason: string | null): CapabilityDetail => {
  const standing = index.standing(entry);
  const { previous, changes } = changesOf(entry, index);
  const catalog = standing.review === null && standing.admitted;
  const purpose = standing.purpose === undefined ? {} : { purpose: standing.purpose };
  const review = standing.review
    ? { tier: standing.tier, admit: standing.review.admit, ...purpose, ...timingOf(standing), by: standing.review.reviewedBy, at: standing.review.at, definitionFingerprint: entry.row.definitionFingerprint }
    : catalog
      ? { tier: standing.tier, admit: true, ...purpose, by: 'catalog', at: entry.row.firstSeenAt, definitionFingerprint: entry.row.definitionFingerprint }
      : null;
  const { kind } = entry.row;
  const { definition } = entry.stored;
  return { ...capabilityView(entry, index, unavailableReason), definition, inputSchema: inputSchemaOf(kind, definition), review, keyFields: kind === 'tool' ? keyFieldsOf(definition.inputSchema) : [], previousDefinition: previous?.definition ?? null, changes: [...changes] };
};
