import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { HOST_RESULT } from '../../shared/host-result.ts';
import { ROUTE_IDS } from '../../shared/rendering.ts';
import { acceptsHostField, withHostField } from './host-field.ts';
import { routeComplaints } from './routes/check-rendering.ts';
import { ROUTES } from './routes/profiles.ts';
import { inputSchemas, valueFor } from './routes/random-schemas.fixture.ts';
import { renderFor, renderWithHostField } from './routes/rendering.ts';
import { SchemaChecker } from './schema-checker.ts';

const schemas = new SchemaChecker();
afterAll(() => schemas.close());
let serial = 0;
const judgeOf = (schema: unknown) => {
  const compiled = schemas.compile(schema, `h${serial++}`, 'input');
  if (!compiled.ok) throw new Error(compiled.error.message);
  return compiled.value;
};
const member = { type: 'string' };

test.each<[string, unknown]>([
  ['an open object', { type: 'object', properties: { a: member }, required: ['a'] }],
  ['an object without a type', { properties: { a: member } }],
  ['an empty schema', {}],
  ['members told to be open', { type: 'object', additionalProperties: true, unevaluatedProperties: {}, propertyNames: true }],
  ['patterns of other names', { type: 'object', patternProperties: { '^x-': member } }],
  ['a pattern of other names that other engines try for ever', { type: 'object', patternProperties: { [`^${'('.repeat(30)}[_a-zA-Z]+${')+'.repeat(30)}!`]: member } }],
  ['closed objects further in', { type: 'object', properties: { a: { type: 'object', additionalProperties: false } } }],
  ['a choice of required members', { type: 'object', properties: { a: member, b: member }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
  ['conditions on other members', { type: 'object', if: { properties: { a: { const: 'x' } } }, then: { required: ['b'] }, not: { required: ['c'] } }],
  ['a reference to an open object', { $ref: '#/$defs/a%20b', $defs: { 'a b': { type: 'object', allOf: [{ $ref: '#' }] } } }],
])('HF01 there is room in %s', (_what, schema) => {
  expect(acceptsHostField(schema)).toBe(true);
});

test.each<[string, unknown]>([
  ['a closed object', { type: 'object', properties: {}, additionalProperties: false }],
  ['other members of one kind', { type: 'object', additionalProperties: member }],
  ['nothing unevaluated', { type: 'object', unevaluatedProperties: false }],
  ['names of one form', { type: 'object', propertyNames: { pattern: '^[a-z]+$' } }],
  ['a member of that name', { type: 'object', properties: { [HOST_RESULT]: member } }],
  ['a requirement of that name', { type: 'object', required: [HOST_RESULT] }],
  ['a pattern that fits the name', { type: 'object', patternProperties: { '^_': member } }],
  ['a pattern that other engines try for ever, and that cannot be asked', { type: 'object', patternProperties: { [`^${'('.repeat(30)}[_a-zA-Z]+${')+'.repeat(30)}(?!y)!`]: member } }],
  ['a pattern that cannot be read', { type: 'object', patternProperties: { '(': member } }],
  ['a count of members', { type: 'object', maxProperties: 3 }],
  ['a least count, which it would fill', { type: 'object', minProperties: 1 }],
  ['a list of whole objects', { enum: [{ a: 1 }] }],
  ['a closed branch', { type: 'object', oneOf: [{ properties: { a: member }, additionalProperties: false }, { required: ['b'] }] }],
  ['a closed branch behind a reference', { type: 'object', allOf: [{ $ref: '#/$defs/x' }], $defs: { x: { additionalProperties: false } } }],
  ['what must not be closed', { type: 'object', not: { additionalProperties: false } }],
  ['what depends on the name', { type: 'object', dependentRequired: { a: [HOST_RESULT] } }],
  ['what the name brings along', { type: 'object', dependentSchemas: { [HOST_RESULT]: { required: ['a'] } } }],
  ['a reference that is found only while judging', { type: 'object', $dynamicRef: '#x' }],
  ['a reference that leaves', { $ref: 'https://elsewhere.test/x' }],
  ['a reference that is no URI', { $ref: '#/%' }],
  ['no object', { type: 'string' }],
  ['no schema', true],
])('HF01 there is no room in %s, and nothing is shown', (_what, schema) => {
  expect(acceptsHostField(schema)).toBe(false);
  expect(withHostField(schema)).toBeNull();
});

const loosened = fc.tuple(inputSchemas, fc.constantFrom<Record<string, unknown>>({}, { additionalProperties: true }, { propertyNames: { maxLength: 5 } }, { minProperties: 1 }, { patternProperties: { '^_': false } }, { patternProperties: { '^z': false } }, { not: { required: ['zz'] } }, { dependentRequired: { a: ['b'] } }, { unevaluatedProperties: false })).map(([schema, more]) => ({ ...schema, ...more }));
const numbers = fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 });
const valueBy = (schema: Record<string, unknown>, picks: readonly number[]): Record<string, unknown> => {
  let at = 0;
  return valueFor(schema, () => picks[at++ % picks.length]! + at) as Record<string, unknown>;
};

