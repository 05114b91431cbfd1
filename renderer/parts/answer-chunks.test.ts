import { expect, test } from 'vitest';
import { answerChunks } from './answer-chunks.ts';

const paragraphs = (count: number): string => Array.from({ length: count }, (_, i) => `Paragraph ${i} with some words that fill a line of ordinary length.`).join('\n\n');

test('AP17 a text is cut between its blocks, whole and in its order', () => {
  const text = paragraphs(2000);
  const chunks = answerChunks(text);
  expect(chunks.length).toBeGreaterThan(10);
  expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(3_000);
  expect(chunks.join('\n')).toBe(text);
  expect(answerChunks('short')).toEqual(['short']);
});

test('AP17 of a text that grows the parts before the last stay as they are', () => {
  const text = paragraphs(400);
  const before = answerChunks(text.slice(0, 20_000));
  expect(answerChunks(text).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
});

test('AP17 fenced code is never cut, and a fence of other marks does not end it', () => {
  const code = Array.from({ length: 4000 }, (_, i) => `row ${i}`).join('\n\n');
  const chunks = answerChunks(`${paragraphs(100)}\n\n~~~~py\n\`\`\`\n${code}\n~~~\n~~~~\n\nafter`);
  expect(chunks.filter((chunk) => chunk.includes('row ')).length).toBe(1);
  expect(chunks.find((chunk) => chunk.includes('row 0'))).toContain('row 3999');
});

test('AP17 a very long table is cut between rows and keeps its head; a long list keeps its numbers', () => {
  const rows = answerChunks(`| a | b |\n|---|---|\n${Array.from({ length: 3000 }, (_, i) => `| ${i} | some words of a cell |`).join('\n')}`);
  expect(rows.length).toBeGreaterThan(2);
  for (const chunk of rows) expect(chunk.startsWith('| a | b |\n|---|---|\n')).toBe(true);
  expect(rows.join('\n').match(/some words/g)).toHaveLength(3000);
  const list = answerChunks(Array.from({ length: 2000 }, (_, i) => `${i + 1}. item with words in it`).join('\n'));
  expect(list.length).toBeGreaterThan(1);
  for (const chunk of list) expect(chunk).toMatch(/^\d+\. item/);
});

test('AP17 a name of a link is defined in each part that uses it, and a line without an end is cut', () => {
  const chunks = answerChunks(`See [the manual].\n\n${paragraphs(300)}\n\n[the manual]: https://example.org/m`);
  expect(chunks[0]).toContain('[the manual]: https://example.org/m');
  expect(chunks[1]).not.toContain('[the manual]');
  expect(answerChunks('x'.repeat(100_000)).map((chunk) => chunk.length)).toEqual([24_000, 24_000, 24_000, 24_000, 4_000]);
});

test('AP17 a text is cut in time that grows with its length, and into parts that together are not much longer', () => {
  const long = 500_000;
  for (const text of [`a | b\n|${'-'.repeat(long)}x`, `${'`'.repeat(long)}\rx`, `${'~'.repeat(long)}\u2028x`, `[r1${' '.repeat(long)}x`, `[a]:${' '.repeat(long)}x`]) expect(answerChunks(text).join('').length).toBeGreaterThanOrEqual(long);
  const used = 'See [a] and some words.\n\n'.repeat(30_000);
  expect(answerChunks(`[a]: https://example.org/${'y'.repeat(long)}\n\n${used}`).join('').length).toBeLessThan(2 * (long + used.length));
});

test('AP17 lines that are all set in are cut, too', () => {
  const chunks = answerChunks(' - an item of a list\n'.repeat(20_000));
  expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(50_000);
  expect(chunks.join('\n')).toBe(' - an item of a list\n'.repeat(20_000));
});
