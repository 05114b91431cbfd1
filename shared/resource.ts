import { z } from 'zod';

/** What a server would put into a field of a template or a prompt. `offered` false: it does not say. `hasMore`: there are others than these. */
export const CompletionSchema = z.object({ offered: z.boolean(), values: z.array(z.string()), total: z.number().optional(), hasMore: z.boolean() });
export type Completion = z.infer<typeof CompletionSchema>;

/** What is known of a resource beside its definition. */
export const ResourceStandingSchema = z.object({
  /** the server tells when a resource changes */
  offersWatch: z.boolean(),
  watched: z.boolean(),
  /** when the server last said that it changed, and how often it did since Gantry was started; null: it did not */
  updatedAt: z.number().nullable(),
  updates: z.number(),
});
export type ResourceStanding = z.infer<typeof ResourceStandingSchema>;
