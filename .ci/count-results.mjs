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

/** Tests in Playwright's JSON report; one that passed at its second try counts once, as passed. */
export const countPlaywright = (path, code) => {
  const report = readJson(path);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return withExit({ passed: expected + flaky, failed: unexpected + report.errors.length, skipped }, code);
};

/** Every test of a report with the file it stands in, whatever it is grouped in. */
const testsOf = (suites) => suites.flatMap(({ specs = [], suites: inner = [] }) => [...specs.flatMap((spec) => spec.tests.map((test) => ({ name: `${spec.file}:${spec.line} ${spec.title}`, status: test.status }))), ...testsOf(inner)]);

/** What to say of journeys that passed only when they were tried again: how many, and a line for each, so that it is seen and mended. */
export const secondTries = (path) => {
  const names = testsOf(readJson(path)?.suites ?? []).filter(({ status }) => status === 'flaky').map(({ name }) => `passed at second try: ${name}`);
  return names.length === 0 ? [] : [`${names.length} passed only at the second try; each is a fault of the journey or of the product:`, ...names];
};

/** How often a journey that failed is tried again: once in the ordinary run; never in the full one, and where `--no-retries` asks to see every failure. */
export const retriesOf = (argv, full) => (full || argv.includes('--no-retries') ? 0 : 1);
