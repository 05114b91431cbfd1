import { isObject } from '../../shared/is-object.ts';
import { pointerStep } from '../evidence/privacy-filter.ts';
import type { Undone } from '../capabilities/routes/undo.ts';
import { readJson } from './read-json.ts';

/** A lossless change of form, listed in the evidence and shown in the approval. */
export interface Repair {
  readonly pointer: string;
  readonly what: 'empty_as_object' | 'json_text_as_value' | 'idempotency_key' | 'idempotency_key_replaced' | 'host_field_taken_out' | 'own_uri' | Undone['what'];
}

export interface Repaired {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
}

/** Arguments of a tool are an object: nothing, null and empty text mean `{}` (C051); JSON text of an object means that object. */
export const asArguments = (value: unknown): Repaired => {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return { value: {}, repairs: [{ pointer: '', what: 'empty_as_object' }] };
  if (typeof value === 'string') {
    const inner = readJson(value);
    if (inner.ok && isObject(inner.value)) return { value: inner.value, repairs: [{ pointer: '', what: 'json_text_as_value' }] };
  }
  return { value, repairs: [] };
};

type Kind = 'object' | 'array' | 'number' | 'integer' | 'boolean' | 'null' | 'string';
type Schema = Readonly<Record<string, unknown>>;

/** Steps through references and alternatives of one place, and levels of the value. */
const MOST_STEPS = 8;
const MOST_LEVELS = 32;

const kindOf = (value: unknown): Kind => (value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as Kind));

const referenced = (schema: unknown, root: Schema): unknown => {
  const ref = isObject(schema) && typeof schema['$ref'] === 'string' ? schema['$ref'] : null;
  if (ref === null || !ref.startsWith('#/')) return schema;
  let at: unknown = root;
  for (const step of ref.slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
};

/** What a place plainly wants: by its types, else its values, else all of its alternatives. Undefined where that is not plain, or where a text may be meant. */
const wanted = (given: unknown, root: Schema, steps = 0): ReadonlySet<Kind> | undefined => {
  const schema = referenced(given, root);
  if (!isObject(schema) || steps > MOST_STEPS) return undefined;
  const { type, enum: values, const: value } = schema;
  const kinds = new Set<Kind>();
  if (type !== undefined) for (const kind of Array.isArray(type) ? type : [type]) kinds.add(kind as Kind);
  else if (Array.isArray(values)) for (const one of values) kinds.add(kindOf(one));
  else if (value !== undefined) kinds.add(kindOf(value));
  else if (schema['$ref'] !== undefined) return wanted(schema, root, steps + 1);
  else {
    const ways = schema['anyOf'] ?? schema['oneOf'];
    if (!Array.isArray(ways)) return undefined;
    for (const way of ways) {
      const wants = wanted(way, root, steps + 1);
      if (wants === undefined) return undefined;
      for (const kind of wants) kinds.add(kind);
    }
  }
  return kinds.size === 0 || kinds.has('string') ? undefined : kinds;
};

/** The value that a text is the JSON of, where it is of a wanted kind. Numbers and words in their one spelling: another ("007", "1.0", "1e3") may be meant as a text. */
const valueIn = (text: string, kinds: ReadonlySet<Kind>): { readonly value: unknown } | null => {
  const inner = readJson(text);
  if (!inner.ok) return null;
  const kind = kindOf(inner.value);
  const fits = kinds.has(kind) || (kind === 'number' && kinds.has('integer') && Number.isInteger(inner.value));
  return fits && (isObject(inner.value) || Array.isArray(inner.value) || JSON.stringify(inner.value) === text) ? { value: inner.value } : null;
};

/**
 * Texts that hold the JSON of what the schema plainly wants at their place, as values, wherever members and items lead. Called only when the original schema
 * refused the input as it is; the caller judges again.
 */
export const textsAsValues = (value: unknown, schema: unknown): Repaired => {
  if (!isObject(value) || !isObject(schema)) return { value, repairs: [] };
  const repairs: Repair[] = [];
  const visit = (member: unknown, given: unknown, pointer: string, level: number): unknown => {
    const here = referenced(given, schema);
    if (!isObject(here) || level > MOST_LEVELS) return member;
    if (typeof member === 'string') {
      const wants = wanted(here, schema);
      const meant = wants === undefined ? null : valueIn(member, wants);
      if (meant === null) return member;
      repairs.push({ pointer, what: 'json_text_as_value' });
      return meant.value;
    }
    if (Array.isArray(member)) return isObject(here['items']) ? member.map((item, i) => visit(item, here['items'], `${pointer}/${i}`, level + 1)) : member;
    const properties = here['properties'];
    if (!isObject(member) || !isObject(properties)) return member;
    // fromEntries defines own members, so a name `__proto__` stays data
    return Object.fromEntries(Object.entries(member).map(([key, child]) => [key, Object.hasOwn(properties, key) ? visit(child, properties[key], `${pointer}${pointerStep(key)}`, level + 1) : child]));
  };
  const mended = visit(value, schema, '', 0);
  return repairs.length === 0 ? { value, repairs } : { value: mended, repairs };
};
