/** The seven stages of design section 3, in order. */
export const CALL_STAGES = ['plan', 'normalize', 'policy', 'approve', 'dispatch', 'validate', 'evidence'] as const;
