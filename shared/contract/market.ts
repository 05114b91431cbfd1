import { z } from 'zod';
import { MarketEntrySchema, PreflightSchema } from '../market.ts';
import { ObservedSchema } from '../market-observed.ts';
import { request } from './define.ts';

export const marketRequests = {
  'market:search': request('read', z.object({ query: z.string().default('') }), z.object({ entries: z.array(MarketEntrySchema) })),
  /** `observed` is what its tools/list said to us, or null; `preflight` is null where nothing has to be there before. */
  'market:get': request('read', z.object({ entryId: z.string() }), z.object({ entry: MarketEntrySchema, observed: ObservedSchema.nullable(), preflight: PreflightSchema.nullable() })),
} as const;
