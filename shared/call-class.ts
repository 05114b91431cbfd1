import { mayHaveEffects, type Tier } from './tier.ts';

/** How long a use of a capability may take, and whether a read is tried again: a reviewed fact, or what follows from the tier. */
export const CALL_CLASSES = ['read_only', 'slow_read', 'low_write', 'high_write', 'job_submission', 'job_status'] as const;
export type CallClass = (typeof CALL_CLASSES)[number];

/** The classes that a review may name for a tier: what may have effects is never timed, or tried again, as a read. */
export const classesOf = (tier: Tier): readonly CallClass[] =>
  mayHaveEffects(tier) ? ['low_write', 'high_write', 'job_submission'] : ['read_only', 'slow_read', 'job_submission', 'job_status'];

const BY_TIER: Readonly<Record<Tier, CallClass>> = { read_only: 'read_only', low_write: 'low_write', high_write: 'high_write', unknown: 'high_write' };

/** The class in force: the reviewed one where the tier allows it. */
export const callClassOf = (tier: Tier, reviewed: CallClass | undefined): CallClass => (reviewed !== undefined && classesOf(tier).includes(reviewed) ? reviewed : BY_TIER[tier]);

/** What may be set, in ms; tries in number. */
export const LIMIT_BOUNDS = {
  timeoutMs: { min: 1_000, max: 600_000 },
  maxTotalMs: { min: 1_000, max: 3_600_000 },
  /** of the class read_only alone: no other is tried again by its class */
  moreAttempts: { min: 0, max: 2 },
  /** of the class job_status alone */
  pollEveryMs: { min: 2_000, max: 600_000 },
  /** of the class job_status alone: how long a task is followed that a server goes on with */
  followMs: { min: 10_000, max: 86_400_000 },
} as const;
export type LimitName = keyof typeof LIMIT_BOUNDS;

interface Limits {
  /** without an answer or progress */
  readonly timeoutMs: number;
  /** with any amount of progress, all tries together; not below timeoutMs */
  readonly maxTotalMs: number;
}
export interface CallLimits extends Readonly<Record<Exclude<CallClass, 'read_only' | 'job_status'>, Limits>> {
  readonly read_only: Limits & { readonly moreAttempts: number };
  readonly job_status: Limits & { readonly pollEveryMs: number; readonly followMs: number };
}

export const DEFAULT_CALL_LIMITS: CallLimits = {
  read_only: { timeoutMs: 8_000, maxTotalMs: 300_000, moreAttempts: 2 },
  slow_read: { timeoutMs: 60_000, maxTotalMs: 600_000 },
  low_write: { timeoutMs: 15_000, maxTotalMs: 300_000 },
  high_write: { timeoutMs: 60_000, maxTotalMs: 600_000 },
  job_submission: { timeoutMs: 3_000, maxTotalMs: 60_000 },
  job_status: { timeoutMs: 10_000, maxTotalMs: 60_000, pollEveryMs: 2_000, followMs: 3_600_000 },
};

/** A limit as a class has it; undefined where it is not one of that class. */
export const limitOf = (limits: CallLimits, name: CallClass, limit: LimitName): number | undefined => (limits[name] as Partial<Record<LimitName, number>>)[limit];
