const MOST_NAMES = 12;
const DEEPEST = 4;
const LONGEST_NAME = 60;

const named = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}...` : name);

/**
 * The shape of a JSON value in few words, as JSON: texts with their length, lists with their number and the shape of the first, objects with their names.
 * What a reader of parts needs to ask well.
 */
export const outlineOf = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return `text of ${value.length} characters`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  if (Array.isArray(value)) return value.length === 0 || depth >= DEEPEST ? `list of ${value.length}` : { [`list of ${value.length}, the first`]: outlineOf(value[0], depth + 1) };
  const names = Object.keys(value);
  if (depth >= DEEPEST) return `object of ${names.length} members`;
  const shown = names.slice(0, MOST_NAMES).map((name) => [named(name), outlineOf((value as Readonly<Record<string, unknown>>)[name], depth + 1)] as const);
  return Object.fromEntries(names.length > MOST_NAMES ? [...shown, ['...', `${names.length - MOST_NAMES} more members`]] : shown);
};
