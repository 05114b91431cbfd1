import { z } from 'zod';
import { UsageSchema } from './model.ts';
import { RunSchema } from './run.ts';

/** How an agent run ended: a question to the person, an answer, too little evidence for one, or a stop (limit, loop, person, failure). */
const ANSWER_ENDINGS = ['answer', 'ask', 'insufficient_evidence', 'stop'] as const;

/** Results that an answer cites, by the label that the model was told ([r3]). Each of `cited` is in exactly one of the three others. */
const CitationsSchema = z.object({
  cited: z.array(z.string()),
  /** a result of this run or of an earlier one of its conversation that may be cited */
  grounded: z.array(z.string()),
  /** a result that gives no grounding: invalid, suspect, pending, of no known form */
  notGrounded: z.array(z.string()),
  /** no result has this label */
  unknown: z.array(z.string()),
  /** label -> invocation, of those that are known */
  results: z.record(z.string(), z.string()),
});
export type Citations = z.infer<typeof CitationsSchema>;

/** The data of the evidence event `run.answer`. */
export const AnswerSchema = z.object({
  text: z.string(),
  ending: z.enum(ANSWER_ENDINGS),
  /** of `stop`: a fault code */
  code: z.string().nullable(),
  /** of `stop`, where the model's provider or the way to it failed: what is in the way, as the test of a model says it */
  why: z.object({ message: z.string(), details: z.record(z.string(), z.unknown()) }).optional(),
  citations: CitationsSchema,
});
export type Answer = z.infer<typeof AnswerSchema>;

export const ConversationSchema = z.object({
  id: z.string(),
  title: z.string(),
  profileId: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** questions, each one run */
  runs: z.number(),
  lastRunId: z.string().nullable(),
  /** of the last run */
  state: RunSchema.shape.state.nullable(),
});
export type Conversation = z.infer<typeof ConversationSchema>;

/** What went along with a question, from its run's evidence. `name`: of a file, or a capability's id; `sizeBytes` of a file, or of the text that a model was told of it. */
const WentAlongSchema = z.object({
  kind: z.enum(['file', 'resource', 'prompt']),
  name: z.string(),
  mediaType: z.string().optional(),
  sizeBytes: z.number().optional(),
  /** its reading */
  invocationId: z.string().optional(),
  /** it could not be read: a fault code */
  code: z.string().optional(),
});
export type WentAlong = z.infer<typeof WentAlongSchema>;

/** One question of a conversation. The run's events tell how it went. */
export const ConversationRunSchema = z.object({
  runId: z.string(),
  prompt: z.string(),
  modelId: z.string().nullable(),
  model: z.string(),
  /** absent: the run's record was deleted */
  run: RunSchema.optional(),
  answer: AnswerSchema.nullable(),
  usage: UsageSchema.nullable(),
  /** absent: nothing */
  along: z.array(WentAlongSchema).optional(),
});
export type ConversationRun = z.infer<typeof ConversationRunSchema>;

/** Part of a text, in UTF-16 units; `to` is the first one after it. */
export const MarkSchema = z.object({ from: z.number(), to: z.number() });
export type Mark = z.infer<typeof MarkSchema>;
