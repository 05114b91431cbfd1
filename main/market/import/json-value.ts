/** What a settings file holds. Objects have no prototype: a key named `__proto__` is a key. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export const isObject = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
export const isArray = (value: JsonValue | undefined): value is JsonArray => Array.isArray(value);

/** A key that an object had more than once: the last one counts, this is one that does not. */
export interface Duplicate {
  readonly path: readonly (string | number)[];
  readonly value: JsonValue;
}

/** A parsed text. */
export interface ParsedText {
  readonly value: JsonValue;
  readonly duplicates: readonly Duplicate[];
}

/** One member of an object, without reaching for a prototype. */
export const member = (object: JsonObject, key: string): JsonValue | undefined => (Object.hasOwn(object, key) ? object[key] : undefined);
export const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
/** Text, number or truth as text: files write ports and flags either way. */
export const scalarText = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined);
