import { z } from 'zod';
import { MarketEntrySchema } from '../market.ts';
import { request } from './define.ts';

export const marketRequests = {
  'market:search': request('read', z.object({ query: z.string().default('') }), z.object({ entries: z.array(MarketEntrySchema) })),
  'market:get': request('read', z.object({ entryId: z.string() }), z.object({ entry: MarketEntrySchema })),
} as const;
