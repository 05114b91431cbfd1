/**
 * What a list of runs, the history of approvals, and a server's figures, ask of a hundred thousand calls is answered by indexes alone. The index by capability also names the run:
 * the same pages are written for a call as before. The second one holds failed calls only, so that one that succeeds writes nothing more.
 */
export const m009CallIndexes = {
  version: 9,
  name: 'call_indexes',
  sql: `
DROP INDEX invocations_by_capability;
CREATE INDEX invocations_by_capability ON invocations(capability_id, created_at, run_id);
CREATE INDEX invocations_failed ON invocations(capability_id, code, ended_at, run_id) WHERE state = 'failed';
CREATE INDEX approvals_by_end ON approvals(coalesce(decided_at, created_at)) WHERE state <> 'pending';
`,
} as const;
