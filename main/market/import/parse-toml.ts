import { parse, TomlError } from 'smol-toml';
import type { Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { JsonValue, ParsedText } from './json-value.ts';
import { unreadable } from './parse-json.ts';

const convert = (value: unknown): JsonValue => {
  if (Array.isArray(value)) return value.map(convert);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  const object = Object.create(null) as Record<string, JsonValue>;
  for (const [key, one] of Object.entries(value)) object[key] = convert(one);
  return object;
};

/** TOML 1.0. Errors: `import_unreadable` with line and column. */
export const parseToml = (text: string): Result<ParsedText, Fault> => {
  try {
    return ok({ value: convert(parse(text, { maxDepth: 100 })), duplicates: [] });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // the library puts the source, which may hold a secret, below the first line of its message
    const what = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '').replace(/["'`].*$/, '').trim();
    return err(unreadable(what, { line: error.line, column: error.column }));
  }
};
