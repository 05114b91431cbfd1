import { z } from 'zod';
import { FaultSchema } from './fault-schema.ts';

/**
 * waiting: a person is asked, or the model that the person chose is at work (`sampling.asked`); review (sampling): the model answered and the person has not seen it
 * yet; answered: accepted, and told to the server; declined, cancelled: told as such; void: nobody waits for the answer any more.
 */
const QUESTION_STATES = ['waiting', 'review', 'answered', 'declined', 'cancelled', 'void'] as const;
export const QuestionStateSchema = z.enum(QUESTION_STATES);
export type QuestionState = z.infer<typeof QuestionStateSchema>;

/** `call_ended`: the server ended the call without waiting; `stopped`: the call, its run or all was stopped; `restarted`: Gantry was; `server_gone`: its connection is over. */
const QUESTION_VOID_REASONS = ['call_ended', 'stopped', 'restarted', 'server_gone', 'withdrawn'] as const;
export const QuestionVoidReasonSchema = z.enum(QUESTION_VOID_REASONS);
export type QuestionVoidReason = z.infer<typeof QuestionVoidReasonSchema>;

/** One field of a form, as Gantry judged it: the restricted flat schema of elicitation (2025-11-25 and 2026-07-28), text bounded and well-formed. */
const FieldBase = { name: z.string(), title: z.string().optional(), description: z.string().optional(), required: z.boolean(), /** it looks as if a password, key or token were asked for, which a form may not ask */ secretLike: z.boolean() };
const Bounds = { minimum: z.number().optional(), maximum: z.number().optional(), default: z.number().optional() };
const Choice = z.object({ value: z.string(), title: z.string() });
const QuestionFieldSchema = z.discriminatedUnion('type', [
  z.object({ ...FieldBase, type: z.literal('string'), minLength: z.number().optional(), maxLength: z.number().optional(), format: z.enum(['email', 'uri', 'date', 'date-time']).optional(), pattern: z.string().optional(), default: z.string().optional() }),
  z.object({ ...FieldBase, type: z.literal('number'), ...Bounds }),
  z.object({ ...FieldBase, type: z.literal('integer'), ...Bounds }),
  z.object({ ...FieldBase, type: z.literal('boolean'), default: z.boolean().optional() }),
  z.object({ ...FieldBase, type: z.literal('choice'), choices: z.array(Choice), default: z.string().optional() }),
  z.object({ ...FieldBase, type: z.literal('choices'), choices: z.array(Choice), minItems: z.number().optional(), maxItems: z.number().optional(), default: z.array(z.string()).optional() }),
]);
export type QuestionField = z.infer<typeof QuestionFieldSchema>;

/** A message that a server wants a model to read, or a model wrote; blocks as on the wire, bounded. */
const SamplingMessageSchema = z.object({ role: z.enum(['user', 'assistant']), content: z.array(z.record(z.string(), z.unknown())) });
export type SamplingMessage = z.infer<typeof SamplingMessageSchema>;

export const SamplingReplySchema = z.object({
  role: z.literal('assistant'),
  /** text, image, audio, and tool_use where tools were offered */
  content: z.array(z.record(z.string(), z.unknown())),
  /** the model's own name, told to the server */
  model: z.string(),
  stopReason: z.string().optional(),
});
export type SamplingReply = z.infer<typeof SamplingReplySchema>;

export const SamplingRequestSchema = z.object({
  messages: z.array(SamplingMessageSchema),
  systemPrompt: z.string().optional(),
  maxTokens: z.number(),
  temperature: z.number().optional(),
  stopSequences: z.array(z.string()).optional(),
  tools: z.array(z.object({ name: z.string(), description: z.string().optional(), inputSchema: z.record(z.string(), z.unknown()) })).optional(),
  toolChoice: z.object({ mode: z.enum(['auto', 'required', 'none']) }).optional(),
  modelPreferences: z.record(z.string(), z.unknown()).optional(),
});
export type SamplingRequest = z.infer<typeof SamplingRequestSchema>;

const Base = {
  id: z.string(),
  serverId: z.string(),
  /** as the person named it */
  serverName: z.string(),
  /** the call that it belongs to; null where several of this server ran and it did not say which */
  invocationId: z.string().nullable(),
  runId: z.string().nullable(),
  capabilityId: z.string().nullable(),
  /** 1 for the first question of its call */
  round: z.number(),
  state: QuestionStateSchema,
  askedAt: z.number(),
  expiresAt: z.number(),
  endedAt: z.number().nullable(),
  /** who answered: window, command or script; Gantry where nobody did */
  by: z.string().nullable(),
  /** the server's own words: untrusted, bounded, known secrets masked */
  message: z.string(),
  voidReason: QuestionVoidReasonSchema.optional(),
};

export const QuestionSchema = z.discriminatedUnion('kind', [
  z.object({ ...Base, kind: z.literal('form'), form: z.object({ /** judged; `fields` says the same for drawing */ requestedSchema: z.record(z.string(), z.unknown()), fields: z.array(QuestionFieldSchema) }) }),
  z.object({ ...Base, kind: z.literal('url'), url: z.object({ /** https, or loopback; never fetched by Gantry: the window opens it as a link when the person accepts */ url: z.string(), host: z.string(), elicitationId: z.string().nullable(), /** the server said that what happens there is done */ completedAt: z.number().nullable(),
    /** the call goes on only after what happens there: after the first accept it still waits, until the server says that it is done or a second accept says so for the person */ thenContinue: z.boolean(), openedAt: z.number().nullable() }) }),
  z.object({
    ...Base,
    kind: z.literal('sampling'),
    sampling: SamplingRequestSchema.extend({
      includeContext: z.enum(['none', 'thisServer', 'allServers']).optional(),
      /** the model that the person chose, while it is at work and after */
      asked: z.object({ modelId: z.string(), at: z.number() }).nullable(),
      /** what the model answered, for the person to see before the server gets it */
      reply: SamplingReplySchema.optional(),
      /** why the chosen model gave no answer; another may be chosen */
      failed: FaultSchema.optional(),
    }),
  }),
]);
export type Question = z.infer<typeof QuestionSchema>;

/** A model that may answer a server's sampling. */
export const SamplingModelChoiceSchema = z.object({ id: z.string(), title: z.string(), provider: z.string(), /** it can be given tools */ tools: z.boolean() });
export type SamplingModelChoice = z.infer<typeof SamplingModelChoiceSchema>;
