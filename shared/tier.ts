/** Risk tiers in rising order; `unknown` is treated as `high_write` everywhere. */
export const TIERS = ['read_only', 'low_write', 'high_write', 'unknown'] as const;
export type Tier = (typeof TIERS)[number];
/** Only reviewed read-only capabilities may be treated as free of effects. */
export const mayHaveEffects = (tier: Tier): boolean => tier !== 'read_only';
