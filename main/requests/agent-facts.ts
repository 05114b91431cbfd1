import type { Run } from '../../shared/run.ts';
import { agentRunsOf, type AgentRunRow } from '../store/agent-runs.ts';
import type { Store } from '../store/database.ts';

/** A run with what its model requests came to. */
export const withAgentFacts = (run: Run, row: AgentRunRow | undefined): Run =>
  row === undefined ? run : { ...run, agent: { conversationId: row.conversationId, profileId: row.profileId, modelId: row.modelId, model: row.model, requests: row.requests, usage: row.usage } };

/** The same of several, read at once. */
export const withAgents = (runs: readonly Run[], store: Store): Run[] => {
  const ids = runs.flatMap((run) => (run.kind === 'agent' ? [run.id] : []));
  if (ids.length === 0) return [...runs];
  const rows = store.read((db) => agentRunsOf(db, ids));
  return runs.map((run) => withAgentFacts(run, rows.get(run.id)));
};
