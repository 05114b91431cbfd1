import type { Scope } from '../../shared/agent-profile.ts';
import { capabilityId, parseCapabilityId } from '../../shared/capability-id.ts';
import { fault } from '../../shared/fault.ts';
import { err } from '../../shared/result.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import type { Outcome } from '../calls/call-outcome.ts';
import { HOST } from '../calls/host-tools/host-tools.ts';
import { READ_RESULT } from '../calls/host-tools/read-result.ts';
import { READ_RESOURCE, readOf } from '../calls/host-tools/resource-tools.ts';
import { ROUTES } from '../capabilities/routes/profiles.ts';
import { speaksAnthropic } from '../capabilities/routes/route-of.ts';
import { getInvocation } from '../store/invocations.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { ChosenModel } from './choose-model.ts';
import type { LabelledResult } from './citations.ts';
import type { TurnCall } from './history.ts';
import { openPieceFacts, type OpenWork } from './open-work.ts';
import { toldOutcome, type ToldOutcome } from './outcome-text.ts';
import type { ExposedTool } from './exposed-tool.ts';

/** As a model sees it on every route: `host` is no server's id, so nothing clashes. */
export const READ_NAME = `${HOST}__${READ_RESULT}`;

const READ_RESOURCE_ID = capabilityId(HOST, 'tool', READ_RESOURCE);

/** One call of a turn, as the model asked for it. */
export interface AgentCall {
  readonly runId: string;
  readonly principal: string;
  /** narrows what the principal may use */
  readonly scope: Scope | null;
  readonly turn: number;
  readonly call: TurnCall;
  /** null: the request of this turn carried no tool of that name */
  readonly tool: ExposedTool | null;
  readonly model: ChosenModel;
  /** base64 bytes that the history holds already */
  readonly carried: number;
  readonly signal: AbortSignal;
  readonly work: OpenWork;
  /** what the request of this turn carried */
  readonly offered: readonly ExposedTool[];
  /** under which a result of it may be cited */
  readonly label: string;
}

/** Tools of this request, at other servers, that do the same as this one; none where it may have had its effect already. */
const alternativesTo = (id: string, { offered, principal, scope }: AgentCall, outcome: Outcome, { registry }: AgentDeps): readonly string[] => {
  const serverId = parseCapabilityId(id)?.serverId;
  const called = registry.candidate(id, principal, scope);
  if (outcome.fault?.details?.['mayHaveRun'] === true && (!called.ok || mayHaveEffects(called.value.capability.tier))) return [];
  const same = new Set(registry.equivalents(id));
  return offered.filter(({ capabilityId: other }) => same.has(other) && parseCapabilityId(other)?.serverId !== serverId).map(({ name }) => name);
};

/** `labelled`: null where there is no result to cite. */
export interface MadeCall {
  readonly told: ToldOutcome;
  readonly outcome: Outcome;
  readonly labelled: LabelledResult | null;
  /** the resource that was read, if one was */
  readonly read: string | null;
}

/** One call down the line, with what the model is told of it; a name that this turn did not expose is refused by the line itself, on record. */
export const makeCall = async (asked: AgentCall, deps: AgentDeps): Promise<MadeCall> => {
  const { runId, turn, call, tool, model, carried, signal, work } = asked;
  const { line } = deps;
  // a reading is a call of the resource itself, under its own identity, review and grant
  const resource = tool?.capabilityId === READ_RESOURCE_ID ? readOf(call.inputText) : null;
  const id = resource?.capabilityId ?? tool?.capabilityId ?? `unknown:${call.name}`;
  const tried = signal.aborted
    ? err(fault('cancelled', 'The run was stopped; nothing was sent.'))
    : await line.tryCall({
        capabilityId: id,
        inputText: resource?.inputText ?? (call.inputText === '' ? '{}' : call.inputText),
        principal: asked.principal,
        run: { id: runId },
        scope: asked.scope,
        wait: true,
        signal,
        shown: { turn, name: call.name, callId: call.id },
        ...(tool && resource === null ? { binding: tool.binding, undo: tool.rendering.undo } : {}),
      });
  const { toolResults: takes } = ROUTES[model.routeId];
  const outcome: Outcome = tried.ok ? tried.value : { invocationId: '', runId, state: 'failed', code: tried.error.code, class: 'not_sent', fault: { ...tried.error, details: { ...tried.error.details } } };
  const row = outcome.result === undefined ? null : deps.store.read((db) => getInvocation(db, outcome.invocationId));
  const labelled = row === null ? null : { label: asked.label, invocationId: outcome.invocationId, grounded: row.grounded };
  const told = toldOutcome(outcome, {
    // a model of this route behind the other protocol gets the texts that it carries
    takes: speaksAnthropic(model.provider) ? takes : ROUTES['openai-chat'].toolResults,
    mediaLeftBytes: takes.maxRequestBase64Bytes - carried,
    readTool: READ_NAME,
    categoryOnly: deps.categoryOnly(parseCapabilityId(id)?.serverId ?? ''),
    alternatives: alternativesTo(id, asked, outcome, deps),
    capabilityId: resource?.capabilityId ?? tool?.capabilityId ?? null,
    ...(labelled === null ? {} : { cite: labelled }),
  });
  for (const piece of work.heard({ capabilityId: id, argumentsText: call.inputText }, outcome)) line.note(runId, [{ type: 'work.ended', invocationId: outcome.invocationId, data: openPieceFacts(piece) }]);
  if (tried.ok) line.note(runId, [{ type: 'call.told', invocationId: outcome.invocationId, data: { turn, callId: call.id, ...(labelled === null ? {} : { label: labelled.label, grounded: labelled.grounded }), route: model.routeId, text: told.text, textBytes: Buffer.byteLength(told.text), isError: told.isError, shortened: told.isShortened, ...(told.media.length === 0 ? {} : { media: told.media.map((word) => ({ ...word })) }) } }]);
  return { told, outcome, labelled, read: resource?.capabilityId ?? null };
};
