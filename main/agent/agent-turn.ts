import type { LanguageModelV3Message } from '@ai-sdk/provider';
import type { Scope } from '../../shared/agent-profile.ts';
import { capabilityId, parseCapabilityId } from '../../shared/capability-id.ts';
import type { Result } from '../../shared/result.ts';
import { HOST } from '../calls/host-tools/host-tools.ts';
import { READ_RESULT } from '../calls/host-tools/read-result.ts';
import { LIST_RESOURCES, READ_RESOURCE } from '../calls/host-tools/resource-tools.ts';
import { SEARCH_CAPABILITIES } from '../calls/host-tools/search-capabilities.ts';
import { listRefusals } from '../store/route-refusals.ts';
import type { AgentDeps } from './agent-deps.ts';
import { askWithTools } from './ask-with-tools.ts';
import { hasLeft, type Asked, type AskFault } from './asking.ts';
import { choosables, rankableOf } from './choosable.ts';
import type { ChosenModel } from './choose-model.ts';
import type { EarlierQuestions } from './earlier-runs.ts';
import type { ExposedTool } from './exposed-tool.ts';
import { isolationText, withNotice } from './isolation-notice.ts';
import type { PictureRefusals } from './media-refusal.ts';
import type { askModel } from './model-adapter.ts';
import { recordTurn } from './record-turn.ts';
import type { RunBudget } from './run-budget.ts';
import type { Ranking, RankQuestion } from './selection/pipeline.ts';
import type { BoundCandidate } from './turn-candidates.ts';
import { TurnRequests } from './turn-requests.ts';
import { turnTools } from './turn-tools.ts';
import { unreadServers } from './unread-servers.ts';

export interface AgentTurn {
  readonly runId: string;
  readonly principal: string;
  readonly scope: Scope | null;
  readonly turn: number;
  readonly model: ChosenModel;
  readonly prompt: string;
  readonly instructions: string;
  readonly earlier: EarlierQuestions;
  /** the messages of this question */
  readonly current: readonly LanguageModelV3Message[];
  readonly hasStored: boolean;
  /** tools of which an answer of this run was large */
  readonly large: ReadonlySet<string>;
  readonly budget: RunBudget;
  readonly signal: AbortSignal;
  readonly askModel: typeof askModel;
  readonly pictures: PictureRefusals;
}

/** One model request and its reply, on record; `current` is as the provider took it. Its tools are read anew. Errors: as askWithTools, context_full, token_limit, money_limit, no_price; then the failure is on record, after the request where it had left. */
export const askTurn = async (turn: AgentTurn, deps: AgentDeps): Promise<Result<{ readonly asked: Asked; readonly current: readonly LanguageModelV3Message[] }, AskFault>> => {
  const { registry, line, renderings, store } = deps;
  const { runId, principal, scope, model } = turn;
  const unread = await unreadServers(registry, principal, deps.freshen);
  const refusals = store.read((db) => listRefusals(db, model));
  const gone = line.isolations.untold(runId);
  const current = gone.length === 0 ? turn.current : [...turn.current.slice(0, -1), withNotice(turn.current.at(-1)!, isolationText(gone))];
  const offered = await turnTools({ registry, renderings }, { principal, scope, routeId: model.routeId, unread, isolated: line.isolations.reasons(runId), large: turn.large, refusals, hostTools: turn.hasStored ? hostTool(READ_RESULT, deps) : [], resourceTools: [LIST_RESOURCES, READ_RESOURCE].flatMap((name) => hostTool(name, deps)), searchTools: hostTool(SEARCH_CAPABILITIES, deps), found: deps.found.of(runId), wishes: deps.wishes(), rank: (tools, how) => rankFor(turn, tools, how, deps) });
  line.isolations.uses(runId, offered.exposed.flatMap(({ capabilityId: id }) => parseCapabilityId(id)?.serverId ?? []));
  const requests = new TurnRequests({ ...turn, current }, deps);
  const asked = await askWithTools(offered.exposed, (tool) => inPlainWords(tool, deps), (tools) => requests.ask(tools));
  const sent = { runId, turn: turn.turn, model, offered, unread, history: requests.history };
  if (!asked.ok) {
    const { code, message, details = {}, exchange, partialText } = asked.error;
    const left = hasLeft(asked.error);
    if (left) recordTurn({ ...sent, requestText: exchange!.requestText, asked: { tools: requests.tools, refusals: [], undecided: [], requests: 1 } }, deps);
    line.note(runId, [{ type: 'turn.failed', invocationId: null, data: { turn: turn.turn, code, message, details, ...(partialText === '' ? {} : { begun: true }), request: left ? null : (exchange?.requestText ?? null) } }]);
    return asked;
  }
  recordTurn({ ...sent, requestText: asked.value.reply.exchange.requestText, asked: asked.value }, deps);
  return { ok: true, value: { asked: asked.value, current: requests.current } };
};

const rankFor = ({ prompt, principal, signal }: AgentTurn, tools: readonly BoundCandidate[], how: Pick<RankQuestion, 'decides' | 'most' | 'also'>, { pipeline, serverName }: AgentDeps): Promise<Ranking> =>
  pipeline.rank({ request: prompt, principal, candidates: choosables(tools.map(rankableOf), serverName), ...how, signal });

const inPlainWords = (tool: ExposedTool, { renderings }: AgentDeps) => {
  const { definition, definitionFingerprint } = tool.binding;
  return renderings.of({ definition, definitionFingerprint, routeId: 'plainest' });
};

const hostTool = (name: string, { hostTools }: AgentDeps): readonly BoundCandidate[] => {
  const id = capabilityId(HOST, 'tool', name);
  const reader = hostTools.candidate(id);
  const binding = hostTools.bound(id);
  return reader.ok && binding ? [{ ...reader.value, binding }] : [];
};
