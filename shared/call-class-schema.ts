import { z } from 'zod';
import { CALL_CLASSES, DEFAULT_CALL_LIMITS, LIMIT_BOUNDS, type LimitName } from './call-class.ts';

export const CallClassSchema = z.enum(CALL_CLASSES);

const bounded = (name: LimitName) => z.number().int().min(LIMIT_BOUNDS[name].min).max(LIMIT_BOUNDS[name].max);
const Limits = z.object({ timeoutMs: bounded('timeoutMs'), maxTotalMs: bounded('maxTotalMs') });

/** CallLimits within LIMIT_BOUNDS. */
export const CallLimitsSchema = z.object({
  read_only: Limits.extend({ moreAttempts: bounded('moreAttempts') }),
  slow_read: Limits,
  low_write: Limits,
  high_write: Limits,
  job_submission: Limits,
  // stored before there were tasks: without it
  job_status: Limits.extend({ pollEveryMs: bounded('pollEveryMs'), followMs: bounded('followMs').default(DEFAULT_CALL_LIMITS.job_status.followMs) }),
});
