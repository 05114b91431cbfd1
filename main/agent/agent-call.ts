import type { Scope } from '../../shared/agent-profile.ts';
import { capabilityId, parseCapabilityId } from '../../shared/capability-id.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err } from '../../shared/result.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import type { Outcome } from '../calls/call-outcome.ts';
import { HOST } from '../calls/host-tools/host-tools.ts';
import { READ_RESULT } from '../calls/host-tools/read-result.ts';
import { READ_RESOURCE, readOf } from '../calls/host-tools/resource-tools.ts';
import { takenResults } from '../capabilities/routes/taken-results.ts';
import { TurnOrder, type CallPlace } from '../calls/turn-order.ts';
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
  /** where there is none: the tool of that name that an earlier request of the run carried */
  readonly former: ExposedTool | null;
  /** its reply did not come to its end: it is not made */
  readonly notMade: Fault | null;
  readonly signal: AbortSignal;
}

/** How its outcome is told to the model. */
export interface Telling {
  readonly model: ChosenModel;
  /** base64 bytes that the history holds already */
  readonly carried: number;
  readonly work: OpenWork;
  /** what the request of this turn carried */
  readonly offered: readonly ExposedTool[];
  /** its model was heard to take no pictures */
  readonly refusesPictures: boolean;
  /** under which a result of it may be cited */
  readonly label: string;
}

/** What is called: a reading is a call of the resource itself, under its own identity, review and grant. */
const targetOf = ({ call, tool, former }: Pick<AgentCall, 'call' | 'tool' | 'former'>) => {
  const resource = tool?.capabilityId === READ_RESOURCE_ID ? readOf(call.inputText) : null;
  return { id: resource?.capabilityId ?? tool?.capabilityId ?? former?.capabilityId ?? `unknown:${call.name}`, resource };
};

/** The places of a turn's calls; a name of no capability has no server. */
export const turnOrder = (calls: readonly Pick<AgentCall, 'call' | 'tool' | 'former' | 'principal' | 'scope'>[], { registry, hostTools }: Pick<AgentDeps, 'registry' | 'hostTools'>): TurnOrder =>
  new TurnOrder(
    calls.map((one) => {
      const { id } = targetOf(one);
      const own = hostTools.candidate(id);
      const found = own.ok ? own : registry.candidate(id, one.principal, one.scope);
      return { serverId: parseCapabilityId(id)?.serverId ?? '', effects: !found.ok ? false : mayHaveEffects(found.value.capability.tier) };
    }),
  );

/** Tools of this request, at other servers, that do the same as this one; none where it may have had its effect already. */
const alternativesTo = (id: string, { offered, principal, scope }: Pick<AgentCall, 'principal' | 'scope'> & Pick<Telling, 'offered'>, outcome: Outcome, { registry }: AgentDeps): readonly string[] => {
  const serverId = parseCapabilityId(id)?.serverId;
  const called = registry.candidate(id, principal, scope);
  if (outcome.fault?.details?.['mayHaveRun'] === true && (!called.ok || mayHaveEffects(called.value.capability.tier))) return [];
  const same = new Set(registry.equivalents(id));
  return offered.filter(({ capabilityId: other }) => same.has(other) && parseCapabilityId(other)?.serverId !== serverId).map(({ name }) => name);
};

/** A call that has come to its end. */
export interface SentCall {
  readonly asked: AgentCall;
  readonly outcome: Outcome;
  readonly isOnRecord: boolean;
  /** ms since epoch */
  readonly calledAt: number;
}

/** One call down the line, beside the others of its turn; a name that this turn did not expose is refused by the line itself, on record, with what became of the tool where the run had it. */
export const sendCall = async (asked: AgentCall, place: CallPlace, { line, clock }: Pick<AgentDeps, 'line' | 'clock'>): Promise<SentCall> => {
  const { runId, turn, call, tool, former, signal } = asked;
  const { id, resource } = targetOf(asked);
  const calledAt = clock.now();
  if (signal.aborted) place.ended();
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
        place,
        shown: { turn, name: call.name, callId: call.id },
        ...(tool && resource === null ? { binding: tool.binding, undo: tool.rendering.undo } : {}),
        ...(former ? { binding: former.binding, isUnshown: true } : {}),
        ...(asked.notMade ? { notMade: asked.notMade } : {}),
      });
  const outcome: Outcome = tried.ok ? tried.value : { invocationId: '', runId, state: 'failed', code: tried.error.code, class: 'not_sent', fault: { ...tried.error, details: { ...tried.error.details } } };
  return { asked, outcome, isOnRecord: tried.ok, calledAt };
};

/** `labelled`: null where there is no result to cite. */
export interface ToldCall {
  readonly told: ToldOutcome;
  readonly labelled: LabelledResult | null;
  /** the resource that was read, if one was */
  readonly read: string | null;
}

/** What the model is told of a call that has ended, on record. */
export const tellCall = ({ asked, outcome, isOnRecord }: SentCall, { model, carried, work, offered, label, refusesPictures }: Telling, deps: AgentDeps): ToldCall => {
  const { runId, turn, call, tool, former, principal, scope } = asked;
  const { line } = deps;
  const { id, resource } = targetOf(asked);
  const takes = takenResults(model, refusesPictures);
  const serverId = parseCapabilityId(id)?.serverId ?? '';
  const row = outcome.result === undefined ? null : deps.store.read((db) => getInvocation(db, outcome.invocationId));
  const labelled = row === null ? null : { label, invocationId: outcome.invocationId, grounded: row.grounded };
  const told = toldOutcome(outcome, {
    takes,
    mediaLeftBytes: takes.maxRequestBase64Bytes - carried,
    readTool: READ_NAME,
    categoryOnly: deps.categoryOnly(serverId),
    conceal: (text) => deps.concealSettings(serverId, text),
    alternatives: alternativesTo(id, { offered, principal, scope }, outcome, deps),
    capabilityId: resource?.capabilityId ?? tool?.capabilityId ?? former?.capabilityId ?? null,
    ...(labelled === null ? {} : { cite: labelled }),
  });
  for (const piece of work.heard({ capabilityId: id, argumentsText: call.inputText }, outcome)) line.note(runId, [{ type: 'work.ended', invocationId: outcome.invocationId, data: openPieceFacts(piece) }]);
  if (isOnRecord) line.note(runId, [{ type: 'call.told', invocationId: outcome.invocationId, data: { turn, callId: call.id, ...(labelled === null ? {} : { label: labelled.label, grounded: labelled.grounded }), route: model.routeId, text: told.text, textBytes: Buffer.byteLength(told.text), isError: told.isError, shortened: told.isShortened, ...(told.media.length === 0 ? {} : { media: told.media.map((word) => ({ ...word })) }) } }]);
  return { told, labelled, read: resource?.capabilityId ?? null };
};
