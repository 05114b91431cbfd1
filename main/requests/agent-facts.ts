import type { Run } from '../../shared/run.ts';
import { agentRunsOf, withAgentFacts } from '../store/agent-runs.ts';
import type { Store } from '../store/database.ts';

/** Runs with what their model requests came to, read at once. */
export const withAgents = (runs: readonly Run[], store: Store): Run[] => {
  const ids = runs.flatMap((run) => (run.kind === 'agent' ? [run.id] : []));
  if (ids.length === 0) return [...runs];
  const rows = store.read((db) => agentRunsOf(db, ids));
  return runs.map((run) => withAgentFacts(run, rows.get(run.id)));
};
