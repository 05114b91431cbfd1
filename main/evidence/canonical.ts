import { hash } from 'node:crypto';

/**
 * RFC 8785 text of a JSON value. Same output as the `canonicalize` package (a property test compares them), in one pass:
 * evidence is on the path of every call. Members that are undefined are left out.
 * @throws TypeError for what is not JSON: NaN, infinities, lone surrogates, functions, undefined in an array.
 */
export const canonicalText = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('lone surrogate');
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('number is not finite');
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? listText(value) : objectText(value as Readonly<Record<string, unknown>>);
    default:
      throw new TypeError(`${typeof value} is not JSON`);
  }
};

const listText = (list: readonly unknown[]): string => {
  let out = '[';
  for (let i = 0; i < list.length; i++) out += (i === 0 ? '' : ',') + canonicalText(list[i]);
  return out + ']';
};

/** Texts of the member names met: evidence has few, and the same in every call. Names of servers end it, not grow it. */
const MOST_NAMES = 1_000;
const LONGEST_NAME = 40;
const names = new Map<string, string>();
const nameText = (name: string): string => {
  const known = names.get(name);
  if (known !== undefined) return known;
  const text = canonicalText(name);
  if (names.size < MOST_NAMES && name.length <= LONGEST_NAME) names.set(name, text);
  return text;
};

/** In order of UTF-16 code units; most are given so. */
const inOrder = (keys: string[]): string[] => {
  for (let i = 1; i < keys.length; i++) if (keys[i]! < keys[i - 1]!) return keys.sort();
  return keys;
};

const objectText = (object: Readonly<Record<string, unknown>>): string => {
  let out = '{';
  for (const key of inOrder(Object.keys(object))) {
    const member = object[key];
    if (member === undefined) continue;
    out += (out.length === 1 ? '' : ',') + nameText(key) + ':' + canonicalText(member);
  }
  return out + '}';
};

/** Lower-case hex SHA-256 of the UTF-8 bytes. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');
