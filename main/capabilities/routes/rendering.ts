import type { Definition } from '../../../shared/capability.ts';
import type { RenderingState, RenderingStep, RouteId, LEFT_OUT_CODES } from '../../../shared/rendering.ts';
import { HOST_RESULT } from '../../../shared/host-result.ts';
import { withoutHiddenText } from '../hidden-text.ts';
import { withHostField } from '../host-field.ts';
import { isObject, type SchemaObject } from '../schema-graph.ts';
import { routeComplaints } from './check-rendering.ts';
import { editSchema } from './edit-schema.ts';
import { flattenRoot } from './flatten-root.ts';
import { inlineReferences } from './inline-references.ts';
import { ROUTES } from './profiles.ts';
import { NotStrict, rebuild } from './rebuild-schema.ts';
import { RenderingContext, RenderingTooLarge } from './rendering-context.ts';
import { MAX_RENDERING_BYTES, UNROLL_DEPTH, type RouteProfile } from './route-profile.ts';
import { TooManyForms } from './schema-forms.ts';
import { shownTexts } from './shown-text.ts';
import { stateIn2020 } from './state-in-2020.ts';
import type { Undo } from './undo.ts';

/** What one route's model is shown of one tool (design section 6), and how to take back what that introduced. */
export interface Rendering {
  readonly routeId: RouteId;
  readonly state: RenderingState;
  readonly description: string | null;
  readonly schema: SchemaObject;
  /** strict functions, where the route has them and the schema fits */
  readonly strict: boolean;
  readonly steps: readonly RenderingStep[];
  readonly undo: Undo | null;
  readonly leftOut: { readonly code: (typeof LEFT_OUT_CODES)[number]; readonly reason: string } | null;
}

const MAX_SCHEMAS = 3_000;

const leave = (profile: RouteProfile, context: RenderingContext, code: (typeof LEFT_OUT_CODES)[number], reason: string): Rendering => ({ routeId: profile.id, state: 'left_out', description: null, schema: {}, strict: false, steps: context.steps, undo: null, leftOut: { code, reason } });

const stateOf = (steps: readonly RenderingStep[]): RenderingState => (steps.some((step) => step.kind === 'told') ? 'told' : steps.length > 0 ? 'rewritten' : 'unchanged');

/** One try with a number of levels for what contains itself. */
const attempt = (definition: Definition, profile: RouteProfile, depth: number): Rendering => {
  const context = new RenderingContext(profile, MAX_SCHEMAS);
  let description: string | null = null;
  if (definition.description !== undefined) {
    description = withoutHiddenText(definition.description);
    if (description !== definition.description) context.step('/description', 'text', 'hidden_text', null);
  }
  const stated = stateIn2020(definition.inputSchema, context);
  if (!stated.ok) return leave(profile, context, 'schema_excluded', `${stated.place || '/'}: ${stated.reason}`);
  let made: { readonly schema: SchemaObject; readonly undo: Undo | null };
  if (profile.schema.form === 'edited') made = editSchema(stated.schema, stated.graph, context, depth);
  else {
    const refers = stated.graph.nodes.some((node) => node.referenced);
    const flat = flattenRoot(refers ? inlineReferences(stated.schema, stated.graph, depth, context) : stated.schema, context);
    if (flat['type'] !== 'object') context.step('', 'same', 'root_type_added', 'root');
    made = rebuild({ ...flat, type: 'object' }, '', context, true);
  }
  const schema = shownTexts(made.schema, context);
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_RENDERING_BYTES) throw new RenderingTooLarge();
  const complaints = routeComplaints(schema, profile);
  if (complaints.length > 0) return leave(profile, context, 'route_rule', complaints.slice(0, 3).join('; '));
  return { routeId: profile.id, state: stateOf(context.steps), description, schema, strict: profile.schema.closed, steps: context.steps, undo: made.undo, leftOut: null };
};

/** The tool as this route's model is shown it. Pure; what cannot be shown says why. */
export const renderFor = (definition: Definition, routeId: RouteId): Rendering => {
  const profile = ROUTES[routeId];
  for (let depth = UNROLL_DEPTH; depth >= 0; depth -= 1) {
    try {
      return attempt(definition, profile, depth);
    } catch (error) {
      if (error instanceof NotStrict) {
        const open = renderFor(definition, 'openai-chat');
        const step = { place: error.place, kind: 'same', code: 'strict_off', source: profile.sources.strict } as const;
        return { ...open, routeId, state: open.state === 'unchanged' ? 'rewritten' : open.state, steps: [step, ...open.steps] };
      }
      if (error instanceof TooManyForms) return leave(profile, new RenderingContext(profile, 0), 'rendering_too_large', 'it has too many alternatives at its root');
      if (!(error instanceof RenderingTooLarge)) throw error;
    }
  }
  return leave(profile, new RenderingContext(profile, 0), 'rendering_too_large', `what a model would be shown is larger than ${MAX_RENDERING_BYTES} bytes`);
};

/** Where the language of the field's `select` is written down. */
const HOST_FIELD_SOURCE = 'https://www.rfc-editor.org/rfc/rfc6901';
const membersOf = ({ schema }: Rendering): SchemaObject => (isObject(schema['properties']) ? schema['properties'] : {});

/**
 * The same with the host's field beside the server's members, in the route's own terms, as a step. Without it where the schema has no room, where the route
 * would show the tool otherwise for it, or where a member is shown under that name.
 */
export const renderWithHostField = (definition: Definition, routeId: RouteId): Rendering => {
  const plain = renderFor(definition, routeId);
  const inputSchema = withHostField(definition.inputSchema);
  if (inputSchema === null || plain.leftOut || Object.hasOwn(membersOf(plain), HOST_RESULT)) return plain;
  const made = renderFor({ ...definition, inputSchema }, routeId);
  if (made.leftOut || made.strict !== plain.strict || !Object.hasOwn(membersOf(made), HOST_RESULT)) return plain;
  const place = `/properties/${HOST_RESULT}`;
  // how the field itself is written on the route is part of its one step
  const steps = made.steps.filter((step) => step.place !== place && !step.place.startsWith(`${place}/`));
  const step: RenderingStep = { place, kind: 'host', code: 'host_field', source: HOST_FIELD_SOURCE };
  return { ...made, state: plain.state === 'unchanged' ? 'rewritten' : plain.state, steps: [...steps, step] };
};
