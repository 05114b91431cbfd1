import type { Fault } from '../../shared/fault.ts';
import { USER } from '../../shared/principal.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Run } from '../../shared/run.ts';
import { sendAgain } from '../calls/send-again.ts';
import type { AgentRunner } from '../agent/agent-runner.ts';
import type { CallLine } from '../calls/run-call.ts';
import type { EvidenceLane } from '../evidence/evidence-lane.ts';
import { listRuns } from '../evidence/read-runs.ts';
import type { Store } from '../store/database.ts';
import { eventPage, toEvent } from '../store/events.ts';
import { withAgents } from './agent-facts.ts';
import { onRecord, type HandlersOf } from './handlers.ts';

export const callsRequests = (store: Store, line: CallLine, pages: EvidenceLane, agent: Pick<AgentRunner, 'stopAll'>, onStopChanged: () => void): HandlersOf<'calls' | 'approvals' | 'rules'> => ({
  'calls:wholeResult': ({ invocationId, offset }) => pages.slice(invocationId, offset),
  'calls:try': (input, caller) => line.tryCall({ ...input, principal: USER, via: caller.kind, wait: input.wait }),
  'calls:sendAgain': ({ invocationId }, caller) => sendAgain(invocationId, caller.kind, { line, eventsOf: (runId, id, types) => store.read((db) => eventPage(db, runId, { invocationId: id, types, offset: 0, limit: 10 })).rows.map(toEvent) }),
  'calls:get': ({ invocationId }) => {
    const invocation = line.get(invocationId);
    return invocation.ok ? ok({ invocation: invocation.value }) : invocation;
  },
  'calls:told': ({ invocationId }) => line.told(invocationId),
  'calls:stop': ({ invocationId }) => {
    const stopped = line.stop(invocationId);
    return stopped.ok ? ok({}) : stopped;
  },
  'calls:stopAll': () => {
    const stopped = line.stopAll();
    agent.stopAll();
    onStopChanged();
    return ok(stopped);
  },
  'calls:resume': () => {
    line.resume();
    onStopChanged();
    return ok({});
  },
  'approvals:list': ({ state }) => ok({ approvals: line.approvals.list(state) }),
  'approvals:page': (query) => {
    const { rows, total } = line.approvals.page(query);
    return ok({ rows: [...rows], total });
  },
  'approvals:get': ({ approvalId }) => {
    const approval = line.approvals.get(approvalId);
    return approval.ok ? ok({ approval: approval.value }) : approval;
  },
  'approvals:decide': async ({ approvalId, decision, reason, inputHash }, caller) => {
    const decided = await line.approvals.decide(approvalId, decision, { by: onRecord(caller), reason, inputHash });
    return decided.ok ? ok({ approval: decided.value }) : decided;
  },
  'approvals:edit': async ({ approvalId, inputText }, caller) => {
    const edited = await line.approvals.edit(approvalId, inputText, { by: onRecord(caller) });
    return edited.ok ? ok({ approval: edited.value }) : edited;
  },
  'rules:list': () => ok({ rules: [...line.rules.list()] }),
  'rules:add': (input, caller) => {
    const added = line.rules.add(input, onRecord(caller));
    return added.ok ? ok({ rule: added.value }) : added;
  },
  'rules:revoke': ({ ruleId }, caller) => {
    const revoked = line.rules.revoke(ruleId, onRecord(caller));
    return revoked.ok ? ok({}) : revoked;
  },
});

const withAgent = <T extends { readonly run: Run }>(read: Result<T, Fault>, store: Store): Result<T, Fault> => (read.ok ? ok({ ...read.value, run: withAgents([read.value.run], store)[0]! }) : read);

/** `evidence` is asked for what takes long, `pages` for what a page shows. */
export const runsRequests = (store: Store, evidence: EvidenceLane, pages: EvidenceLane): HandlersOf<'runs'> => ({
  'runs:list': async (query) => {
    const { limit, before, ...others } = query;
    // the newest of all are read by their key
    if (Object.keys(others).length === 0) return ok({ runs: withAgents(listRuns(store, { limit, before }), store) });
    const found = await pages.list(query);
    return found.ok ? ok({ ...found.value, runs: withAgents(found.value.runs, store) }) : found;
  },
  'runs:get': async ({ runId }) => withAgent(await pages.get(runId), store),
  'runs:head': async (query) => withAgent(await pages.head(query), store),
  'runs:calls': (query) => pages.calls(query),
  'runs:events': (query) => pages.events(query),
  'runs:spans': (query) => pages.spans(query),
  'runs:verify': ({ runId }) => evidence.verify(runId),
  'runs:export': ({ runId }) => evidence.export(runId),
});
