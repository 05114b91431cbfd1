import { z } from 'zod';

/** SamplingLimits within their bounds. */
export const SamplingLimitsSchema = z.object({
  maxTokens: z.number().int().min(16).max(1_000_000),
  runRequests: z.number().int().min(0).max(10_000),
  runTokens: z.number().int().min(0).max(1_000_000_000),
  dayRequests: z.number().int().min(0).max(100_000),
  dayTokens: z.number().int().min(0).max(1_000_000_000),
});
