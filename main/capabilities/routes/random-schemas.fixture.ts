import fc from 'fast-check';

type Schema = Record<string, unknown>;
const NAMES = ['a', 'b', 'c', 'x y', '$top', 'filter[id]', '名'];

const text = fc.record({ type: fc.constant('string'), minLength: fc.integer({ min: 0, max: 1 }), pattern: fc.constantFrom('^[a-z]*$', '^\\p{Script=Han}*[a-z]*$', '\\S|^$'), format: fc.constantFrom('date', 'uri-odd') }, { requiredKeys: ['type'] });
const list = fc.constantFrom<Schema>({ type: 'string', enum: ['u', 'v'] }, { type: 'string', enum: ['a', ''] }, { enum: ['u', 'v'] }, { type: 'integer', enum: [0, 1, 2] }, { enum: [1, 'x', null, true] }, { enum: [true, false] }, { const: 7 }, { type: 'boolean', enum: [true] });
const number = fc.record({ type: fc.constantFrom('integer', 'number'), minimum: fc.integer({ min: -3, max: 0 }), maximum: fc.integer({ min: 1, max: 9 }), multipleOf: fc.constant(1), exclusiveMaximum: fc.constant(12) }, { requiredKeys: ['type'] });
const leaf: fc.Arbitrary<Schema> = fc.oneof(text, list, number, fc.constantFrom<Schema>({ type: 'boolean' }, { type: ['string', 'null'] }, { type: ['integer', 'string'] }, { type: 'null' }));

/** Schemas of the kinds that servers write, each part with a type: what they mean is then plain. */
export const schemas = fc.letrec<{ any: Schema; object: Schema; array: Schema; union: Schema }>((tie) => ({
  any: fc.oneof({ maxDepth: 3, depthIdentifier: 'schema' }, leaf, tie('object'), tie('array'), tie('union')),
  object: fc
    .tuple(fc.dictionary(fc.constantFrom(...NAMES), tie('any'), { maxKeys: 4 }), fc.subarray(NAMES), fc.constantFrom(undefined, true, false), fc.boolean())
    .map(([properties, required, additionalProperties, described]) => ({ type: 'object', properties, required: required.filter((name) => Object.hasOwn(properties, name)), ...(additionalProperties === undefined ? {} : { additionalProperties }), ...(described ? { description: 'an object' } : {}) })),
  array: fc.record({ type: fc.constant('array'), items: tie('any'), maxItems: fc.constant(3), uniqueItems: fc.constant(true) }, { requiredKeys: ['type', 'items'] }),
  union: fc.tuple(fc.constantFrom('anyOf', 'oneOf'), fc.array(fc.oneof(leaf, tie('object')), { minLength: 1, maxLength: 3 })).map(([keyword, members]) => ({ [keyword]: members })),
}));

/** For a tool's input: an object, or alternatives of objects. */
export const inputSchemas: fc.Arbitrary<Schema> = fc.oneof(
  schemas.object,
  fc.tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf'), fc.array(schemas.object, { minLength: 1, maxLength: 3 })).map(([keyword, members]) => ({
    type: 'object',
    // alternatives that are open say nothing of each other's members: shown together, a name means what the form says that describes it
    [keyword]: members.map((member) => ({ ...member, ...(keyword === 'allOf' ? { additionalProperties: true } : { additionalProperties: false }) })),
  })),
);

const pick = <T>(from: readonly T[], next: () => number): T => from[next() % from.length]!;

/** A value that a schema has a fair chance to accept; `next` gives whole numbers from 0. */
export const valueFor = (schema: Schema, next: () => number): unknown => {
  if (Object.hasOwn(schema, 'const')) return schema['const'];
  if (Array.isArray(schema['enum'])) return pick(schema['enum'] as unknown[], next);
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const members = schema[keyword] as Schema[] | undefined;
    if (!members) continue;
    if (keyword !== 'allOf') return valueFor(pick(members, next), next);
    return Object.assign({}, ...members.map((member) => valueFor(member, next)));
  }
  const type = Array.isArray(schema['type']) ? pick(schema['type'] as string[], next) : schema['type'];
  switch (type) {
    case 'string':
      return pick(['', 'a', 'u', 'abc', '中a', '2024-01-31', '0', '2'], next);
    case 'integer':
      return pick([0, 1, 2, 5, -3], next);
    case 'number':
      return pick([0, 0.5, 1, 9], next);
    case 'boolean':
      return next() % 2 === 0;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: next() % 3 }, () => valueFor(schema['items'] as Schema, next));
    default: {
      const required = (schema['required'] as string[] | undefined) ?? [];
      return Object.fromEntries(Object.entries((schema['properties'] as Record<string, Schema> | undefined) ?? {}).filter(([name]) => required.includes(name) || next() % 3 > 0).map(([name, member]) => [name, next() % 9 === 0 ? null : valueFor(member, next)]));
    }
  }
};
