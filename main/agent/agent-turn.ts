import type { LanguageModelV3Message } from '@ai-sdk/provider';
import { capabilityId, parseCapabilityId } from '../../shared/capability-id.ts';
import type { Result } from '../../shared/result.ts';
import { HOST } from '../calls/host-tools/host-tools.ts';
import { READ_RESULT } from '../calls/host-tools/read-result.ts';
import { LIST_RESOURCES, READ_RESOURCE } from '../calls/host-tools/resource-tools.ts';
import { ROUTES } from '../capabilities/routes/profiles.ts';
import { listRefusals } from '../store/route-refusals.ts';
import type { AgentDeps } from './agent-deps.ts';
import { askWithTools } from './ask-with-tools.ts';
import type { Asked, AskFault } from './asking.ts';
import type { ChosenModel } from './choose-model.ts';
import { mediaBytes, withoutMedia } from './history.ts';
import { isolationText, withNotice } from './isolation-notice.ts';
import { refusesMedia } from './media-refusal.ts';
import type { askModel } from './model-adapter.ts';
import { recordTurn } from './record-turn.ts';
import { asFunctionTool, turnTools, type BoundCandidate, type ExposedTool } from './turn-tools.ts';
import { unreadServers } from './unread-servers.ts';

/** Where a history holds calls and no tool is left, some providers still want one named. */
const NO_TOOL = { type: 'function' as const, name: 'no_tool_is_available', description: 'No tool can be used now. Do not call this.', inputSchema: { type: 'object' as const, properties: {} } };

export interface AgentTurn {
  readonly runId: string;
  readonly principal: string;
  readonly turn: number;
  readonly model: ChosenModel;
  readonly prompt: string;
  readonly history: readonly LanguageModelV3Message[];
  readonly hasStored: boolean;
  /** tools of which an answer of this run was large */
  readonly large: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly askModel: typeof askModel;
}

/** One model request and its reply, on record; `history` is as the provider took it. Its tools are read anew. Errors: as askWithTools; then nothing but the failure is on record. */
export const askTurn = async (turn: AgentTurn, deps: AgentDeps): Promise<Result<{ readonly asked: Asked; readonly history: readonly LanguageModelV3Message[] }, AskFault>> => {
  const { registry, line, renderings, store } = deps;
  const { runId, principal, model, signal } = turn;
  let history = turn.history;
  const unread = await unreadServers(registry, principal, deps.freshen);
  const refusals = store.read((db) => listRefusals(db, model));
  const gone = line.isolations.untold(runId);
  if (gone.length > 0) history = [...history.slice(0, -1), withNotice(history.at(-1)!, isolationText(gone))];
  const offered = await turnTools({ registry, renderings }, { principal, routeId: model.routeId, unread, isolated: line.isolations.reasons(runId), large: turn.large, refusals, hostTools: turn.hasStored ? hostTool(READ_RESULT, deps) : [], resourceTools: [LIST_RESOURCES, READ_RESOURCE].flatMap((name) => hostTool(name, deps)), choose: (tools, count) => bestFor(turn.prompt, tools, count, deps) });
  line.isolations.uses(runId, offered.exposed.flatMap(({ capabilityId: id }) => parseCapabilityId(id)?.serverId ?? []));
  const hasCalls = history.some((message) => message.role === 'tool');
  const asked = await askWithTools(offered.exposed, (tool) => inPlainWords(tool, deps), async (tools) => {
    const shown = tools.map(asFunctionTool);
    const ask = (prompt: readonly LanguageModelV3Message[]) => turn.askModel(model, { prompt, tools: shown.length === 0 && hasCalls && ROUTES[model.routeId].toolsWithHistory ? [NO_TOOL] : shown, signal, mask: deps.mask, outbound: deps.outbound });
    const first = await ask(history);
    if (first.ok || mediaBytes(history) === 0 || !refusesMedia(first.error)) return first;
    // one picture that a provider refuses would refuse every later request of this run
    const bare = withoutMedia(history);
    const again = await ask(bare);
    if (!again.ok) return again;
    history = bare;
    line.note(runId, [{ type: 'turn.without_media', invocationId: null, data: { turn: turn.turn, status: first.error.details?.['status'], providerSays: first.error.details?.['providerSays'] } }]);
    return again;
  });
  if (!asked.ok) {
    line.note(runId, [{ type: 'turn.failed', invocationId: null, data: { turn: turn.turn, code: asked.error.code, message: asked.error.message, details: asked.error.details ?? {}, request: asked.error.exchange?.requestText ?? null } }]);
    return asked;
  }
  recordTurn({ runId, turn: turn.turn, model, offered, asked: asked.value, unread }, deps);
  return { ok: true, value: { asked: asked.value, history } };
};

/** Without the words that ship with Gantry nothing is chosen: the first ones stay. */
const bestFor = async (prompt: string, tools: readonly BoundCandidate[], count: number, { selector, serverName, log }: AgentDeps): Promise<readonly string[]> => {
  const choosable = tools.map(({ capability: { id, serverId }, definition, definitionFingerprint }) => ({ id, serverId, serverTitle: serverName(serverId), definition, definitionFingerprint }));
  const ranked = await selector.rank(prompt, choosable, count).catch((error: unknown) => {
    log.error('tools could not be ranked', { error: String(error) });
    return [];
  });
  return ranked.map(({ id }) => id);
};

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
