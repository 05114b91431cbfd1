import { ok } from '../../shared/result.ts';
import type { AgentRunner } from '../agent/agent-runner.ts';
import type { HandlersOf } from './handlers.ts';

export const agentRequests = ({ agent }: { readonly agent: AgentRunner }): HandlersOf<'agent'> => ({
  'agent:run': ({ wait, ...question }) => agent.run({ ...question, wait: wait ?? false }),
  'agent:goOn': ({ wait, ...cut }) => agent.goOn({ ...cut, wait: wait ?? false }),
  'agent:stop': ({ runId }) => {
    const stopped = agent.stop(runId);
    return stopped.ok ? ok({}) : stopped;
  },
});
