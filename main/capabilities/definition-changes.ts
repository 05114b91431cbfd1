import type { Definition, FieldChange } from '../../shared/capability.ts';
import { canonicalJson, usedMeta } from './fingerprint.ts';
import { pointerToken } from './json-walk.ts';
import { wordDifference } from './word-difference.ts';

const FIELDS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'meta', 'uri', 'mimeType', 'arguments'] as const satisfies readonly (keyof Definition)[];
const MAX_CHANGES = 200;
const MAX_DEPTH = 24;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const show = (value: unknown): string | null => {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};
const same = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const left = canonicalJson(a);
  const right = canonicalJson(b);
  return left.ok && right.ok ? left.value === right.value : JSON.stringify(a) === JSON.stringify(b);
};

const change = (field: string, before: unknown, after: unknown): FieldChange => {
  const entry = { field, before: show(before), after: show(after) };
  const words = typeof before === 'string' && typeof after === 'string' ? wordDifference(before, after) : null;
  return words === null ? entry : { ...entry, words: words.map((segment) => ({ ...segment })) };
};

const collect = (out: FieldChange[], field: string, pointer: string, before: unknown, after: unknown, depth: number): void => {
  if (out.length >= MAX_CHANGES || same(before, after)) return;
  const below = (key: string | number): string => `${pointer}/${pointerToken(key)}`;
  if (depth < MAX_DEPTH && isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      collect(out, field, below(key), Object.hasOwn(before, key) ? before[key] : undefined, Object.hasOwn(after, key) ? after[key] : undefined, depth + 1);
    }
    return;
  }
  if (depth < MAX_DEPTH && Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (let i = 0; i < before.length; i += 1) collect(out, field, below(i), before[i], after[i], depth + 1);
    return;
  }
  out.push(change(pointer === '' ? field : `${field}#${pointer}`, before, after));
};

const declared = (definition: Definition, field: (typeof FIELDS)[number]): unknown => (field === 'meta' ? usedMeta(definition.meta) : definition[field]);

/**
 * What differs, field by field; inside schemas and annotations by JSON Pointer (`inputSchema#/properties/path/type`), text by words. Only what the
 * fingerprint covers counts. At most 200 changes; null is an absent value.
 */
export const definitionChanges = (before: Definition, after: Definition): readonly FieldChange[] => {
  const out: FieldChange[] = [];
  for (const field of FIELDS) collect(out, field, '', declared(before, field), declared(after, field), 0);
  return out;
};
