import { z } from 'zod';
import { MarketEntrySchema, PreflightSchema } from '../market.ts';
import { MarketAmountsSchema, MarketCardSchema, MarketQuestionSchema } from '../market-view.ts';
import { ObservedSchema } from '../market-observed.ts';
import { request } from './define.ts';

export const marketRequests = {
  /** Whole entries; all that are found where no limit is given. */
  'market:search': request('read', MarketQuestionSchema.extend({ limit: z.number().int().min(1).max(1000).optional() }), MarketAmountsSchema.extend({ entries: z.array(MarketEntrySchema) })),
  /** The same question, answered with what the list draws: asked at every key stroke. */
  'market:browse': request('read', MarketQuestionSchema.extend({ limit: z.number().int().min(1).max(200).default(60) }), MarketAmountsSchema.extend({ cards: z.array(MarketCardSchema) })),
  /** `observed` is what its tools/list said to us, or null; `preflight` is null where nothing has to be there before. */
  'market:get': request('read', z.object({ entryId: z.string() }), z.object({ entry: MarketEntrySchema, observed: ObservedSchema.nullable(), preflight: PreflightSchema.nullable() })),
} as const;
