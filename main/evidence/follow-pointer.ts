/** Where a JSON Pointer leads; else `missing`, the first step that leads nowhere, and `names`, what there is in its place. */
export type Followed = { readonly found: true; readonly value: unknown } | { readonly found: false; readonly missing: string; readonly names: readonly string[] };

const MOST_NAMES = 30;
const LONGEST_NAME = 200;

const named = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}...` : name);

/** RFC 6901, section 4: an index has no leading zero; `-` names nothing that is there. */
const memberOf = (value: unknown, step: string): unknown => {
  if (Array.isArray(value)) return /^(?:0|[1-9][0-9]*)$/.test(step) ? value[Number(step)] : undefined;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? (value as Readonly<Record<string, unknown>>)[step] : undefined;
};

const namesIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.length === 0 ? [] : [`0 to ${value.length - 1}`];
  return typeof value === 'object' && value !== null ? Object.keys(value).slice(0, MOST_NAMES).map(named) : [];
};

/** Follows a pointer of the right form through a JSON value. */
export const followPointer = (root: unknown, pointer: string): Followed => {
  let value = root;
  for (const token of pointer.split('/').slice(1)) {
    const step = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const next = memberOf(value, step);
    if (next === undefined) return { found: false, missing: named(step), names: namesIn(value) };
    value = next;
  }
  return { found: true, value };
};
