import { z } from 'zod';
import { CallClassSchema } from '../call-class-schema.ts';
import { CapabilityDetailSchema, CapabilitySchema, DefinitionSchema, FunnelSchema } from '../capability.ts';
import { AccessPreviewSchema, CapabilityFilterSchema, CapabilityPageSchema } from '../capability-list.ts';
import { IdempotencySchema } from '../idempotency.ts';
import { RenderingViewSchema, RouteIdSchema } from '../rendering.ts';
import { PrincipalSchema } from '../principal-schema.ts';
import { TierSchema } from '../tier-schema.ts';
import { request } from './define.ts';

const CapabilityId = z.string().min(1).max(2048);

export const capabilitiesRequests = {
  'capabilities:list': request('read', z.object({ serverId: z.string().optional(), needsReview: z.boolean().optional() }), z.object({ capabilities: z.array(CapabilitySchema) })),
  /** The same list as rows, a page of what fits, in the order of the registry or, by `name`, tools, then resources, then prompts, each by name. */
  'capabilities:rows': request(
    'read',
    CapabilityFilterSchema.extend({ order: z.enum(['registered', 'name']).default('registered'), offset: z.number().int().min(0).default(0), limit: z.number().int().min(1).max(20_000).default(20_000) }),
    CapabilityPageSchema,
  ),
  'capabilities:get': request('read', z.object({ capabilityId: CapabilityId }), z.object({ capability: CapabilityDetailSchema })),
  /**
   * The user's review of the present definition: it decides tier and admission. `definitionFingerprint`, when given, must be the present one. `callClass` and
   * `idempotency`: absent leaves them as the last review of this definition has them, null takes them back.
   */
  'capabilities:review': request(
    'write',
    z.object({
      capabilityId: CapabilityId, tier: TierSchema, admit: z.boolean(), purpose: z.string().max(500).optional(), definitionFingerprint: z.string().optional(),
      callClass: CallClassSchema.nullable().optional(), idempotency: IdempotencySchema.strict().nullable().optional(),
    }),
    z.object({ capability: CapabilitySchema, equivalentRemains: z.boolean() }),
  ),
  'access:set': request(
    'write',
    z.object({ principal: PrincipalSchema, serverId: z.string().optional(), capabilityId: CapabilityId.optional(), capabilityIds: z.array(CapabilityId).max(20000).optional(), allowed: z.boolean() }),
    z.object({ changed: z.number(), skipped: z.array(z.object({ capabilityId: z.string(), reason: z.string() })) }),
  ),
  /** What `access:set` would move of all that fits, for a person to see before it is asked for by these very ids. */
  'access:preview': request('read', CapabilityFilterSchema.extend({ allowed: z.boolean() }), AccessPreviewSchema),
  'access:history': request(
    'read',
    z.object({ serverId: z.string().optional(), limit: z.number().int().min(1).max(1000).default(200) }),
    z.object({ changes: z.array(z.object({ at: z.number(), principal: z.string(), capabilityId: z.string(), allowed: z.boolean(), by: z.string(), definitionFingerprint: z.string() })) }),
  ),
  /** `route`: a route's id or a provider's name; with it the stages of a model request are evaluated, too, as the runtime evaluates them. */
  'funnel:get': request('read', z.object({ principal: PrincipalSchema, route: z.string().max(200).optional(), serverId: z.string().optional() }), FunnelSchema),
  /** What a route's model is shown of a tool, beside the original. Without `routeId` that of the model in use; `definitionFingerprint`: an earlier definition; `hostField`: with or without Gantry's own field, as a turn had it. Error: not_found. */
  'renderings:get': request(
    'read',
    z.object({ capabilityId: CapabilityId, routeId: RouteIdSchema.optional(), definitionFingerprint: z.string().max(100).optional(), hostField: z.boolean().optional() }),
    z.object({ original: DefinitionSchema, rendering: RenderingViewSchema }),
  ),
  /** Forgets what the provider of the model in use refused of this tool: the next turn shows it again. */
  'renderings:tryAgain': request('write', z.object({ capabilityId: CapabilityId, routeId: RouteIdSchema }), z.object({ forgotten: z.number() })),
} as const;
