import type { Run } from '../../shared/run.ts';
import { listProfiles } from '../store/agent-profiles.ts';
import { agentRunsOf, withAgentFacts } from '../store/agent-runs.ts';
import type { Store } from '../store/database.ts';

/** Runs with what their model requests came to and the names of their profiles, read at once. */
export const withAgents = (runs: readonly Run[], store: Store): Run[] => {
  const ids = runs.flatMap((run) => (run.kind === 'agent' ? [run.id] : []));
  if (ids.length === 0) return [...runs];
  const { rows, profiles } = store.read((db) => ({ rows: agentRunsOf(db, ids), profiles: listProfiles(db) }));
  const names = new Map(profiles.filter(({ name }) => name !== '').map(({ id, name }) => [id, name]));
  return runs.map((run) => {
    const told = withAgentFacts(run, rows.get(run.id));
    const profileName = names.get(told.agent?.profileId ?? '');
    return told.agent === undefined || profileName === undefined ? told : { ...told, agent: { ...told.agent, profileName } };
  });
};
