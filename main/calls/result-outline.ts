import { distinctNames } from '../evidence/distinct-names.ts';

const MOST_NAMES = 12;
const DEEPEST = 4;
const LONGEST_NAME = 60;
/** It stands beside what fits into a context, not within. */
const MOST_BYTES = 4_096;

const named = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}...` : name);

const shapeOf = (value: unknown, left: number): unknown => {
  if (typeof value === 'string') return `text of ${value.length} characters`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  if (Array.isArray(value)) return value.length === 0 || left === 0 ? `list of ${value.length}` : { [`list of ${value.length}, the first`]: shapeOf(value[0], left - 1) };
  const names = Object.keys(value);
  if (left === 0) return `object of ${names.length} members`;
  const distinct = distinctNames();
  const shown = names.slice(0, MOST_NAMES).map((name) => [distinct(named(name)), shapeOf((value as Readonly<Record<string, unknown>>)[name], left - 1)] as const);
  return Object.fromEntries(names.length > MOST_NAMES ? [...shown, ['...', `${names.length - MOST_NAMES} more members`]] : shown);
};

/**
 * The shape of a JSON value in few words, as JSON: texts with their length, lists with their number and the shape of the first, objects with their names.
 * What a reader of parts needs to ask well; as deep as fits in 4 KiB.
 */
export const outlineOf = (value: unknown): unknown => {
  for (let depth = DEEPEST; depth > 0; depth -= 1) {
    const shape = shapeOf(value, depth);
    if (Buffer.byteLength(JSON.stringify(shape)) <= MOST_BYTES) return shape;
  }
  return shapeOf(value, 0);
};
