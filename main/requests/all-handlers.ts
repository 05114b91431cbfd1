import { ok } from '../../shared/result.ts';
import type { HealthStatus } from '../../shared/settings.ts';
import type { LearnedChoices } from '../agent/learned-choices.ts';
import type { CallLine } from '../calls/run-call.ts';
import type { EvidenceLane } from '../evidence/evidence-lane.ts';
import type { QuestionDesk } from '../questions/question-desk.ts';
import { agentRequests } from './agent-requests.ts';
import { callsRequests, runsRequests } from './calls-requests.ts';
import { capabilitiesRequests } from './capabilities-requests.ts';
import { choicesRequests } from './choices-requests.ts';
import { conversationsRequests } from './conversations-requests.ts';
import { dataRequests } from './data-requests.ts';
import { embeddingsRequests } from './embeddings-requests.ts';
import type { AllHandlers } from './handlers.ts';
import { importRequests } from './import-requests.ts';
import { marketRequests } from './market-requests.ts';
import { modelsRequests } from './models-requests.ts';
import { networkRequests } from './network-requests.ts';
import { plannerRequests } from './planner-requests.ts';
import { profilesRequests } from './profiles-requests.ts';
import { questionsRequests } from './questions-requests.ts';
import { renderingsRequests } from './renderings-requests.ts';
import { resourcesRequests } from './resources-requests.ts';
import { searchRequests } from './search-requests.ts';
import { serversRequests } from './servers/servers-requests.ts';
import { secretsRequests, settingsRequests } from './settings-requests.ts';
import { shellRequests } from './shell-requests.ts';
import { windowRequests } from './window-requests.ts';

type DepsOf<F extends (deps: never) => unknown> = Parameters<F>[0];

/** What the handlers work with: each takes its own of it by name. What two of them would call the same stands by itself. */
export type HandlerParts = DepsOf<typeof marketRequests> & DepsOf<typeof searchRequests> & DepsOf<typeof serversRequests> & Omit<DepsOf<typeof importRequests>, 'removeServer'> & DepsOf<typeof capabilitiesRequests> &
  DepsOf<typeof resourcesRequests> & DepsOf<typeof renderingsRequests> & DepsOf<typeof networkRequests> & DepsOf<typeof plannerRequests> & DepsOf<typeof embeddingsRequests> & DepsOf<typeof profilesRequests> &
  DepsOf<typeof agentRequests> & DepsOf<typeof conversationsRequests> & Omit<DepsOf<typeof secretsRequests>, 'onUnlocked'> & {
    readonly questions: QuestionDesk;
    readonly line: CallLine;
    readonly evidence: EvidenceLane;
    /** runs as windows read them */
    readonly runPages: EvidenceLane;
    readonly choices: LearnedChoices;
    readonly settingsOf: DepsOf<typeof settingsRequests>;
    readonly onUnlocked: () => void;
    readonly shell: DepsOf<typeof shellRequests>;
    readonly data: DepsOf<typeof dataRequests>;
    readonly health: { now(): HealthStatus; tell(): void };
  };

/** One handler for each request of the contract. */
export const allHandlers = (parts: HandlerParts): AllHandlers => {
  const { store, line, evidence, runPages, health } = parts;
  const servers = serversRequests(parts);
  const single: Omit<AllHandlers, 'window:first'> = {
    ...marketRequests(parts), ...searchRequests(parts), ...servers,
    ...importRequests({ ...parts, removeServer: async (serverId) => servers['servers:remove']({ serverId }, { kind: 'window', canDecide: false }) }),
    ...capabilitiesRequests(parts), ...resourcesRequests(parts), ...renderingsRequests(parts), ...questionsRequests(parts.questions),
    ...callsRequests(store, line, runPages, parts.agent, () => health.tell()), ...runsRequests(store, evidence, runPages),
    ...settingsRequests(parts.settingsOf), ...secretsRequests(parts), ...networkRequests(parts),
    ...plannerRequests(parts), ...modelsRequests(parts), ...embeddingsRequests(parts), ...profilesRequests(parts),
    ...agentRequests(parts), ...choicesRequests(parts.choices), ...conversationsRequests(parts),
    ...shellRequests(parts.shell), ...dataRequests(parts.data),
    'health:ready': () => ok({ ready: health.now().ready }),
    'health:status': () => ok(health.now()),
  };
  return { ...single, ...windowRequests(single) };
};
