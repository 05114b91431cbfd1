import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallResult } from '../../shared/call.ts';
import { readPart, type Part } from './read-part.ts';

const result = (structuredContent: unknown, exactNumbers?: CallResult['exactNumbers']): CallResult => ({ content: [], structuredContent, isError: false, extra: {}, sizeBytes: 0, masked: [], source: { serverId: 's', capabilityId: 'mcp:s:tool:t', serverName: '', serverVersion: '' }, ...(exactNumbers ? { exactNumbers } : {}) });
const read = (of: CallResult, part: string, offset: number, limit: number | null, budgetBytes = 1_000): Part => {
  const found = readPart(of, { part, offset, limit, budgetBytes });
  if ('missing' in found) throw new Error(`${found.missing} is missing`);
  return found;
};

test('RS23 texts of any characters, read with any limit, come to their end and are then whole', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'é', '語', '😀', '👩‍👩‍👧', '\n', '"'), { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), fc.integer({ min: 20, max: 200 }), (parts, limit, budgetBytes) => {
      const text = parts.join('');
      let got = '';
      let at: number | null = 0;
      for (let reads = 0; at !== null; reads += 1) {
        const part: Part = read(result({ text }), '/structuredContent/text', at, limit, budgetBytes);
        expect(reads).toBeLessThanOrEqual(text.length);
        expect(String(part.value).isWellFormed()).toBe(true);
        got += String(part.value);
        at = part.next;
      }
      expect(got).toBe(text);
    }),
  );
});

test('RS23 a read that begins in the middle of a character goes on after it and repeats nothing', () => {
  const of = result({ text: 'a😀bc' });
  expect(read(of, '/structuredContent/text', 2, 1)).toMatchObject({ value: '', next: 3, total: 5 });
  expect(read(of, '/structuredContent/text', 2, 2)).toMatchObject({ value: 'b', next: 4 });
  expect(read(of, '/structuredContent/text', 99, 2)).toMatchObject({ value: '', next: null });
});

test('RS22 only the numbers that a part holds are told with their digits', () => {
  const of = result({ rows: [1, 2, 3, 4], o: { a: 1, b: 2 } }, [{ place: '/structuredContent/rows/0', text: '1.00' }, { place: '/structuredContent/rows/2', text: '3.00' }, { place: '/structuredContent/o/b', text: '2.00' }]);
  expect(read(of, '/structuredContent/rows', 1, 2).exact).toEqual([{ place: '/1', text: '3.00' }]);
  expect(read(of, '/structuredContent/rows', 3, 1).exact).toEqual([]);
  expect(read(of, '/structuredContent/o', 0, 1).exact).toEqual([]);
  expect(read(of, '/structuredContent/o', 1, 1).exact).toEqual([{ place: '/b', text: '2.00' }]);
  expect(read(of, '/structuredContent/rows/2', 0, null).exact).toEqual([{ place: '', text: '3.00' }]);
});
