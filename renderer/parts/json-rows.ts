/**
 * JSON text laid out in rows without parsing it into values: the order of members, the digits of numbers and the
 * escapes of short strings stay exactly as they are in the text. Long strings are opened into their own lines.
 */
export interface JsonRow {
  /** JSON Pointer of the value this row belongs to; '' is the root */
  readonly pointer: string;
  readonly depth: number;
  readonly kind: 'open' | 'close' | 'value' | 'long_string' | 'string_line' | 'raw';
  /** decoded member name */
  readonly key: string | null;
  /** the token as written; for a string_line the decoded text of that line */
  readonly text: string;
  readonly token: 'string' | 'number' | 'literal' | 'punctuation';
  readonly comma: boolean;
  /** only for long_string */
  readonly long: { readonly characters: number; readonly lines: number } | null;
  /** only for string_line: its number within the string, 0 where one line is continued */
  readonly line: number;
}

export interface JsonRows {
  readonly ok: boolean;
  readonly rows: readonly JsonRow[];
  /** members of the root object or items of the root list; null for another root */
  readonly fields: number | null;
}

const LONG_FROM = 96;
const CHUNK = 1000;
const TOKEN = /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/y;

interface Frame {
  readonly pointer: string;
  readonly list: boolean;
  count: number;
  key: string | null;
}

const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const decode = (token: string): string => {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
};

const rawRows = (text: string): JsonRows => ({
  ok: false,
  fields: null,
  rows: text.split('\n').flatMap((line, i) => chunks(line).map((part, j): JsonRow => ({ pointer: '', depth: 0, kind: 'raw', key: null, text: part, token: 'string', comma: false, long: null, line: j === 0 ? i + 1 : 0 }))),
});

const chunks = (line: string): string[] => {
  if (line.length <= CHUNK) return [line];
  const out: string[] = [];
  for (let i = 0; i < line.length; ) {
    let end = Math.min(line.length, i + CHUNK);
    // never between the halves of one character
    if (end < line.length && (line.charCodeAt(end - 1) & 0xfc00) === 0xd800) end += 1;
    out.push(line.slice(i, end));
    i = end;
  }
  return out;
};

const stringRows = (pointer: string, depth: number, key: string | null, token: string): JsonRow[] => {
  if (token.length <= LONG_FROM && !token.includes('\\n')) return [{ pointer, depth, kind: 'value', key, text: token, token: 'string', comma: false, long: null, line: 0 }];
  const value = decode(token);
  if (value.length <= LONG_FROM && !value.includes('\n')) return [{ pointer, depth, kind: 'value', key, text: token, token: 'string', comma: false, long: null, line: 0 }];
  const lines = value.split('\n');
  const head: JsonRow = { pointer, depth, kind: 'long_string', key, text: '', token: 'string', comma: false, long: { characters: [...value].length, lines: lines.length }, line: 0 };
  const body = lines.flatMap((line, i) => chunks(line).map((part, j): JsonRow => ({ pointer, depth: depth + 1, kind: 'string_line', key: null, text: part, token: 'string', comma: false, long: null, line: j === 0 ? i + 1 : 0 })));
  return [head, ...body];
};

/** Rows of a JSON text; a text that is not JSON comes back as its plain lines with ok false. */
export const jsonRows = (text: string): JsonRows => {
  const rows: JsonRow[] = [];
  const stack: Frame[] = [];
  let fields: number | null = null;
  let expectsKey = false;
  let finished = false;
  TOKEN.lastIndex = 0;
  const place = (): { pointer: string; key: string | null } => {
    const frame = stack.at(-1);
    if (frame === undefined) return { pointer: '', key: null };
    return { pointer: `${frame.pointer}/${frame.list ? frame.count : escapePointer(frame.key ?? '')}`, key: frame.list ? null : frame.key };
  };
  const end = (): void => {
    const frame = stack.at(-1);
    if (frame === undefined) finished = true;
    else frame.count += 1;
  };
  const addComma = (): void => {
    const last = rows.at(-1);
    if (last !== undefined) rows[rows.length - 1] = { ...last, comma: true };
  };
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) {
      if (finished && text.slice(at).trim() === '') break;
      return rawRows(text);
    }
    if (finished) return rawRows(text);
    const [, mark, string, number, literal] = match;
    const frame = stack.at(-1);
    if (string !== undefined && expectsKey && frame !== undefined) {
      frame.key = decode(string);
      expectsKey = false;
      continue;
    }
    const { pointer, key } = place();
    const depth = stack.length;
    if (mark === '{' || mark === '[') {
      rows.push({ pointer, depth, kind: 'open', key, text: mark, token: 'punctuation', comma: false, long: null, line: 0 });
      stack.push({ pointer, list: mark === '[', count: 0, key: null });
      expectsKey = mark === '{';
    } else if (mark === '}' || mark === ']') {
      if (frame === undefined || frame.list !== (mark === ']')) return rawRows(text);
      stack.pop();
      if (stack.length === 0) fields = frame.count;
      const last = rows.at(-1);
      if (frame.count === 0 && last?.kind === 'open') rows[rows.length - 1] = { ...last, kind: 'value', text: last.text + mark };
      else rows.push({ pointer: frame.pointer, depth: depth - 1, kind: 'close', key: null, text: mark, token: 'punctuation', comma: false, long: null, line: 0 });
      expectsKey = false;
      end();
    } else if (mark === ',') {
      if (frame === undefined) return rawRows(text);
      addComma();
      expectsKey = !frame.list;
    } else if (mark === ':') {
      if (frame === undefined || frame.list) return rawRows(text);
    } else {
      if (string !== undefined) rows.push(...stringRows(pointer, depth, key, string));
      else rows.push({ pointer, depth, kind: 'value', key, text: number ?? literal ?? '', token: number === undefined ? 'literal' : 'number', comma: false, long: null, line: 0 });
      end();
    }
  }
  return finished ? { ok: true, rows, fields } : rawRows(text);
};
