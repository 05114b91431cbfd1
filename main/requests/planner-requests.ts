import { ok } from '../../shared/result.ts';
import type { Plan, PlannerQuestion } from '../agent/guided-planner.ts';
import type { GuidedRuns } from '../agent/guided-runs.ts';
import type { HandlersOf } from './handlers.ts';

export const plannerRequests = ({ guided, rank }: { readonly guided: GuidedRuns; readonly rank: (question: PlannerQuestion) => Promise<Plan> }): HandlersOf<'planner'> => ({
  'planner:rank': async (question) => ok(await rank(question)),
  'planner:begin': ({ request }, caller) => ok({ runId: guided.begin(request, caller.kind) }),
  'planner:call': (call, caller) => guided.call(call, caller.kind),
  'planner:end': ({ runId }) => {
    const ended = guided.end(runId);
    return ended.ok ? ok({}) : ended;
  },
});