test('HF01 where there is room, the original says of every object the same with and without the field', () => {
  let withRoom = 0;
  fc.assert(
    fc.property(loosened, numbers, fc.jsonValue({ maxDepth: 2 }), (schema, picks, control) => {
      fc.pre(acceptsHostField(schema));
      withRoom += 1;
      const judge = judgeOf(schema);
      const value = valueBy(schema, picks);
      expect(judge({ ...value, [HOST_RESULT]: control }).ok).toBe(judge(value).ok);
    }),
    { numRuns: 150 },
  );
  expect(withRoom).toBeGreaterThan(100);
});

const withoutField = ({ properties, required, ...rest }: Record<string, unknown>) => ({
  ...rest,
  properties: Object.entries((properties ?? {}) as Record<string, unknown>).filter(([name]) => name !== HOST_RESULT),
  required: ((required ?? []) as string[]).filter((name) => name !== HOST_RESULT),
});

test('HF02 the field stands beside the server’s members on every route, within its rules, as one step; all else is shown as without it', () => {
  let shown = 0;
  fc.assert(
    fc.property(loosened, fc.constantFrom(...ROUTE_IDS), (inputSchema, routeId) => {
      const definition = { name: 't', description: 'd', inputSchema };
      const [plain, made] = [renderFor(definition, routeId), renderWithHostField(definition, routeId)];
      const hasField = Object.hasOwn((made.schema['properties'] ?? {}) as object, HOST_RESULT);
      expect(made.steps.some((step) => step.code === 'host_field')).toBe(hasField);
      expect(hasField && !acceptsHostField(inputSchema)).toBe(false);
      if (!hasField) {
        expect(made).toEqual(plain);
        return;
      }
      shown += 1;
      expect(routeComplaints(made.schema, ROUTES[routeId === 'openai-strict' && !made.strict ? 'openai-chat' : routeId])).toEqual([]);
      expect(withoutField(made.schema)).toEqual(withoutField(plain.schema));
      expect(made.steps.filter((step) => step.code !== 'host_field')).toEqual(plain.steps);
      expect(made.steps.at(-1)).toMatchObject({ kind: 'host', place: `/properties/${HOST_RESULT}`, source: expect.stringMatching(/^https:/) });
      expect(made.state).toBe(plain.state === 'unchanged' ? 'rewritten' : plain.state);
    }),
    { numRuns: 300 },
  );
  // about one in five
  expect(shown).toBeGreaterThan(20);
});

test('HF02 strict functions name it as they name an optional member, and plain words lose nothing', () => {
  const definition = { name: 't', inputSchema: { type: 'object', properties: { a: member }, required: ['a'] } };
  const strict = renderWithHostField(definition, 'openai-strict');
  expect(strict).toMatchObject({ strict: true, schema: { required: ['a', HOST_RESULT], additionalProperties: false, properties: { [HOST_RESULT]: { type: ['object', 'null'], required: ['select', 'byteBudget', 'refresh'], additionalProperties: false, properties: { byteBudget: { type: ['integer', 'null'] } } } } } });
  expect(renderWithHostField(definition, 'anthropic').schema).toEqual(withHostField(definition.inputSchema));
});

test('HF03 a member of the server’s that a route shows under this name keeps it', () => {
  const definition = { name: 't', inputSchema: { type: 'object', properties: { [`${HOST_RESULT}\u200b`]: member } } };
  expect(acceptsHostField(definition.inputSchema)).toBe(true);
  const made = renderWithHostField(definition, 'openai-chat');
  expect(made.schema['properties']).toMatchObject({ [HOST_RESULT]: member });
  expect(made.steps.map((step) => step.code)).not.toContain('host_field');
});
