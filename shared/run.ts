import { z } from 'zod';
import { InvocationSchema } from './call.ts';
import { UsageSchema } from './model.ts';
import { ViaSchema } from './principal-schema.ts';

/** `profileName`: as the profile is called now; absent where it is gone or has none, and where it was not asked for. */
const AgentRunSchema = z.object({ conversationId: z.string().nullable(), profileId: z.string(), profileName: z.string().optional(), modelId: z.string().nullable(), model: z.string(), requests: z.number(), usage: UsageSchema });

export const RunSchema = z.object({
  id: z.string(),
  /** try-out, guided planner, agent, flow, gateway, an app's frame, and what the host itself did to the record (deleted history) */
  kind: z.enum(['try', 'guided', 'agent', 'flow', 'gateway', 'app', 'host']),
  title: z.string(),
  principal: z.string(),
  /** the way in of a try-out; absent where it was not recorded */
  via: ViaSchema.optional(),
  traceId: z.string(),
  state: z.enum(['running', 'awaiting_approval', 'completed', 'failed']),
  code: z.string().nullable(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  eventCount: z.number(),
  headHash: z.string(),
  invocations: z.array(InvocationSchema).optional(),
  /** of an agent's run, where it is read by runs:get, runs:list or runs:head: usage of all its model requests */
  agent: AgentRunSchema.optional(),
});
export type Run = z.infer<typeof RunSchema>;

/**
 * One row of evidence. `hash` = SHA-256 over RFC 8785 of {runId, seq, prevHash, at, type, invocationId, data}, lower-case hex;
 * the first row's prevHash is 64 zeros.
 */
export const EvidenceEventSchema = z.object({
  runId: z.string(),
  seq: z.number(),
  prevHash: z.string(),
  hash: z.string(),
  at: z.number(),
  type: z.string(),
  invocationId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});
export type EvidenceEvent = z.infer<typeof EvidenceEventSchema>;

/** Types of evidence rows the call line writes, in the order in which they may appear for one invocation. */
export const EVIDENCE_TYPES = [
  'run.started', 'plan.ranked', 'call.planned', 'call.refused', 'call.normalized', 'call.keyed', 'call.policy', 'call.repeat_waits', 'call.repeated', 'approval.asked', 'approval.decided', 'approval.edited',
  'approval.expired', 'approval.voided', 'approval.consumed', 'call.intent', 'call.progress', 'question.input_required', 'question.asked', 'question.refused', 'question.opened', 'question.model_asked', 'question.model_request', 'question.model_reply', 'question.model_failed', 'question.model_replied', 'question.answered', 'question.voided', 'question.roots', 'question.round', 'question.completed', 'call.retry', 'call.retry_ended', 'call.recovery', 'call.paced', 'task.created', 'task.status', 'task.unreachable', 'task.cancel', 'task.taken_up', 'task.ended', 'call.received',
  'call.validated', 'call.outcome', 'call.told', 'source.retry', 'source.isolated', 'source.returned', 'call.late_result', 'call.recovered_at_start', 'tool.set_aside', 'tool.in_plain_words', 'run.prompt', 'history.compacted', 'turn.request', 'turn.retry', 'turn.without_media', 'turn.reply', 'turn.failed', 'work.ended', 'work.open', 'attachment.given', 'attachment.failed', 'resource.stale', 'run.answer', 'history.deleted', 'run.ended',
] as const;
export type EvidenceType = (typeof EVIDENCE_TYPES)[number];
