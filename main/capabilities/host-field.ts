import type { Definition } from '../../shared/capability.ts';
import { HOST_RESULT } from '../../shared/host-result.ts';
import { linearPattern } from './linear-pattern.ts';
import { byPointer, isObject, type SchemaObject } from './schema-graph.ts';

/** Keywords under which a schema says something of the same object. */
const SAME_OBJECT_LISTS = ['allOf', 'anyOf', 'oneOf'] as const;
const SAME_OBJECT = ['not', 'if', 'then', 'else'] as const;
/** What counts members, lists whole objects, or points where only a whole evaluation can. */
const OF_ALL_MEMBERS = ['minProperties', 'maxProperties', 'enum', 'const', '$dynamicRef', '$recursiveRef', 'extends', 'disallow'] as const;
/** What judges a member of any name. */
const OF_ANY_NAME = ['additionalProperties', 'unevaluatedProperties', 'propertyNames'] as const;

const saysNothing = (schema: unknown): boolean => schema === undefined || schema === true || (isObject(schema) && Object.keys(schema).length === 0);
const names = (value: unknown): boolean => (Array.isArray(value) ? value.includes(HOST_RESULT) : isObject(value) && Object.hasOwn(value, HOST_RESULT));
/** In linear time, for the pattern is the server's; what cannot be asked so may match. */
const matches = (pattern: string): boolean => {
  const linear = linearPattern(pattern);
  return !linear.ok || linear.pattern.test(HOST_RESULT);
};

/** One no decides all, so that what was looked at need not be looked at again. */
const isIndifferent = (schema: unknown, root: SchemaObject, seen: Set<SchemaObject>): boolean => {
  if (schema === true || schema === false) return true;
  if (!isObject(schema)) return false;
  if (seen.has(schema)) return true;
  seen.add(schema);
  // references below a name of its own lead elsewhere
  if (schema !== root && (schema['$id'] !== undefined || schema['id'] !== undefined)) return false;
  if (OF_ALL_MEMBERS.some((keyword) => Object.hasOwn(schema, keyword))) return false;
  if (OF_ANY_NAME.some((keyword) => !saysNothing(schema[keyword]))) return false;
  if (names(schema['properties']) || names(schema['required'])) return false;
  if (isObject(schema['patternProperties']) && Object.keys(schema['patternProperties']).some(matches)) return false;
  const again = (one: unknown): boolean => isIndifferent(one, root, seen);
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const dependent = schema[keyword];
    if (!isObject(dependent)) continue;
    if (names(dependent) || !Object.values(dependent).every((one) => (Array.isArray(one) ? !names(one) : again(one)))) return false;
  }
  for (const keyword of SAME_OBJECT_LISTS) if (schema[keyword] !== undefined && !(Array.isArray(schema[keyword]) && (schema[keyword] as unknown[]).every(again))) return false;
  for (const keyword of SAME_OBJECT) if (schema[keyword] !== undefined && !again(schema[keyword])) return false;
  const reference = schema['$ref'];
  if (reference === undefined) return true;
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return false;
  return isIndifferent(byPointer(root, decodeURIComponent(reference.slice(1))), root, seen);
};

const isObjectType = (type: unknown): boolean => type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));

const verdicts = new WeakMap<SchemaObject, boolean>();

/**
 * Whether a tool's input schema has room for the host's own field: it would say of every object the same with and without a member of that name. Not so where
 * it closes, counts or names members, or has a member of that name itself; what cannot be told by looking is taken as no.
 */
export const acceptsHostField = (inputSchema: unknown): boolean => {
  if (!isObject(inputSchema)) return false;
  const known = verdicts.get(inputSchema);
  if (known !== undefined) return known;
  let verdict = false;
  try {
    verdict = isObjectType(inputSchema['type']) && isIndifferent(inputSchema, inputSchema, new Set());
  } catch (error) {
    // a reference that is no URI
    if (!(error instanceof URIError)) throw error;
  }
  verdicts.set(inputSchema, verdict);
  return verdict;
};

/** As a model is shown it, before its route has its say: plain types, so that every route can carry it. */
const HOST_FIELD_SCHEMA: SchemaObject = {
  type: 'object',
  description: 'For the host, not for the tool: how much of the answer you get.',
  properties: {
    select: { type: 'string', description: 'JSON Pointer into the structured content: only that part.' },
    byteBudget: { type: 'integer', description: 'At most so many bytes of text.' },
    refresh: { type: 'boolean', description: 'Not an earlier answer again.' },
  },
};

/** The schema with the host's field beside the server's own; null where it has no room, or where alternatives at the root would be told with it. */
export const withHostField = (inputSchema: unknown): SchemaObject | null => {
  if (!isObject(inputSchema) || !acceptsHostField(inputSchema) || SAME_OBJECT_LISTS.some((keyword) => inputSchema[keyword] !== undefined)) return null;
  const properties = isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
  return { ...inputSchema, properties: { ...properties, [HOST_RESULT]: HOST_FIELD_SCHEMA } };
};

/** Without knowing any answer: a tool that declares what its structured content is made of. The others get the field after an answer that was large. */
export const isHostFieldUseful = ({ outputSchema }: Pick<Definition, 'outputSchema'>): boolean => isObject(outputSchema);
