/** Whether a form can show every field of an input schema, or only raw JSON can. */
export type SchemaFit = { readonly fits: true; readonly fields: number } | { readonly fits: false; readonly reason: MisfitReason; readonly pointer: string };
export type MisfitReason = 'no_fields' | 'not_an_object' | 'union' | 'reference' | 'free_keys' | 'too_deep' | 'too_many' | 'big_number' | 'open_list' | 'any_value' | 'odd_name';

const MAX_DEPTH = 3;
const MAX_FIELDS = 120;
const UNIONS = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'dependentSchemas', 'dependencies'];
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];
const TEXT_TYPES = new Set(['string', 'number', 'integer', 'boolean']);

type Json = Record<string, unknown>;
const isObject = (v: unknown): v is Json => typeof v === 'object' && v !== null && !Array.isArray(v);
const misfit = (reason: MisfitReason, pointer: string): SchemaFit => ({ fits: false, reason, pointer });
const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** A missing root type means object (design section 6). */
export const schemaFit = (schema: unknown): SchemaFit => {
  if (!isObject(schema)) return misfit('any_value', '');
  const type = schema['type'] ?? 'object';
  if (type !== 'object') return misfit('not_an_object', '');
  const counter = { fields: 0 };
  const bad = objectMisfit(schema, '', 0, counter);
  if (bad !== null) return bad;
  return counter.fields === 0 ? misfit('no_fields', '') : { fits: true, fields: counter.fields };
};

const objectMisfit = (schema: Json, pointer: string, depth: number, counter: { fields: number }): SchemaFit | null => {
  if (depth > MAX_DEPTH) return misfit('too_deep', pointer);
  const composed = compositionMisfit(schema, pointer);
  if (composed !== null) return composed;
  if (isObject(schema['patternProperties']) || isObject(schema['additionalProperties'])) return misfit('free_keys', pointer);
  const properties = schema['properties'];
  if (properties === undefined) return depth === 0 ? null : misfit('free_keys', pointer);
  if (!isObject(properties)) return misfit('any_value', pointer);
  for (const [name, property] of Object.entries(properties)) {
    counter.fields += 1;
    // the form library sets members by path, and its setter leaves these out
    if (name in Object.prototype || name === 'prototype') return misfit('odd_name', `${pointer}/properties/${escapePointer(name)}`);
    if (counter.fields > MAX_FIELDS) return misfit('too_many', pointer);
    const bad = valueMisfit(property, `${pointer}/properties/${escapePointer(name)}`, depth + 1, counter);
    if (bad !== null) return bad;
  }
  return null;
};

const compositionMisfit = (schema: Json, pointer: string): SchemaFit | null => {
  if (REFERENCES.some((key) => schema[key] !== undefined)) return misfit('reference', pointer);
  if (UNIONS.some((key) => schema[key] !== undefined)) return misfit('union', pointer);
  return null;
};

const valueMisfit = (schema: unknown, pointer: string, depth: number, counter: { fields: number }): SchemaFit | null => {
  if (!isObject(schema)) return misfit('any_value', pointer);
  const composed = compositionMisfit(schema, pointer);
  if (composed !== null) return composed;
  const choices = schema['enum'];
  if (Array.isArray(choices)) return choices.every((c) => typeof c === 'string' || typeof c === 'number' || typeof c === 'boolean') ? null : misfit('union', pointer);
  if (schema['const'] !== undefined) return isObject(schema['const']) || Array.isArray(schema['const']) ? misfit('any_value', pointer) : null;
  const type = schema['type'];
  if (Array.isArray(type)) return misfit('union', pointer);
  if (type === 'object') return objectMisfit(schema, pointer, depth, counter);
  if (type === 'array') return listMisfit(schema, pointer, depth, counter);
  if (typeof type !== 'string' || !TEXT_TYPES.has(type)) return misfit('any_value', pointer);
  if (type === 'integer' || type === 'number') return beyondDouble(schema) ? misfit('big_number', pointer) : null;
  return null;
};

const listMisfit = (schema: Json, pointer: string, depth: number, counter: { fields: number }): SchemaFit | null => {
  const items = schema['items'];
  if (schema['prefixItems'] !== undefined || !isObject(items)) return misfit('open_list', pointer);
  return depth > MAX_DEPTH ? misfit('too_deep', pointer) : valueMisfit(items, `${pointer}/items`, depth + 1, counter);
};

/** A bound, default or format beyond what a form's number carries exactly: only text keeps the digits. */
const beyondDouble = (schema: Json): boolean =>
  ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'default'].some((key) => typeof schema[key] === 'number' && Math.abs(schema[key]) > Number.MAX_SAFE_INTEGER && schema['type'] === 'integer') ||
  schema['format'] === 'int64' || schema['format'] === 'uint64';
