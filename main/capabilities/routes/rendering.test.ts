import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { ROUTE_IDS, type RouteId } from '../../../shared/rendering.ts';
import { SchemaChecker } from '../schema-checker.ts';
import { routeComplaints } from './check-rendering.ts';
import { ROUTES } from './profiles.ts';
import { inputSchemas, valueFor } from './random-schemas.fixture.ts';
import { renderFor, type Rendering } from './rendering.ts';
import { applyUndo, type Undo } from './undo.ts';

const schemas = new SchemaChecker();
afterAll(() => schemas.close());
let serial = 0;
const judgeOf = (schema: unknown) => {
  const compiled = schemas.compile(schema, `r${serial++}`, 'input');
  if (!compiled.ok) throw new Error(compiled.error.message);
  return compiled.value;
};

/** `nullable` is a word of some providers; in JSON Schema it is a type. */
const inJsonSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, key === 'enum' ? one : inJsonSchema(one)]));
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest;
};

/** The arguments as a model would give them on the route: what undo takes out is put in. */
const asShown = (value: unknown, undo: Undo | null, closed: boolean, schema: Record<string, unknown>): unknown => {
  if (Array.isArray(value)) return value.map((one) => asShown(one, undo?.items ?? null, closed, (schema['items'] ?? {}) as Record<string, unknown>));
  if (typeof value === 'object' && value !== null) {
    const properties = (schema['properties'] ?? {}) as Record<string, Record<string, unknown>>;
    const shownName = new Map([...(undo?.members ?? [])].map(([shown, member]) => [member.name, shown]));
    const given = Object.fromEntries(Object.entries(value).map(([name, one]) => {
      const shown = shownName.get(name) ?? name;
      return [shown, asShown(one, undo?.members?.get(shown)?.undo ?? null, closed, properties[shown] ?? {})];
    }));
    if (!closed) return given;
    return { ...Object.fromEntries(Object.keys(properties).map((name) => [name, null])), ...given };
  }
  for (const [text, meant] of [...(undo?.texts ?? []), ...(undo?.rivals ?? [])]) if (meant === value) return text;
  return value;
};

const hasRivals = (undo: Undo | null | undefined): boolean => !!undo && (undo.rivals !== undefined || hasRivals(undo.items) || [...(undo.members?.values() ?? [])].some((member) => hasRivals(member.undo)));

/** As normalize takes it: undone where the original accepts that, else as it came but for its names. */
const undone = (value: unknown, rendering: Rendering, original: (value: unknown) => { readonly ok: boolean }): unknown => {
  const whole = applyUndo(value, rendering.undo, 'values', []);
  if (original(whole).ok) return whole;
  const named = applyUndo(value, rendering.undo, 'names', []);
  return original(named).ok ? named : applyUndo(value, rendering.undo, 'all', []);
};

test('RT21 whatever the schema, what is shown keeps the route’s rules', () => {
  fc.assert(
    fc.property(inputSchemas, fc.constantFrom(...ROUTE_IDS), (inputSchema, routeId) => {
      const rendering = renderFor({ name: 't', inputSchema }, routeId);
      expect(rendering.leftOut).toBeNull();
      expect(routeComplaints(rendering.schema, ROUTES[routeId === 'openai-strict' && !rendering.strict ? 'openai-chat' : routeId])).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('RT22 what the original accepts can be said on every route, and arrives as it was meant', () => {
  fc.assert(
    fc.property(inputSchemas, fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 }), fc.constantFrom<RouteId>('anthropic', 'openai-chat', 'openai-strict', 'gemini', 'moonshot', 'local', 'portable'), (inputSchema, numbers, routeId) => {
      let at = 0;
      const value = valueFor(inputSchema, () => numbers[at++ % numbers.length]! + at);
      const original = judgeOf(inputSchema);
      fc.pre(original(value).ok);
      const rendering = renderFor({ name: 't', inputSchema }, routeId);
      // strict functions have no word for a member that nobody described
      const shown = asShown(value, rendering.undo, rendering.strict, rendering.schema);
      // which of several strict forms is meant decides which members are null: not what is asked here
      fc.pre(!rendering.strict || !JSON.stringify(rendering.schema).includes('anyOf'));
      const accepted = judgeOf(inJsonSchema(rendering.schema))(shown);
      if (!accepted.ok) throw new Error(`${routeId} refuses ${JSON.stringify(shown)}: ${accepted.pointer} ${accepted.message}\n${JSON.stringify(inputSchema)}\n${JSON.stringify(rendering.schema)}`);
      const back = undone(shown, rendering, original);
      expect(original(back).ok).toBe(true);
      if (!rendering.strict && !hasRivals(rendering.undo)) expect(back).toEqual(value);
    }),
    { numRuns: 150 },
  );
});

test('RT23 arguments in the server’s own words, which a model may use as well, are never made unacceptable', () => {
  fc.assert(
    fc.property(inputSchemas, fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 }), fc.constantFrom(...ROUTE_IDS), (inputSchema, numbers, routeId) => {
      let at = 0;
      const value = valueFor(inputSchema, () => numbers[at++ % numbers.length]! + at);
      const original = judgeOf(inputSchema);
      fc.pre(original(value).ok);
      expect(original(undone(value, renderFor({ name: 't', inputSchema }, routeId), original)).ok).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test('RT24 every change is a step with its place, and the state is the weightiest of them', () => {
  fc.assert(
    fc.property(inputSchemas, fc.constantFrom(...ROUTE_IDS), (inputSchema, routeId) => {
      const { state, steps, schema, strict } = renderFor({ name: 't', inputSchema }, routeId);
      expect(state).toBe(steps.some((step) => step.kind === 'told') ? 'told' : steps.length > 0 ? 'rewritten' : 'unchanged');
      if (state === 'unchanged' && ROUTES[routeId].schema.form === 'edited') expect(schema).toEqual(inputSchema);
      for (const step of steps) expect(step.source === undefined || step.source.startsWith('https://')).toBe(true);
      expect(strict).toBe(routeId === 'openai-strict' && !steps.some((step) => step.code === 'strict_off'));
    }),
  );
});
