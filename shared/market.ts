import { z } from 'zod';
import { TierSchema } from './tier.ts';
import { ServerSpecSchema } from './server.ts';

const TextSchema = z.object({ en: z.string(), zh: z.string() });

/** One input an app asks for at installation. */
export const MarketInputSchema = z.object({
  target: z.enum(['arg', 'env', 'header']),
  name: z.string(),
  label: TextSchema,
  required: z.boolean(),
  secret: z.boolean(),
  format: z.enum(['string', 'number', 'boolean', 'directory', 'file', 'url']),
  repeated: z.boolean().default(false),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
});
export type MarketInput = z.infer<typeof MarketInputSchema>;

/** Discovery information only; grants nothing (design section 2). Stored as JSON under assets/catalog/, one file an entry. */
export const MarketEntrySchema = z.object({
  id: z.string().regex(/^[a-z0-9-]+$/),
  name: z.string(),
  publisher: z.string(),
  description: TextSchema,
  spec: ServerSpecSchema,
  inputs: z.array(MarketInputSchema),
  homepage: z.string().optional(),
  repository: z.string().optional(),
  licence: z.string().optional(),
  categories: z.array(z.string()),
  highestTier: TierSchema,
  verified: z.boolean(),
  source: z.string(),
  checkedAt: z.string(),
  reviewer: z.string(),
  /** our review: tier and purpose by exact tool name, bound to the definition it was made on when known */
  reviewedTools: z.array(z.object({ name: z.string(), tier: TierSchema, purpose: TextSchema, definitionFingerprint: z.string().optional() })),
  installedServerIds: z.array(z.string()).default([]),
});
export type MarketEntry = z.infer<typeof MarketEntrySchema>;
