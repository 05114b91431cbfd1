import { z } from 'zod';
import { InstalledAppSchema, TextSchema, type MarketEntry } from './market.ts';
import { ENTRY_KINDS, MARKET_FACETS, MARKET_SORTS, type FacetName, type FacetValue } from './market-facets.ts';
import { TierSchema } from './tier-schema.ts';

const valuesOf = <F extends FacetName>(name: F) => z.array(z.enum(MARKET_FACETS[name] as unknown as readonly [FacetValue<F>, ...FacetValue<F>[]])).optional();
/** Ticked values: any of one facet, all facets together; none ticked lets all through. */
export const PickedFacetsSchema = z.strictObject({ kind: valuesOf('kind'), needs: valuesOf('needs'), standing: valuesOf('standing'), tier: valuesOf('tier'), presence: valuesOf('presence'), category: valuesOf('category') });
export type PickedFacets = z.infer<typeof PickedFacetsSchema>;

export const MarketQuestionSchema = z.object({
  query: z.string().default(''),
  facets: PickedFacetsSchema.default({}),
  sort: z.enum(MARKET_SORTS).default('best'),
  /** how many of the best to pass over: `nextCursor` of the answer before */
  cursor: z.number().int().min(0).default(0),
});
export type MarketQuestion = z.infer<typeof MarketQuestionSchema>;

/** Entries by facet value: of those that the query and every other facet let through. */
export const FacetCountsSchema = z.object({ kind: counts('kind'), needs: counts('needs'), standing: counts('standing'), tier: counts('tier'), presence: counts('presence'), category: counts('category') });
export type FacetCounts = z.infer<typeof FacetCountsSchema>;
function counts<F extends FacetName>(name: F) {
  return z.record(z.enum(MARKET_FACETS[name] as unknown as readonly [FacetValue<F>, ...FacetValue<F>[]]), z.number());
}

/** How much there is: in the catalog, of it reviewed, and of it found. `nextCursor` is null at the end. */
export const MarketAmountsSchema = z.object({ total: z.number(), reviewed: z.number(), found: z.number(), counts: FacetCountsSchema, nextCursor: z.number().nullable() });
export type MarketAmounts = z.infer<typeof MarketAmountsSchema>;

/** As much of an entry as the list draws. */
export const MarketCardSchema = z.object({
  id: z.string(),
  name: z.string(),
  publisher: z.string(),
  kind: z.enum(ENTRY_KINDS),
  description: TextSchema,
  highestTier: TierSchema,
  verified: z.boolean(),
  reviewed: z.boolean(),
  withdrawn: z.boolean(),
  /** the program that has to be there first and is not */
  missingProgram: z.string().nullable(),
  installed: z.array(InstalledAppSchema),
});
export type MarketCard = z.infer<typeof MarketCardSchema>;

/** What has to be given before it can start: a secret, another required value, or nothing. */
export const needOf = (entry: Pick<MarketEntry, 'inputs'>): FacetValue<'needs'> =>
  entry.inputs.some((input) => input.required && input.secret) ? 'key' : entry.inputs.some((input) => input.required && input.default === undefined) ? 'settings' : 'nothing';

/** A withdrawn entry is also what it was before. */
export const standingsOf = (entry: Pick<MarketEntry, 'reviewedTools' | 'verified' | 'withdrawn'>): readonly FacetValue<'standing'>[] => [
  entry.reviewedTools.length > 0 ? 'reviewed' : entry.verified ? 'connected' : 'unverified',
  ...(entry.withdrawn ? (['withdrawn'] as const) : []),
];
