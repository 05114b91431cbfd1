import { parseCapabilityId } from '../../shared/capability-id.ts';
import { sha256Hex } from '../capabilities/fingerprint.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import { putRefusal } from '../store/route-refusals.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { Asked } from './asking.ts';
import type { ChosenModel } from './choose-model.ts';
import type { LeftOut } from './conversation-history.ts';
import type { ExposedTool } from './exposed-tool.ts';
import { carriedBy, funnelOfRequest, type TurnTools } from './turn-tools.ts';

/** Of one stage, in the evidence of a turn; `lostCount` says how many there are. */
const MAX_LOST_TOLD = 200;
/** Of the ranking, best first, beside those that went out; its `topK` says how many there are. */
const MAX_RANKED_TOLD = 200;

const hasHostField = ({ steps }: ExposedTool['rendering']): boolean => steps.some((step) => step.code === 'host_field');

/** What the tools of a turn have in common by their server: said once. */
const sourcesOf = (tools: readonly ExposedTool[]): Readonly<Record<string, { readonly launchFingerprint: string; readonly instructionsFingerprint: string | null }>> =>
  Object.fromEntries(tools.map(({ capabilityId, binding: { launchFingerprint, instructionsFingerprint } }) => [parseCapabilityId(capabilityId)?.serverId ?? capabilityId, { launchFingerprint, instructionsFingerprint }]));

export interface SentTurn {
  readonly runId: string;
  readonly turn: number;
  readonly model: ChosenModel;
  readonly offered: TurnTools;
  readonly requestText: string;
  readonly asked: Omit<Asked, 'reply'>;
  readonly unread: ReadonlySet<string>;
  /** what of the conversation it carried, and may at most, in bytes; what it did not */
  readonly history: { readonly bytes: number; readonly mostBytes: number; readonly leftOut: LeftOut };
}

/** The request as it left, what it carried and why the rest was not in it; and what the provider was proved to refuse, which holds from now on. */
export const recordTurn = ({ runId, turn, model, offered, requestText, asked, unread, history }: SentTurn, { store, clock, line }: AgentDeps): void => {
  const { routeId, baseUrl } = model;
  const setAside = asked.refusals.filter(({ form }) => form === 'set_aside').map(({ tool }) => tool.capabilityId);
  const funnel = funnelOfRequest(offered.funnel, { setAside, undecided: asked.undecided.map((tool) => tool.capabilityId) }, model.model);
  const refused = asked.refusals.map(({ tool, form, status, providerSays }) => ({ capabilityId: tool.capabilityId, definitionFingerprint: tool.binding.definitionFingerprint, routeId, baseUrl, model: model.model, form, status, providerSays, runId, at: clock.now() }));
  if (refused.length > 0) store.write((db) => refused.forEach((refusal) => putRefusal(db, refusal)));
  line.note(runId, [
    ...asked.refusals.map(({ tool, form, status, providerSays }): NewEvent => ({
      type: form === 'set_aside' ? 'tool.set_aside' : 'tool.in_plain_words', invocationId: null,
      data: { turn, tool: tool.name, capabilityId: tool.capabilityId, definitionFingerprint: tool.binding.definitionFingerprint, route: routeId, model: model.model, status, providerSays, requests: asked.requests, acceptedWith: asked.tools.length },
    })),
    {
      type: 'turn.request', invocationId: null,
      data: {
        turn, model: model.model, route: routeId, request: requestText, requestSha256: sha256Hex(requestText),
        exposed: asked.tools.map(({ name, capabilityId, binding, rendering }) => ({ name, capabilityId, definitionFingerprint: binding.definitionFingerprint, bindingFingerprint: binding.fingerprint, review: binding.reviewVersion, form: rendering.routeId, state: rendering.state, steps: rendering.steps.length, ...(hasHostField(rendering) ? { hostField: true } : {}) })),
        sources: sourcesOf(asked.tools),
        funnel: funnel.stages.map(({ stage, evaluated, count, lost }) => ({ stage, evaluated, count, lost: lost.slice(0, MAX_LOST_TOLD), lostCount: lost.length })),
        history: { bytes: history.bytes, mostBytes: history.mostBytes, leftOut: { ...history.leftOut } },
        carried: { ...carriedBy(asked.tools, offered.limits) },
        ...(funnel.pinned === undefined ? {} : { pinned: funnel.pinned }),
        ...(funnel.selection === undefined ? {} : { selection: { ...funnel.selection, ranked: funnel.selection.ranked.filter((one, at) => at < MAX_RANKED_TOLD || one.exposed) } }),
        ...(asked.undecided.length === 0 ? {} : { undecided: asked.undecided.map((tool) => tool.capabilityId) }),
        ...(unread.size === 0 ? {} : { notFresh: [...unread] }),
      },
    },
  ]);
};
