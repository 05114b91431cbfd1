/** How a capability stands, as a list is narrowed by it. `allowed` and `not_allowed` are of the question's principal. */
export const CAPABILITY_STANDINGS = ['allowed', 'not_allowed', 'needs_review', 'changed', 'unavailable', 'partly_checked', 'excluded', 'flagged'] as const;
export type CapabilityStanding = (typeof CAPABILITY_STANDINGS)[number];
