import { z } from 'zod';
import { CALL_STAGES } from './call-stages.ts';
import { TierSchema } from './tier-schema.ts';
import { FaultSchema } from './fault-schema.ts';

export const CallStageSchema = z.enum(CALL_STAGES);
export type CallStage = z.infer<typeof CallStageSchema>;

const INVOCATION_STATES = ['queued', 'running', 'awaiting_approval', 'completed', 'failed'] as const;
export const InvocationStateSchema = z.enum(INVOCATION_STATES);

/** Design section 5. `class` of an outcome; codes of not-sent outcomes are fault codes. */
const RESULT_CLASSES = [
  'ok', 'ok_empty', 'stored', 'pending', 'tool_error', 'protocol_error', 'invalid_result', 'too_large', 'unavailable',
  'timeout', 'interrupted', 'outcome_unknown', 'not_sent', 'suspect_success',
] as const;
export const ResultClassSchema = z.enum(RESULT_CLASSES);
export type ResultClass = z.infer<typeof ResultClassSchema>;

/** A result after the privacy filter. `_meta` is not content and is left out. */
export const CallResultSchema = z.object({
  content: z.array(z.record(z.string(), z.unknown())),
  structuredContent: z.unknown().optional(),
  isError: z.boolean(),
  /** unknown business fields of the result, kept */
  extra: z.record(z.string(), z.unknown()),
  sizeBytes: z.number(),
  masked: z.array(z.object({ place: z.string(), kind: z.string(), count: z.number() })),
  /** numbers that reading rounds, as the server wrote them; the first hundred. `place`: JSON Pointer in the result as it was sent */
  exactNumbers: z.array(z.object({ place: z.string(), text: z.string() })).optional(),
  /** what the host mended or noticed, in words: not valid UTF-8, old wrapper, shortened */
  notes: z.array(z.string()).optional(),
  source: z.object({ serverId: z.string(), capabilityId: z.string(), serverName: z.string(), serverVersion: z.string() }),
});
export type CallResult = z.infer<typeof CallResultSchema>;

/** The text of a call's result as a model got it. `media`: what of its pictures and files went along, or why not. */
export const ToldSchema = z.object({
  at: z.number(),
  turn: z.number(),
  route: z.string(),
  text: z.string(),
  textBytes: z.number(),
  isError: z.boolean(),
  shortened: z.boolean(),
  media: z.array(z.object({ medium: z.number(), mediaType: z.string(), attached: z.boolean(), why: z.string().optional() })).default([]),
});
export type Told = z.infer<typeof ToldSchema>;

/** What a server last said of how far a call has come: numbers of any unit, `total` only where it knows one; the words are its own, at most 200 characters. `reports`: how many came so far. */
export const CallProgressSchema = z.object({ progress: z.number().optional(), total: z.number().optional(), message: z.string().optional(), reports: z.number() });
export type CallProgress = z.infer<typeof CallProgressSchema>;

export const InvocationSchema = z.object({
  id: z.string(),
  runId: z.string(),
  capabilityId: z.string(),
  principal: z.string(),
  tier: TierSchema,
  state: InvocationStateSchema,
  stage: CallStageSchema,
  code: z.string().nullable(),
  class: ResultClassSchema.nullable(),
  fault: FaultSchema.nullable(),
  /** RFC 8785 text of the frozen input; null before normalize */
  frozenInput: z.string().nullable(),
  inputHash: z.string().nullable(),
  approvalId: z.string().nullable(),
  grounded: z.boolean(),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** ms spent waiting for a person */
  waitedMs: z.number(),
  result: CallResultSchema.nullable(),
  /** why the stored result cannot be read: row_unreadable */
  resultFault: FaultSchema.optional(),
});
export type Invocation = z.infer<typeof InvocationSchema>;
