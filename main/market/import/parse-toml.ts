import { parse, TomlError } from 'smol-toml';
import type { Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { JsonValue, ParsedText } from './json-value.ts';
import { unreadable } from './parse-json.ts';

const MAX_DEPTH = 100;

/** A dotted key makes a level for each of its parts, which the library does not count. Throws RangeError for more than are read. */
const convert = (value: unknown, depth: number): JsonValue => {
  if (depth > MAX_DEPTH) throw new RangeError(`more than ${MAX_DEPTH} levels are nested here`);
  if (Array.isArray(value)) return value.map((one) => convert(one, depth + 1));
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  const object = Object.create(null) as Record<string, JsonValue>;
  for (const [key, one] of Object.entries(value)) object[key] = convert(one, depth + 1);
  return object;
};

/** TOML 1.0. Errors: `import_unreadable` with line and column. */
export const parseToml = (text: string): Result<ParsedText, Fault> => {
  try {
    return ok({ value: convert(parse(text, { maxDepth: MAX_DEPTH }), 0), duplicates: [] });
  } catch (error) {
    if (error instanceof RangeError) return err(unreadable(error.message, { line: 1, column: 1 }));
    if (!(error instanceof TomlError)) throw error;
    // the library puts the source, which may hold a secret, below the first line of its message
    const what = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '').replace(/["'`].*$/, '').trim();
    return err(unreadable(what, { line: error.line, column: error.column }));
  }
};
