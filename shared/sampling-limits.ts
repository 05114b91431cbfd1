import { z } from 'zod';

/**
 * What servers may take of the person's models together with their consent to each request. `maxTokens`: of one reply; a server that wants fewer gets fewer. The others hold
 * for one server: in one run, and in any 24 hours; tokens in and out together.
 */
export const SamplingLimitsSchema = z.object({
  maxTokens: z.number().int().min(16).max(1_000_000),
  runRequests: z.number().int().min(0).max(10_000),
  runTokens: z.number().int().min(0).max(1_000_000_000),
  dayRequests: z.number().int().min(0).max(100_000),
  dayTokens: z.number().int().min(0).max(1_000_000_000),
});
export type SamplingLimits = z.infer<typeof SamplingLimitsSchema>;
export const SAMPLING_LIMIT_NAMES = ['maxTokens', 'runRequests', 'runTokens', 'dayRequests', 'dayTokens'] as const satisfies readonly (keyof SamplingLimits)[];
export const DEFAULT_SAMPLING_LIMITS: SamplingLimits = { maxTokens: 4_096, runRequests: 10, runTokens: 200_000, dayRequests: 100, dayTokens: 1_000_000 };
