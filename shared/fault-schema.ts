import { z } from 'zod';

/** A fault as it comes from another process. */
export const FaultSchema = z.object({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  remedy: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});
