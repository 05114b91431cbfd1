import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endingOf } from './answer-ending.ts';
import { checkCitations, citedLabels, nextLabel } from './citations.ts';

test.each<[string, readonly string[]]>([
  ['Bern [r1].', ['r1']], ['[r2, r10] and [R2]', ['r2', 'r10']], ['据【r3】和【r4、r5】', ['r3', 'r4', 'r5']], ['[r01]', ['r1']], ['none: r1 [x] [r] [r1x] [1] (r2)', []], ['[r1][r2]', ['r1', 'r2']], ['link [r1](http://x)', ['r1']],
])('AC09 labels are read where they stand as such: %s', (text, labels) => {
  expect(citedLabels(text)).toEqual(labels);
});

test('AC09 the labels of a text that goes on without end are read in one walk', () => {
  // tried in every way, each of these would take longer than the sun has left
  expect(citedLabels(`[${'r1 '.repeat(600)}x [r2]`)).toEqual(['r2']);
  expect(citedLabels(`${'['.repeat(100_000)}${'[r3 '.repeat(50_000)}【r4】`)).toEqual(['r4']);
  expect(citedLabels(`[${' r1 , r2 '.repeat(200)}]`)).toEqual(['r1', 'r2']);
});

test('AC09 a label is given once, also where the record of an earlier question was deleted', () => {
  const labelled = (label: string) => ({ label, invocationId: label, grounded: true });
  expect([nextLabel([]), nextLabel([labelled('r1')]), nextLabel([labelled('r3')]), nextLabel([labelled('r12'), labelled('r4')])]).toEqual(['r1', 'r2', 'r4', 'r13']);
});

test('AC09 each label that is cited is grounded, not grounded or unknown, and only that', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 12 }), fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 20 }), fc.string(), (grounded, cited, between) => {
      const results = grounded.map((one, i) => ({ label: `r${i + 1}`, invocationId: `inv${i}`, grounded: one }));
      const checked = checkCitations(cited.map((n) => `[r${n}]`).join(between.replace(/[[\]【】r]/gi, '')), results);
      expect([...checked.grounded, ...checked.notGrounded, ...checked.unknown].sort()).toEqual([...checked.cited].sort());
      expect(Object.keys(checked.results).sort()).toEqual([...checked.grounded, ...checked.notGrounded].sort());
    }),
  );
});

test.each([['[question] Which?', 'ask', 'Which?'], ['**[Insufficient evidence]** Nobody knows.', 'insufficient_evidence', 'Nobody knows.'], ['【question】：哪一年？', 'ask', '哪一年？'], ['The [question] remains.', 'answer', 'The [question] remains.'], ['', 'answer', '']])('AC10 an ending is read from how the text begins: %s', (said, ending, text) => {
  expect(endingOf(said)).toEqual({ ending, text });
});
