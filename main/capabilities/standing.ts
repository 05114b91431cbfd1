import type { Capability } from '../../shared/capability.ts';
import type { CallClass } from '../../shared/call-class.ts';
import type { Idempotency } from '../../shared/idempotency.ts';
import type { Tier } from '../../shared/tier.ts';
import type { CapabilityRow } from '../store/capabilities.ts';
import type { StoredDefinition } from '../store/definitions.ts';
import type { ReviewRow } from '../store/reviews.ts';

/** The catalog's review of a tool by name; bound to one definition when it carries its fingerprint. */
export interface CatalogReview {
  readonly tier: Tier;
  readonly purpose: string | { readonly en: string; readonly zh: string };
  readonly definitionFingerprint?: string | undefined;
}

/** The catalog's reviews of one server's tools, by name. */
export type CatalogReviews = (toolName: string) => CatalogReview | null;

/** Where a definition stands: what follows from reviews alone, whoever asks. */
export interface Standing {
  readonly tier: Tier;
  readonly tierSource: Capability['tierSource'];
  readonly admitted: boolean;
  readonly needsReview: boolean;
  readonly purpose: string | undefined;
  readonly review: ReviewRow | null;
  /** as reviewed */
  readonly callClass: CallClass | null;
  readonly idempotency: Idempotency | null;
  /** part of the binding: another review, another version */
  readonly reviewVersion: string | null;
}

const purposeText = (purpose: CatalogReview['purpose']): string => (typeof purpose === 'string' ? purpose : purpose.en);

/** Reviews from before they said anything of time and repeats keep the version that they had. */
const timingVersion = ({ callClass, idempotency }: ReviewRow): string => (callClass === null && idempotency === null ? '' : `:${JSON.stringify([callClass, idempotency?.field ?? null, idempotency?.required ?? null])}`);

/** Hints may only raise (S12): destructive counts even beside readOnlyHint (C089); "not read only" lifts out of read only. Absent hints say nothing. */
const raisedByHints = (tier: Tier, annotations: Readonly<Record<string, unknown>> | undefined): Tier => {
  if (annotations?.['destructiveHint'] === true && (tier === 'read_only' || tier === 'low_write')) return 'high_write';
  if (annotations?.['readOnlyHint'] === false && tier === 'read_only') return 'low_write';
  return tier;
};

/**
 * A person's review of exactly this definition decides. Else the catalog's, as long as no person took the capability into their own hands: bound to
 * this definition, or unbound where nobody reviewed the capability before. Else unknown, which counts as high, and not admitted; resources and
 * prompts are read only by nature, and not admitted either.
 */
export const standingOf = (row: CapabilityRow, stored: StoredDefinition, reviews: readonly ReviewRow[], catalog: CatalogReview | null): Standing => {
  const review = reviews.find((r) => r.definitionFingerprint === row.definitionFingerprint) ?? null;
  const usable = stored.schemaState.state !== 'excluded';
  if (review) {
    return {
      tier: review.tier,
      tierSource: 'user',
      admitted: review.admit && usable,
      needsReview: false,
      purpose: review.purpose ?? undefined,
      review,
      callClass: review.callClass,
      idempotency: review.idempotency,
      reviewVersion: `user:${review.tier}:${review.admit ? 'admit' : 'refuse'}:${review.at}${timingVersion(review)}`,
    };
  }
  const refusedLast = reviews.at(-1)?.admit === false;
  const bound = catalog?.definitionFingerprint !== undefined;
  const applies = catalog !== null && (bound ? catalog.definitionFingerprint === row.definitionFingerprint && !refusedLast : reviews.length === 0);
  // reading a resource and getting a prompt change nothing by the protocol; that a server keeps to it is for a review
  const byNature: Tier = row.kind === 'tool' ? 'unknown' : 'read_only';
  if (!applies) return { tier: byNature, tierSource: 'default', admitted: false, needsReview: row.present && usable, purpose: undefined, review: null, callClass: null, idempotency: null, reviewVersion: null };
  const tier = raisedByHints(catalog.tier, stored.definition.annotations);
  return {
    tier,
    tierSource: tier === catalog.tier ? 'catalog' : 'annotation',
    admitted: usable,
    needsReview: false,
    purpose: purposeText(catalog.purpose),
    review: null,
    callClass: null,
    idempotency: null,
    reviewVersion: `catalog:${tier}`,
  };
};
