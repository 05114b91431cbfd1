/** How a run stands, as people look for it. `denied` and `unclear` are runs with a call that ended so, whatever became of the run. */
export const RUN_STANDINGS = ['running', 'awaiting_approval', 'completed', 'failed', 'denied', 'unclear'] as const;
export type RunStanding = (typeof RUN_STANDINGS)[number];

/** Codes of a call's end that make its run `denied` or `unclear`. */
export const STANDING_CODES = { denied: ['denied', 'approval_expired', 'approval_void'], unclear: ['outcome_unknown', 'interrupted'] } as const;

export type RunCounts = Readonly<Record<RunStanding, number>>;
