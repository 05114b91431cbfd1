import { z } from 'zod';
import { RENDERING_STATES, ROUTE_IDS, type RenderingState, type RouteId } from './route-ids.ts';

export { ROUTE_IDS, type RenderingState, type RouteId };

export const RouteIdSchema = z.enum(ROUTE_IDS);

/** `same`: rewritten with the same meaning; `told`: in words in the description, still enforced; `mended`: a defect of the contract; `text`: hidden characters; `host`: Gantry's own field, beside the server's. */
export const STEP_KINDS = ['same', 'told', 'mended', 'text', 'host'] as const;
export const STEP_CODES = [
  'root_type_added', 'properties_added', 'items_added', 'type_added', 'boolean_schema', 'stated_in_2020_12', 'nullable', 'type_list', 'alternatives_merged', 'literals_as_list', 'list_as_text', 'list_of_both', 'all_of_merged',
  'references_inlined', 'recursion_unrolled', 'pattern_rewritten', 'pattern_ranges', 'member_renamed', 'optional_as_nullable', 'strict_off',
  'root_alternatives', 'constraint_told', 'pattern_told', 'exactly_one_told', 'any_value', 'list_told', 'closed_told', 'alternatives_told',
  'unknown_required', 'foreign_keyword', 'invalid_keyword', 'hidden_text', 'host_field',
] as const;
export const RenderingStepSchema = z.object({
  /** JSON Pointer, in the original where that place exists there */
  place: z.string(),
  kind: z.enum(STEP_KINDS),
  code: z.enum(STEP_CODES),
  detail: z.string().optional(),
  /** where the route's rule that asked for it is written down */
  source: z.string().optional(),
});
export type RenderingStep = z.infer<typeof RenderingStepSchema>;
export type StepCode = RenderingStep['code'];
export type StepKind = RenderingStep['kind'];

export const RenderingStateSchema = z.enum(RENDERING_STATES);

/** Why a tool is not shown on a route: each window words the code. */
export const LEFT_OUT_CODES = ['schema_excluded', 'rendering_too_large', 'route_rule', 'set_aside'] as const;

/** A provider's refusal of one tool, proved by a request with it and one without (or in plain words); it holds for this model and this definition. */
const SetAsideSchema = z.object({ capabilityId: z.string(), routeId: RouteIdSchema, form: z.enum(['plainest', 'set_aside']), model: z.string(), status: z.number(), providerSays: z.string(), runId: z.string(), at: z.number() });

export const RenderingViewSchema = z.object({
  routeId: RouteIdSchema,
  state: RenderingStateSchema,
  /** as this route's model sees it, among all tools registered now */
  name: z.string(),
  description: z.string().nullable(),
  schema: z.unknown(),
  strict: z.boolean(),
  steps: z.array(RenderingStepSchema),
  leftOut: z.object({ code: z.enum(LEFT_OUT_CODES), reason: z.string() }).nullable(),
  setAside: SetAsideSchema.nullable(),
});
export type RenderingView = z.infer<typeof RenderingViewSchema>;
