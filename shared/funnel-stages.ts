/** The stages of the funnel, for the window, which carries no schemas; shared/capability.ts takes them from here. */
export const FUNNEL_STAGE_NAMES = ['registered', 'admitted', 'granted', 'in_scope', 'fresh_healthy', 'fits_route', 'exposed'] as const;
