import { expect, test } from 'vitest';
import { rankedBy } from './search-rank.ts';

const all = [
  { label: 'mcp:files:tool:read_text', words: 'Read a file' },
  { label: 'read_rows', words: 'database' },
  { label: '读取文件', words: 'files read' },
  { label: 'write_file', words: '' },
];

test('U09 search puts a label that begins with the word first, then one that holds it, then other words', () => {
  expect(rankedBy('read', all, 9).map((one) => one.label)).toEqual(['read_rows', 'mcp:files:tool:read_text', '读取文件']);
});

test('U09 every typed word must occur, in any order and width', () => {
  expect(rankedBy('file read', all, 9).map((one) => one.label)).toEqual(['mcp:files:tool:read_text', '读取文件']);
  expect(rankedBy('ＷＲＩＴＥ', all, 9).map((one) => one.label)).toEqual(['write_file']);
  expect(rankedBy('nothing', all, 9)).toEqual([]);
  expect(rankedBy('', all, 2)).toHaveLength(2);
});
