import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countPlaywright, countVitest } from './count-results.mjs';

const report = (value) => {
  const path = join(mkdtempSync(join(tmpdir(), 'gantry-count-')), 'report.json');
  writeFileSync(path, JSON.stringify(value));
  return path;
};
const vitest = (passed, failed, pending, files = []) => report({ numPassedTests: passed, numFailedTests: failed, numPendingTests: pending, numTodoTests: 0, testResults: files });
const playwright = (stats, errors = []) => report({ stats, errors });

test('T30 tests are counted as they ended', () => {
  expect(countVitest(vitest(5, 2, 1, [{ status: 'failed', assertionResults: [{ status: 'failed' }] }]), 1)).toEqual({ passed: 5, failed: 2, skipped: 1 });
  expect(countPlaywright(playwright({ expected: 4, unexpected: 1, flaky: 1, skipped: 2 }), 1)).toEqual({ passed: 4, failed: 2, skipped: 2 });
});

test('T30 a file that does not load, a run without a result, or one that ends badly is a failure', () => {
  expect(countVitest(vitest(5, 0, 0, [{ status: 'failed', assertionResults: [] }]), 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  expect(countVitest(vitest(5, 0, 0), 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  expect(countVitest('/does/not/exist', 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(countPlaywright(playwright({ expected: 4, unexpected: 0, flaky: 0, skipped: 0 }, [{ message: 'no config' }]), 1)).toEqual({ passed: 4, failed: 1, skipped: 0 });
  expect(countPlaywright('/does/not/exist', 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
