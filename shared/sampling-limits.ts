/**
 * What servers may take of the person's models together with their consent to each request. `maxTokens`: of one reply; a server that wants fewer gets fewer. The others hold
 * for one server: in one run, and in any 24 hours; tokens in and out together.
 */
export interface SamplingLimits {
  readonly maxTokens: number;
  readonly runRequests: number;
  readonly runTokens: number;
  readonly dayRequests: number;
  readonly dayTokens: number;
}
export const SAMPLING_LIMIT_NAMES = ['maxTokens', 'runRequests', 'runTokens', 'dayRequests', 'dayTokens'] as const satisfies readonly (keyof SamplingLimits)[];
export const DEFAULT_SAMPLING_LIMITS: SamplingLimits = { maxTokens: 4_096, runRequests: 10, runTokens: 200_000, dayRequests: 100, dayTokens: 1_000_000 };
