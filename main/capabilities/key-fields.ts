import { isObject } from './schema-graph.ts';

/** Names, without case and separators, under which servers take a key against repeats; the surest first. */
const KEY_NAMES = [
  'idempotencykey', 'idempotencytoken', 'idempotencyid', 'clientrequestid', 'clientrequesttoken', 'clienttoken', 'clientmutationid', 'deduplicationid', 'messagededuplicationid', 'dedupekey',
  'dedupid', 'requestkey', 'requesttoken', 'requestid',
] as const;

const bareName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const propertiesOf = (schema: unknown): Readonly<Record<string, unknown>> => (isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {});

/** Whether an argument's schema may take a text; what cannot be seen from here (references, unions) may. */
const mayTakeText = (schema: unknown): boolean => {
  if (schema === false) return false;
  if (!isObject(schema)) return true;
  const { type, enum: values } = schema;
  if (Array.isArray(values) || Object.hasOwn(schema, 'const')) return false;
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
};

/** Arguments that look like a key against repeats, the surest first. A suggestion for the person who reviews, never a fact. */
export const keyFieldsOf = (inputSchema: unknown): string[] => {
  const ranked = Object.entries(propertiesOf(inputSchema)).flatMap(([name, schema]) => {
    if (!mayTakeText(schema)) return [];
    const rank = KEY_NAMES.indexOf(bareName(name) as (typeof KEY_NAMES)[number]);
    if (rank >= 0) return [{ name, rank }];
    const words = isObject(schema) && typeof schema['description'] === 'string' ? schema['description'] : '';
    return /idempoten|deduplicat/i.test(words.slice(0, 2_000)) ? [{ name, rank: KEY_NAMES.length }] : [];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ name }) => name).slice(0, 5);
};

/** Why this argument cannot carry a key; null where it can. */
export const keyFieldProblem = (inputSchema: unknown, field: string): 'not_declared' | 'no_text' | null => {
  const properties = propertiesOf(inputSchema);
  if (!Object.hasOwn(properties, field)) return 'not_declared';
  return mayTakeText(properties[field]) ? null : 'no_text';
};
