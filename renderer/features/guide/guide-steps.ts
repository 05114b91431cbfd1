import type { Approval } from '../../../shared/approval.ts';
import type { CapabilityRow } from '../../../shared/capability.ts';
import { BUILT_IN_AGENT } from '../../../shared/principal.ts';
import type { Run } from '../../../shared/run.ts';
import type { ServerSummary } from '../../../shared/server.ts';
import { href } from '../../routes.ts';

export const STEPS = ['install', 'connect', 'see', 'allow', 'try', 'approve', 'read'] as const;
export type StepKey = (typeof STEPS)[number];

export interface GuideStep {
  readonly key: StepKey;
  readonly done: boolean;
  /** where the step is done */
  readonly to: string;
}

export interface GuideFacts {
  readonly servers: readonly ServerSummary[];
  /** of the server the guide is about */
  readonly capabilities: readonly CapabilityRow[];
  readonly approvals: readonly Pick<Approval, 'state' | 'decidedBy'>[];
  readonly runs: readonly Run[];
  /** a run's page was opened in this browser or window */
  readonly evidenceRead: boolean;
}

/** The server the guide is about: the environment app where it is there, else the first one. */
export const guideServer = (servers: readonly ServerSummary[]): ServerSummary | null => servers.find((one) => one.spec.kind === 'builtin') ?? servers[0] ?? null;

/** The tool the guide suggests: one that the agent may use already, else the first that reads only. */
export const guideTool = (facts: Pick<GuideFacts, 'servers' | 'capabilities'>): CapabilityRow | null => {
  const server = guideServer(facts.servers);
  const tools = facts.capabilities.filter((one) => one.kind === 'tool' && one.serverId === server?.id && one.schemaState !== 'excluded');
  return tools.find((one) => one.grantedTo.includes(BUILT_IN_AGENT)) ?? tools.find((one) => one.tier === 'read_only') ?? tools[0] ?? null;
};

/** The seven first steps; each is done when the host's own state says so, not when it was clicked. */
export const guideSteps = (facts: GuideFacts): readonly GuideStep[] => {
  const server = guideServer(facts.servers);
  const tool = guideTool(facts);
  const run = facts.runs[0];
  const serverPage = server ? href.server(server.id) : href.servers();
  const toolPage = tool ? href.capability(tool.id) : serverPage;
  const seen = facts.capabilities.length > 0 || facts.servers.some((one) => one.agentAccess.tools > 0);
  const decided = facts.approvals.some((one) => one.state === 'approved' || one.state === 'consumed' || (one.state === 'denied' && one.decidedBy !== null));
  return [
    { key: 'install', done: facts.servers.some((one) => one.status.state !== 'installing'), to: server ? serverPage : href.addFromMarket('environment') },
    { key: 'connect', done: facts.servers.some((one) => one.status.state === 'ready') || seen, to: serverPage },
    { key: 'see', done: seen, to: serverPage },
    { key: 'allow', done: facts.servers.some((one) => one.agentAccess.allowed > 0), to: serverPage },
    { key: 'try', done: facts.runs.some((one) => (one.kind === 'try' || one.kind === 'guided') && one.state === 'completed'), to: toolPage },
    { key: 'approve', done: decided, to: facts.approvals.some((one) => one.state === 'pending') ? href.approvals() : toolPage },
    { key: 'read', done: facts.evidenceRead && facts.runs.length > 0, to: run ? href.run(run.id) : href.runs() },
  ];
};
