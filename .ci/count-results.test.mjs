import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countPlaywright, countVitest, retriesOf, secondTries } from './count-results.mjs';

const root = join(import.meta.dirname, '..');
const report = (value) => {
  const path = join(mkdtempSync(join(tmpdir(), 'gantry-count-')), 'report.json');
  writeFileSync(path, JSON.stringify(value));
  return path;
};
const vitest = (passed, failed, pending, files = []) => report({ numPassedTests: passed, numFailedTests: failed, numPendingTests: pending, numTodoTests: 0, testResults: files });
const playwright = (stats, errors = []) => report({ stats, errors });

test('T30 tests are counted as they ended', () => {
  expect(countVitest(vitest(5, 2, 1, [{ status: 'failed', assertionResults: [{ status: 'failed' }] }]), 1)).toEqual({ passed: 5, failed: 2, skipped: 1 });
  expect(countPlaywright(playwright({ expected: 4, unexpected: 1, flaky: 1, skipped: 2 }), 1)).toEqual({ passed: 5, failed: 1, skipped: 2 });
});

test('T30 a file that does not load, a run without a result, or one that ends badly is a failure', () => {
  expect(countVitest(vitest(5, 0, 0, [{ status: 'failed', assertionResults: [] }]), 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  expect(countVitest(vitest(5, 0, 0), 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  expect(countVitest('/does/not/exist', 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(countPlaywright(playwright({ expected: 4, unexpected: 0, flaky: 0, skipped: 0 }, [{ message: 'no config' }]), 1)).toEqual({ passed: 4, failed: 1, skipped: 0 });
  expect(countPlaywright('/does/not/exist', 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('T33 a journey that fails is tried again once in the ordinary run, never in the full one or where every failure is to be seen', () => {
  expect([retriesOf([], false), retriesOf(['--only', 'e2e'], false), retriesOf([], true), retriesOf(['--no-retries'], false)]).toEqual([1, 1, 0, 0]);
});

test('T33 what passed only at its second try is named and counted once, as passed; what failed twice has failed; a second try begins afresh', () => {
  // within the project, so that the runner is found; its own settings, so that no browser is started
  mkdirSync(join(root, 'e2e', 'out'), { recursive: true });
  const folder = mkdtempSync(join(root, 'e2e', 'out', 'tries-'));
  try {
    writeFileSync(join(folder, 'playwright.config.mjs'), "export default { testDir: '.', outputDir: './results', workers: 1 };");
    writeFileSync(
      join(folder, 'tries.spec.mjs'),
      `import { expect, test } from '@playwright/test';
let begun = 0;
test('X1 goes well', () => {});
test.describe('within', () => {
  test('X2 hiccups once', ({}, { retry }) => { begun += 1; expect([begun, retry]).toEqual([1, 1]); });
});
test('X3 fails always', () => { expect(1).toBe(2); });
test.skip('X4 is left out', () => {});
`,
    );
    const path = join(folder, 'report.json');
    const { NODE_OPTIONS: _none, ...env } = process.env;
    const run = spawnSync(process.execPath, [join(root, 'node_modules', '@playwright', 'test', 'cli.js'), 'test', '--config', join(folder, 'playwright.config.mjs'), `--retries=${retriesOf([], false)}`, '--reporter=json'], { cwd: root, encoding: 'utf8', timeout: 55_000, env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: path, PLAYWRIGHT_JSON_OUTPUT_FILE: path } });
    expect(JSON.parse(readFileSync(path, 'utf8')).errors).toEqual([]);
    expect(countPlaywright(path, run.status)).toEqual({ passed: 2, failed: 1, skipped: 1 });
    expect(secondTries(path)).toEqual(['1 passed only at the second try; each is a fault of the journey or of the product:', 'passed at second try: tries.spec.mjs:5 X2 hiccups once']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('T33 nothing is said where all passed at once, or where there is no report', () => {
  expect(secondTries(report({ suites: [{ specs: [{ file: 'a.spec.ts', line: 1, title: 'X1', tests: [{ status: 'expected' }] }] }] }))).toEqual([]);
  expect(secondTries('/does/not/exist')).toEqual([]);
});
