import { z } from 'zod';
import { CallClassSchema } from './call-class-schema.ts';
import { CAPABILITY_KINDS } from './capability-id.ts';
import { FUNNEL_STAGE_NAMES } from './funnel-stages.ts';
import { IdempotencySchema } from './idempotency.ts';
import { SelectionRecordSchema } from './ranking.ts';
import { TierSchema } from './tier-schema.ts';

export const CapabilityKindSchema = z.enum(CAPABILITY_KINDS);

/** What keeps a schema, or a part of it, from being judged. Each window words it; `reason` beside it is the host's English with the particulars. */
export const SCHEMA_DEFECTS = [
  'not_a_schema', 'unknown_dialect', 'other_dialect', 'pattern', 'invalid_keyword', 'rests_on_unjudged', 'reference_outside', 'reference_broken', 'reference_endless',
  'too_large', 'too_slow', 'not_for_objects', 'not_compiled',
] as const;
export const SchemaDefectSchema = z.enum(SCHEMA_DEFECTS);
export type SchemaDefect = z.infer<typeof SchemaDefectSchema>;

export const SchemaStateSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('checked') }),
  z.object({ state: z.literal('partly_checked'), places: z.array(z.object({ pointer: z.string(), code: SchemaDefectSchema.optional(), reason: z.string() })) }),
  z.object({ state: z.literal('excluded'), pointer: z.string(), code: SchemaDefectSchema.optional(), reason: z.string() }),
]);
export type SchemaState = z.infer<typeof SchemaStateSchema>;

/** What the server declares; untrusted text, kept whole (design section 6). */
export const DefinitionSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
  uri: z.string().optional(),
  /** of a template of resources (RFC 6570); it has no `uri` of its own */
  uriTemplate: z.string().optional(),
  mimeType: z.string().optional(),
  arguments: z.unknown().optional(),
});
export type Definition = z.infer<typeof DefinitionSchema>;

export const ReviewSchema = z.object({
  tier: TierSchema,
  admit: z.boolean(),
  purpose: z.string().optional(),
  callClass: CallClassSchema.optional(),
  idempotency: IdempotencySchema.optional(),
  by: z.string(),
  at: z.number(),
  definitionFingerprint: z.string(),
});
export type Review = z.infer<typeof ReviewSchema>;

/** `field` is a field's name, or inside a structured one `inputSchema#<JSON Pointer>`; `words` is the difference of two texts, where they are not too long. */
export const FieldChangeSchema = z.object({
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  words: z.array(z.object({ op: z.enum(['same', 'removed', 'added']), text: z.string() })).optional(),
});
export type FieldChange = z.infer<typeof FieldChangeSchema>;

/** Why a capability stands where it stands in the funnel. */
export const FUNNEL_STAGES = FUNNEL_STAGE_NAMES;
export const FunnelStageSchema = z.enum(FUNNEL_STAGES);
export type FunnelStage = z.infer<typeof FunnelStageSchema>;

export const CapabilitySchema = z.object({
  id: z.string(),
  serverId: z.string(),
  kind: CapabilityKindSchema,
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  definitionFingerprint: z.string(),
  bindingFingerprint: z.string(),
  /** flat, for scripts: checked | partly_checked | excluded */
  schemaState: z.enum(['checked', 'partly_checked', 'excluded']),
  schemaDetail: SchemaStateSchema,
  tier: TierSchema,
  /** where the tier comes from */
  tierSource: z.enum(['catalog', 'user', 'annotation', 'default']),
  /** as reviewed; absent: it follows from the tier */
  callClass: CallClassSchema.optional(),
  /** as reviewed; absent: nothing is known of repeats */
  idempotency: IdempotencySchema.optional(),
  admitted: z.boolean(),
  /** no review of this definition yet: it waits in the review list */
  needsReview: z.boolean(),
  /** differs from the last reviewed definition */
  changedFields: z.array(z.string()),
  grantedTo: z.array(z.string()),
  available: z.boolean(),
  unavailableReason: z.string().optional(),
  /** hidden or confusable characters, name clashes, instruction-like text: shown, never trusted */
  flags: z.array(z.object({ code: z.string(), place: z.string(), detail: z.string() })),
  firstSeenAt: z.number(),
  lastSeenAt: z.number(),
});
export type Capability = z.infer<typeof CapabilitySchema>;

/** A capability as a list shows it: what a row needs, a sixth of the whole. The description is cut at 1,000 characters. */
export const CapabilityRowSchema = CapabilitySchema.pick({
  id: true, serverId: true, kind: true, name: true, title: true, description: true, schemaState: true, tier: true, admitted: true, needsReview: true, changedFields: true, grantedTo: true,
  available: true, unavailableReason: true,
}).extend({ flagCount: z.number() });
export type CapabilityRow = z.infer<typeof CapabilityRowSchema>;

export const CapabilityDetailSchema = CapabilitySchema.extend({
  definition: DefinitionSchema,
  /** what a use of it takes, as JSON Schema: a tool's own; for resources, templates and prompts what the host makes of their declaration */
  inputSchema: z.unknown().optional(),
  review: ReviewSchema.nullable(),
  /** arguments that look like a key against repeats, by their names and schemas: of no effect until a review names one */
  keyFields: z.array(z.string()).default([]),
  previousDefinition: DefinitionSchema.nullable(),
  changes: z.array(FieldChangeSchema),
});
export type CapabilityDetail = z.infer<typeof CapabilityDetailSchema>;

export const FunnelSchema = z.object({
  principal: z.string(),
  stages: z.array(
    z.object({
      stage: FunnelStageSchema,
      evaluated: z.boolean(),
      count: z.number(),
      capabilityIds: z.array(z.string()),
      /** `place`: where it was ranked for the request among those that were chosen from */
      lost: z.array(z.object({ capabilityId: z.string(), reason: z.string(), place: z.object({ at: z.number(), of: z.number() }).optional() })),
    }),
  ),
  /** those that fit the route and that the person has marked to come first */
  pinned: z.array(z.string()).optional(),
  /** how the candidates of a request were ranked; absent where nothing was asked */
  selection: SelectionRecordSchema.optional(),
  /** what one request of the route carries of tools, and at most; tokens are those of the definitions, estimated. Absent where no route is asked about */
  request: z.object({ tools: z.number(), maxTools: z.number(), tokens: z.number(), maxTokens: z.number() }).optional(),
});
export type FunnelRequest = NonNullable<z.infer<typeof FunnelSchema>['request']>;
export type Funnel = z.infer<typeof FunnelSchema>;
