import type { NewEvent } from '../evidence/recorder.ts';
import type { Fault } from '../../shared/fault.ts';
import { keyOf } from './idempotency-key.ts';
import type { ApprovedCall } from './approve.ts';
import type { Deadline } from './deadlines.ts';
import type { AnsweredCall, Retry, RetryEnd } from './dispatch.ts';
import type { JudgedCall } from './judge.ts';
import type { CallRequest } from './plan.ts';
import type { ValidatedCall } from './judge-result.ts';

/** A larger input stands in the invocation's row only; the chain binds it by its hash. */
const INPUT_IN_EVENT_BYTES = 8_192;

/** Which turn's call this is, under which name, and what that turn bound the name to. */
export const shownIn = ({ shown, binding }: Pick<CallRequest, 'shown' | 'binding'>): { readonly shown?: Readonly<Record<string, unknown>> } =>
  shown === undefined ? {} : { shown: { ...shown, ...(binding === undefined ? {} : { bindingFingerprint: binding.fingerprint }) } };

/** What plan, normalize and policy found, written in one transaction with what follows. */
export const judgedEvents = (invocationId: string, createdAt: number, judged: JudgedCall): readonly NewEvent[] => {
  const { frozen, decision } = judged;
  const { candidate, request } = frozen.planned;
  const { definitionFingerprint, bindingFingerprint, launchFingerprint, tier } = candidate;
  return [
    {
      type: 'call.planned',
      invocationId,
      data: { capabilityId: request.capabilityId, principal: request.principal, via: request.via, tier, schemaState: candidate.schemaState.state, definitionFingerprint, bindingFingerprint, launchFingerprint, createdAt, ...shownIn(request) },
    },
    {
      type: 'call.normalized',
      invocationId,
      data: {
        inputHash: frozen.inputHash,
        inputBytes: frozen.inputBytes,
        ...(frozen.uri === null ? {} : { uri: frozen.uri }),
        ...(frozen.inputBytes <= INPUT_IN_EVENT_BYTES ? { input: frozen.frozenInput } : {}),
        ...(frozen.repairs.length > 0 ? { repairs: frozen.repairs.map((r) => ({ ...r })) } : {}),
        ...(frozen.hostResult === null ? {} : { hostResult: { ...frozen.hostResult } }),
      },
    },
    ...keyedEvents(invocationId, frozen),
    { type: 'call.policy', invocationId, data: { effect: decision.effect, ruleId: decision.ruleId, reason: decision.reason, policyVersion: judged.policyVersion } },
  ];
};

/** The key against repeats that the input carries, and who made it: a line of its own, for it is no part of what was asked for. */
const keyedEvents = (invocationId: string, { planned, value, repairs }: JudgedCall['frozen']): readonly NewEvent[] => {
  const key = keyOf(planned.candidate, value);
  const field = planned.candidate.capability.idempotency?.field;
  if (key === null || field === undefined) return [];
  const by = repairs.find(({ what }) => what === 'idempotency_key' || what === 'idempotency_key_replaced');
  return [{ type: 'call.keyed', invocationId, data: { field, key, state: by === undefined ? 'given' : by.what === 'idempotency_key' ? 'filled' : 'replaced' } }];
};

const causeOf = (cause: Fault | undefined): Readonly<Record<string, unknown>> => (cause === undefined ? {} : { cause: cause.code, message: cause.message });

export const retryEvent = (invocationId: string, { attempt, by, cause, waitMs }: Retry): NewEvent => ({ type: 'call.retry', invocationId, data: { attempt, ground: by, ...causeOf(cause), waitMs } });

export const retryEndEvent = (invocationId: string, { attempt, outcome, sent, cause }: RetryEnd): NewEvent => ({ type: 'call.retry_ended', invocationId, data: { attempt, outcome, sent, ...causeOf(cause) } });

export const intentEvent = (approved: ApprovedCall, invocationId: string, deadline: Deadline, durable: boolean): NewEvent => ({
  type: 'call.intent',
  invocationId,
  data: { inputHash: approved.frozen.inputHash, inputBytes: approved.frozen.inputBytes, permit: { ...approved.permit }, attempt: 1, callClass: deadline.callClass, timeoutMs: deadline.timeoutMs, maxTotalMs: deadline.maxTotalMs, durable },
});

/** What came and what it was judged to be; the whole result lies in the invocation's row, bound by `resultSha256`. */
export const receivedEvents = (invocationId: string, answered: Pick<AnsweredCall, 'wire' | 'attempts'>, validated: ValidatedCall): readonly NewEvent[] => {
  const { wire, attempts } = answered;
  const received = {
    outcome: wire.kind === 'held' ? 'result' : wire.kind,
    attempts,
    ...(wire.kind === 'result' || wire.kind === 'held' ? { sizeBytes: wire.sizeBytes, notes: wire.notes?.length === 0 ? undefined : wire.notes } : {}),
    ...(wire.kind === 'rpc_error' ? { rpcCode: wire.rpcCode } : {}),
    ...(wire.kind === 'failed' ? { cause: wire.fault.code, message: wire.fault.message, sent: wire.sent, mayHaveRun: wire.mayHaveRun } : {}),
  };
  const { result, fault, facts } = validated;
  const judged = {
    class: validated.class,
    grounded: validated.grounded,
    field: fault?.field,
    resultSha256: validated.stored?.sha256,
    previewSha256: validated.stored?.preview?.sha256,
    masked: result && result.masked.length > 0 ? result.masked : undefined,
    blocks: facts?.blocks,
    structured: facts?.structured,
    preview: facts?.firstWords,
    pending: facts?.pending,
  };
  return [
    { type: 'call.received', invocationId, data: received },
    { type: 'call.validated', invocationId, data: judged },
  ];
};
