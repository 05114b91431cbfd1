import { readFileSync } from 'node:fs';

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
};

/** A run that left no result, or ended badly without a failed test (a file that does not load, an error between tests), is a failure too. */
const withExit = (counts, code) => ({ ...counts, failed: code !== 0 && counts.failed === 0 ? 1 : counts.failed });

/** Tests in vitest's JSON report; a file that could not be loaded counts as one failure. */
export const countVitest = (path, code) => {
  const report = readJson(path);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const notLoaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed')).length;
  return withExit({ passed: report.numPassedTests, failed: report.numFailedTests + notLoaded, skipped: report.numPendingTests + (report.numTodoTests ?? 0) }, code);
};

/** Tests in Playwright's JSON report. */
export const countPlaywright = (path, code) => {
  const report = readJson(path);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return withExit({ passed: expected, failed: unexpected + flaky + report.errors.length, skipped }, code);
};
