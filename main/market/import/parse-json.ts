import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Duplicate, JsonValue, ParsedText } from './json-value.ts';

/** Deeper than any settings file; parsing recurses. */
const MAX_DEPTH = 100;

/** Line and column from 1, as editors count them. */
export const positionOf = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset);
  const line = before.split(/\r\n|\n|\r/);
  return { line: line.length, column: (line.at(-1) ?? '').length + 1 };
};

export const unreadable = (what: string, at: { readonly line: number; readonly column: number }): Fault =>
  fault('import_unreadable', `Line ${at.line}, column ${at.column}: ${what}.`, { field: 'text', remedy: 'Mend that place, then read it again.', details: { line: at.line, column: at.column, what } });

/** The first bracket that is nested too deep, counted outside of strings and comments; -1 where there is none. */
const tooDeepAt = (text: string): number => {
  let depth = 0;
  for (const match of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[[{]|[\]}]/g)) {
    const first = match[0][0]!;
    if (first === '[' || first === '{') depth += 1;
    else if (first === ']' || first === '}') depth -= 1;
    if (depth > MAX_DEPTH) return match.index;
  }
  return -1;
};

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'something stands here that is no value', InvalidNumberFormat: 'a number is not written right', PropertyNameExpected: 'a name in double quotes is expected', ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected', CommaExpected: 'a comma is missing before this', CloseBraceExpected: 'a closing brace is missing', CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'something stands after the end', UnexpectedEndOfComment: 'a comment does not end', UnexpectedEndOfString: 'a text does not end', UnexpectedEndOfNumber: 'a number does not end',
  InvalidUnicode: 'an escape in a text is not written right', InvalidEscapeCharacter: 'an escape in a text is not written right', InvalidCharacter: 'a character stands here that may not',
};

/** A stray comma (doubled, leading) is no fault. */
const isStrayComma = (text: string, error: ParseError): boolean => text[error.offset] === ',' && ['ValueExpected', 'PropertyNameExpected'].includes(printParseErrorCode(error.error));

const convert = (node: Node, path: readonly (string | number)[], duplicates: Duplicate[]): JsonValue => {
  if (node.type === 'array') return (node.children ?? []).map((child, at) => convert(child, [...path, at], duplicates));
  if (node.type !== 'object') return (node.value ?? null) as JsonValue;
  const object = Object.create(null) as Record<string, JsonValue>;
  for (const property of node.children ?? []) {
    const [name, value] = property.children ?? [];
    if (name === undefined || value === undefined) continue;
    const key = String(name.value);
    if (Object.hasOwn(object, key)) duplicates.push({ path: [...path, key], value: object[key]! });
    object[key] = convert(value, [...path, key], duplicates);
  }
  return object;
};

/** JSON with comments and stray commas. Errors: `import_unreadable` with line and column of the first one. */
export const parseJson = (text: string): Result<ParsedText, Fault> => {
  const deep = tooDeepAt(text);
  if (deep >= 0) return err(unreadable(`more than ${MAX_DEPTH} levels are nested here`, positionOf(text, deep)));
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const first = errors.find((error) => !isStrayComma(text, error));
  if (first !== undefined || tree === undefined) {
    const code = first === undefined ? 'ValueExpected' : printParseErrorCode(first.error);
    return err(unreadable(WORDS[code] ?? code, positionOf(text, first?.offset ?? text.length)));
  }
  const duplicates: Duplicate[] = [];
  return ok({ value: convert(tree, [], duplicates), duplicates });
};
