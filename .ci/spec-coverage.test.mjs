import { expect, test } from 'vitest';
import { readTests } from './read-tests.mjs';
import { checkCoverage } from './spec-coverage.mjs';

const PAGE = [['docs/spec/a.md', '# A\n\n- S01: one.\n- **S02**: two.\n\nS03: no list, no rule.\n']];
const complaintsOf = (code, pages = PAGE) => checkCoverage(pages, [['a.test.ts', code]]).complaints;

test('T20 all rules cited, all ids known: no complaint', () => {
  expect(complaintsOf("test('S01 S02 works', () => {});")).toEqual([]);
  expect(complaintsOf("test.each([1])('S01 works %i', () => {});\nit.runIf(process.platform !== 'win32')(`S02 works on ${1}`, async () => {});")).toEqual([]);
});

test.each([
  ['a rule that no test cites', "test('S01 works', () => {});", 'docs/spec/a.md: no test that runs cites S02'],
  ['an id that no rule has', "test('S01 S02 works', () => {});\ntest('S99 works', () => {});", 'a.test.ts: "S99 works" cites S99, which no rule has'],
  ['a rule that is cited by a skipped test only', "test('S01 works', () => {});\ntest.skip('S02 works', () => {});", 'docs/spec/a.md: no test that runs cites S02'],
  ['a test without an id', "test('S01 S02 works', () => {});\ntest('works', () => {});", 'a.test.ts: "works" begins with no rule\'s id'],
  ['an id further on in the name', "test('S01 works', () => {});\ntest('works as S02 says', () => {});", 'docs/spec/a.md: no test that runs cites S02'],
  ['a name that nobody can read', "test('S01 S02 works', () => {});\nfor (const id of ['S01']) test(`${id} works`, () => {});", "a.test.ts: a test's name begins with an expression: write its id out"],
  ['a line that is no rule of the list', "test('S01 S02 works', () => {});\ntest('S03 works', () => {});", 'a.test.ts: "S03 works" cites S03, which no rule has'],
])('T20 planted: %s', (_what, code, complaint) => {
  expect(complaintsOf(code)).toContain(complaint);
});

test('T20 planted: a rule stated twice on one page', () => {
  expect(complaintsOf("test('S01 works', () => {});", [['docs/spec/a.md', '- S01: one.\n- S01: again.\n']])).toContain('docs/spec/a.md: S01 is stated twice on one page');
});

test('T21 what is not a test is not taken for one', () => {
  const code = "describe('group', () => {});\ntest.describe('group', () => {});\ntest.step('step', async () => {});\ntest.skip(condition, 'because');\nconst x = /a/.test('text', () => {});\ntest.beforeEach(async () => {});\ntest.each([['row', () => {}]]);";
  expect(readTests(code, 'a.spec.ts')).toEqual([]);
});
