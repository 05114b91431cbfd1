import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inputDifference } from './input-difference.ts';
import { jsonRows } from './json-rows.ts';
import { wordDiff } from './word-diff.ts';

test('U53 rows keep the order, the digits and the escapes of the text', () => {
  const { rows, ok, fields } = jsonRows('{"10":9007199254740993,"2":"a\\u0007b","__proto__":[],"x":{"y":[1.50e3,null]}}');
  expect(ok).toBe(true);
  expect(fields).toBe(4);
  expect(rows.map((r) => `${' '.repeat(r.depth)}${r.key === null ? '' : `${r.key}: `}${r.text}${r.comma ? ',' : ''} ${r.pointer}`)).toEqual([
    '{ ', ' 10: 9007199254740993, /10', ' 2: "a\\u0007b", /2', ' __proto__: [], /__proto__', ' x: { /x', '  y: [ /x/y', '   1.50e3, /x/y/0', '   null /x/y/1', '  ] /x/y', ' } /x', '} ',
  ]);
});

test('U53 a long string says its length and every character of it is in a row', () => {
  const value = `${'x'.repeat(3000)}\nsecond\n\nlast 👩‍👧`;
  const { rows } = jsonRows(JSON.stringify({ content: value }));
  expect(rows[1]).toMatchObject({ kind: 'long_string', long: { characters: [...value].length, lines: 4 } });
  const lines: string[] = [];
  for (const row of rows.filter((r) => r.kind === 'string_line')) {
    if (row.line === 0) lines[lines.length - 1] += row.text;
    else lines.push(row.text);
  }
  expect(lines.join('\n')).toBe(value);
});

test('U53 what is not JSON is shown as its plain lines', () => {
  for (const text of ['{"a":', 'nope', '{"a":1}}', '[1}', '']) expect(jsonRows(text).ok).toBe(false);
  expect(jsonRows('first\nsecond').rows.map((r) => r.text)).toEqual(['first', 'second']);
});

test('U53 every JSON value is accepted and no member is lost', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const { ok, rows } = jsonRows(text);
      const size = (v: unknown): number => (v !== null && typeof v === 'object' ? 1 + Object.values(v).reduce((n: number, x) => n + size(x), 0) : 1);
      return ok && rows.filter((r) => r.kind === 'open' || r.kind === 'value' || r.kind === 'long_string').length >= size(JSON.parse(text));
    }),
  );
});

test('U54 what differs from the earlier input is marked by value, long strings by line', () => {
  const before = JSON.stringify({ content: `${'a'.repeat(120)}\nsame\nold`, gone: true, path: '/a' });
  const after = JSON.stringify({ content: `${'a'.repeat(120)}\nsame\nnew`, path: '/b', same: 1 });
  const { changedRows, gone } = inputDifference(before, after);
  const rows = jsonRows(after).rows;
  expect([...changedRows].map((i) => rows[i]!.text)).toEqual(['', 'new', '"/b"', '1']);
  expect(gone).toEqual([{ pointer: '/gone', text: 'true' }]);
  expect(inputDifference(after, after).changedRows.size).toBe(0);
});

test('U55 a word difference gives back both texts', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const pieces = wordDiff(a, b);
      return pieces.filter((p) => p.kind !== 'new').map((p) => p.text).join('') === a && pieces.filter((p) => p.kind !== 'gone').map((p) => p.text).join('') === b;
    }),
  );
  expect(wordDiff('Read one file', 'Read any file').filter((p) => p.kind !== 'same')).toEqual([{ kind: 'gone', text: 'one' }, { kind: 'new', text: 'any' }]);
  expect(wordDiff('读取一个文件', '写入一个文件').some((p) => p.kind === 'same')).toBe(true);
});
