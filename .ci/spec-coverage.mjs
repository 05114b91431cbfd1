// docs/spec against the names of the tests: a rule no test cites, and an id no rule has, fail. `node .ci/spec-coverage.mjs`
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFiles } from './list-files.mjs';
import { readTests } from './read-tests.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const RULE = /^\s*[-*]\s+(?:\*\*)?([A-Z]{1,2}\d{1,3})(?:\*\*)?\s*:(.*)$/;
const TEST = /\.(test\.tsx?|test\.mjs|spec\.ts)$/;

/** Rules of the pages given as {path: text}: id -> the pages that state it. */
export const readRules = (pages) => {
  const rules = new Map();
  for (const [path, text] of pages) {
    for (const line of text.split('\n')) {
      const id = RULE.exec(line)?.[1];
      if (id) rules.set(id, [...(rules.get(id) ?? []), path]);
    }
  }
  return rules;
};

/** Complaints, one line each. `pages` and `tests` are lists of [path, text]. */
export const checkCoverage = (pages, tests) => {
  const rules = readRules(pages);
  const cited = new Set();
  const complaints = [];
  for (const [path, text] of tests) {
    for (const { name, ids, off } of readTests(text, path)) {
      if (name === null) complaints.push(`${path}: a test's name begins with an expression: write its id out`);
      else if (ids.length === 0) complaints.push(`${path}: "${name}" begins with no rule's id`);
      for (const id of ids) {
        if (!rules.has(id)) complaints.push(`${path}: "${name}" cites ${id}, which no rule has`);
        if (!off) cited.add(id);
      }
    }
  }
  for (const [id, where] of rules) {
    if (!cited.has(id)) complaints.push(`${where[0]}: no test that runs cites ${id}`);
    // a fault or a case may be proved in several parts; a page states it once
    if (new Set(where).size !== where.length) complaints.push(`${where[0]}: ${id} is stated twice on one page`);
  }
  return { complaints, rules: rules.size };
};

const specPages = () => {
  const folder = join(ROOT, 'docs', 'spec');
  const names = ['docs/spec.md'];
  try {
    names.push(...readdirSync(folder).filter((name) => name.endsWith('.md')).map((name) => `docs/spec/${name}`));
  } catch {
    // one page only
  }
  return names.flatMap((name) => {
    try {
      return [[name, readFileSync(join(ROOT, name), 'utf8')]];
    } catch {
      return [];
    }
  });
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tests = listFiles(ROOT).filter((path) => TEST.test(path)).map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]);
  const { complaints, rules } = checkCoverage(specPages(), tests);
  complaints.forEach((line) => console.log(line));
  console.log(`${rules} rules, ${tests.length} test files, ${complaints.length} complaints`);
  process.exitCode = complaints.length > 0 || rules === 0 ? 1 : 0;
}
