import { pointerStep } from '../evidence/privacy-filter.ts';
import type { Undone } from '../capabilities/routes/undo.ts';
import { readJson } from './read-json.ts';

/** A lossless change of form, listed in the evidence and shown in the approval. */
export interface Repair {
  readonly pointer: string;
  readonly what: 'empty_as_object' | 'json_text_as_value' | 'idempotency_key' | 'idempotency_key_replaced' | 'host_field_taken_out' | Undone['what'];
}

export interface Repaired {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Arguments of a tool are an object: nothing, null and empty text mean `{}` (C051); JSON text of an object means that object. */
export const asArguments = (value: unknown): Repaired => {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return { value: {}, repairs: [{ pointer: '', what: 'empty_as_object' }] };
  if (typeof value === 'string') {
    const inner = readJson(value);
    if (inner.ok && isObject(inner.value)) return { value: inner.value, repairs: [{ pointer: '', what: 'json_text_as_value' }] };
  }
  return { value, repairs: [] };
};

/** What a property's schema plainly wants; undefined where it is not plain (a text may be meant). */
const wanted = (schema: unknown): 'object' | 'array' | undefined => (isObject(schema) && (schema['type'] === 'object' || schema['type'] === 'array') ? schema['type'] : undefined);

/**
 * Texts that hold the JSON of what the schema wants at the first level (`properties`), as values. Called only when the original schema refused the
 * input as it is; the caller judges again.
 */
export const textsAsValues = (value: unknown, schema: unknown): Repaired => {
  if (!isObject(value) || !isObject(schema) || !isObject(schema['properties'])) return { value, repairs: [] };
  const properties = schema['properties'];
  const repairs: Repair[] = [];
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
    const want = Object.hasOwn(properties, key) ? wanted(properties[key]) : undefined;
    if (want === undefined || typeof member !== 'string') return [key, member];
    const inner = readJson(member);
    if (!inner.ok || (want === 'object' ? !isObject(inner.value) : !Array.isArray(inner.value))) return [key, member];
    repairs.push({ pointer: pointerStep(key), what: 'json_text_as_value' });
    return [key, inner.value];
  });
  // fromEntries defines own members, so a name `__proto__` stays data
  return repairs.length === 0 ? { value, repairs } : { value: Object.fromEntries(entries), repairs };
};
