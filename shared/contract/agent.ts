import { z } from 'zod';
import { AgentProfileSchema, RunLimitsSchema, ScopeSchema } from '../agent-profile.ts';
import { AttachmentSchema } from '../attachment.ts';
import { MOST_ATTACHMENTS } from '../most-attachments.ts';
import { ConversationRunSchema, ConversationSchema, MarkSchema } from '../conversation.ts';
import { ModelLimitsSchema, ModelSchema, ModelTestSchema, PricesSchema } from '../model.ts';
import { PrincipalSchema } from '../principal-schema.ts';
import { RouteIdSchema } from '../rendering.ts';
import { Empty, request } from './define.ts';

const Id = z.string().min(1).max(100);
const ProfileId = z.string().regex(/^[a-z0-9-]{1,40}$/);

/** A misspelt narrowing or limit is refused by name: taken for none it would let everything in. */
const Scope = ScopeSchema.strict();
const Limits = RunLimitsSchema.strict();

/** `key`: absent leaves the one that is kept for this very address, null takes it away. `route`: the rules that tools are shown by; without it they follow from provider, model and address. */
const ModelDraft = z.strictObject({
  provider: z.string().min(1).max(100),
  baseUrl: z.url({ protocol: /^https?$/ }).max(2000),
  model: z.string().trim().min(1).max(300),
  key: z.string().min(1).max(10_000).nullable().optional(),
  route: RouteIdSchema.nullable().optional(),
  label: z.string().max(100).optional(),
  prices: PricesSchema.strict().nullable().optional(),
  limits: ModelLimitsSchema.strict().optional(),
});

export const agentRequests = {
  /** The one in use first, the others by their label. The table of presets is shared/model-presets.ts. */
  'models:list': request('read', Empty, z.object({ models: z.array(ModelSchema) })),
  /**
   * With the `id` of a model changes it; with `id: null` adds one, which is in use where it is the first. Without `id` it is the one in use that is set. What is absent
   * of `label`, `prices` and `limits` stays. Errors: not_found, those of the secret store (field /key), invalid_request (an address with a user's name or password; a key that no header can carry).
   */
  'models:set': request('write', ModelDraft.extend({ id: Id.nullable().optional() }), z.object({ id: z.string() })),
  /** Its key goes too. Profiles that named it ask the model in use. Error: not_found. */
  'models:remove': request('write', z.object({ id: Id }), Empty),
  /** From now on the one that is asked where nothing else is named. Error: not_found. */
  'models:use': request('write', z.object({ id: Id }), Empty),
  /** Asks it, with words of Gantry's own and one tool that does nothing: costs a few hundred tokens. `draft` without a key uses the kept one of `id`. What is wrong is in the steps. Errors: not_found, secret_store_locked. */
  'models:test': request('write', z.object({ id: Id.optional(), draft: ModelDraft.optional() }), ModelTestSchema),
  /** The model in use; null where none is set. */
  'models:get': request('read', Empty, z.object({ model: z.object({ provider: z.string(), baseUrl: z.string(), model: z.string(), routeId: RouteIdSchema, routeSet: z.boolean(), hasKey: z.boolean() }).nullable() })),
  /** `default`, the built-in agent, first; it is always there. */
  'profiles:list': request('read', Empty, z.object({ profiles: z.array(AgentProfileSchema) })),
  /**
   * Without `id` adds one, whose id is made of its name. It has no access until that is granted to its principal; `accessLike` grants it, on record, what that
   * principal is granted now. What is absent stays. Errors: not_found (also field /modelId), conflict (too many).
   */
  'profiles:set': request(
    'write',
    z.object({
      id: ProfileId.optional(), name: z.string().max(100).optional(), modelId: Id.nullable().optional(), instructions: z.string().max(20_000).optional(), scope: Scope.nullable().optional(), limits: Limits.optional(),
      accessLike: PrincipalSchema.optional(),
    }),
    z.object({ profile: AgentProfileSchema, granted: z.number() }),
  ),
  /** Takes its grants away, on record. Errors: not_found, conflict (`default`). */
  'profiles:remove': request('write', z.object({ id: ProfileId }), Empty),
  /**
   * A question to the built-in agent: a run of its own, in a conversation. Without `conversationId` it begins one. `model`: the id of a configured model, or a model's name
   * at the provider in use; else the profile's, else the one in use. `scope` narrows the profile's further, `limits` replace those of the profile that they name.
   * Errors: no_model, not_found (field), conflict (a run of the conversation is under way), secret_store_locked, attachment_unfit, invalid_request (nothing of the prompt can be seen).
   */
  'agent:run': request(
    'write',
    z.object({
      prompt: z.string().min(1).max(1_000_000), model: z.string().max(300).optional(), wait: z.boolean().optional(), profileId: ProfileId.optional(), conversationId: Id.optional(),
      attachments: z.array(AttachmentSchema).max(MOST_ATTACHMENTS).optional(), scope: Scope.optional(), limits: Limits.optional(),
    }),
    z.object({ runId: z.string(), conversationId: z.string() }),
  ),
  /**
   * Asks the model on with the last question of its conversation, which was cut (by a restart, a stop, a failure): a run of its own, told what was finished, what was not and what is unknown. `words`: what stands in the
   * conversation as the person's. Errors: not_found, conflict (details.state: it goes on, was answered, or a later question was asked), and those of agent:run.
   */
  'agent:goOn': request('write', z.object({ runId: Id, words: z.string().min(1).max(200).default('Go on.'), wait: z.boolean().optional() }), z.object({ runId: z.string(), conversationId: z.string() })),
  /** Closes the connection to the model and cancels what has not been sent; what is finished stays. A run that has ended stays as it is. Error: not_found. */
  'agent:stop': request('write', z.object({ runId: Id }), Empty),
  /** The one used last first. */
  'conversations:list': request('read', z.object({ limit: z.number().int().min(1).max(500).default(100), offset: z.number().int().min(0).default(0) }), z.object({ conversations: z.array(ConversationSchema), total: z.number() })),
  /** Its newest questions, oldest first; with `before` the ones before that run's. `earlier`: how many come before those. Errors: not_found (also field /before). */
  'conversations:get': request(
    'read',
    z.object({ conversationId: Id, before: Id.optional(), limit: z.number().int().min(1).max(500).default(50) }),
    z.object({ conversation: ConversationSchema, runs: z.array(ConversationRunSchema), earlier: z.number() }),
  ),
  /**
   * Every word has to be in the title, a question or an answer. `excerpt`: around the first of them, of some 200 characters; `marks`, `titleMarks`: where the words
   * stand in it and in the title. `instead`: nothing has these words, and these near ones were looked for.
   */
  'conversations:search': request(
    'read',
    z.object({ words: z.string().max(500), limit: z.number().int().min(1).max(200).default(50) }),
    z.object({ found: z.array(z.object({ conversation: ConversationSchema, runId: z.string().nullable(), excerpt: z.string(), marks: z.array(MarkSchema), titleMarks: z.array(MarkSchema) })), instead: z.string().nullable() }),
  ),
  /** Error: not_found. */
  'conversations:rename': request('write', z.object({ conversationId: Id, title: z.string().min(1).max(300) }), Empty),
  /** The conversation with its words; the runs stay in the history until they are deleted there. Errors: not_found, conflict (a run of it is under way). */
  'conversations:remove': request('write', z.object({ conversationId: Id }), Empty),
} as const;
