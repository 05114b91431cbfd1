// `npm test`. Plain JavaScript: starts on Node 20 with nothing installed, sets itself up, then runs every stage under the pinned Node.
// --full adds what is too long for every run; --only a,b runs some stages; --no-retries tries no journey a second time. The last line is `N passed, N failed[, N skipped]`.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, ensureInstalled, pinnedNode } from '../main/shell/setup.mjs';
import { ensureBrowser } from './browser.mjs';
import { countPlaywright, countVitest, retriesOf, secondTries } from './count-results.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'e2e', 'out');
const log = (line) => process.stderr.write(`[test] ${line}\n`);
const argv = process.argv.slice(2);
const full = argv.includes('--full') || process.env.GANTRY_FULL === '1';
const only = argv.includes('--only') ? (argv[argv.indexOf('--only') + 1] ?? '').split(',') : null;
const MINUTE = 60_000;
const LIMIT = (full ? 60 : 35) * MINUTE;

/** Runs a program under the pinned Node in a group of its own, which is ended with it, or after its limit. */
const runNode = (args, { env = {}, limitMs = 5 * MINUTE } = {}) =>
  new Promise((resolve) => {
    const path = [join(root, 'node_modules', 'node', 'bin'), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
    const posix = process.platform !== 'win32';
    const child = spawn(pinnedNode(root), args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], detached: posix, env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'gantry-tests'), PATH: path, ...(full ? { GANTRY_FULL: '1' } : {}), ...env } });
    const end = () => {
      try {
        if (posix) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // it has ended by itself
      }
    };
    const timer = setTimeout(() => {
      log(`${args[0]} ran longer than ${limitMs / MINUTE} minutes and was ended.`);
      end();
    }, limitMs);
    const onSignal = () => {
      end();
      process.exit(130);
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, onSignal);
    child.once('error', (error) => {
      log(error.message);
      resolve(1);
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, onSignal);
      end();
      resolve(code ?? 1);
    });
  });

const bin = (...parts) => join(root, 'node_modules', ...parts);
const one = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });
const step = async (args, options) => one((await runNode(args, options)) === 0);
const scripts = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts ?? {};
const resultFile = (name) => {
  mkdirSync(out, { recursive: true });
  const path = join(out, name);
  rmSync(path, { force: true });
  return path;
};

const build = async () => {
  const wanted = ['build', 'build:electron'].filter((name) => scripts()[name]);
  let ok = wanted.length > 0;
  if (!ok) log('package.json has no build script.');
  for (const name of wanted) {
    // `vite build ... && vite build ...`: run by the shell with the pinned Node first on the path
    const code = await runNode(['-e', `const { spawnSync } = require('node:child_process'); process.exit(spawnSync(${JSON.stringify(scripts()[name])}, { shell: true, stdio: 'inherit' }).status ?? 1)`]);
    ok &&= code === 0;
  }
  // the host as `npm start` has it: what the journeys run
  await ensureBuilt({ root, log, target: 'host' }).catch((error) => {
    log(error.message);
    ok = false;
  });
  return one(ok);
};

const unit = async () => {
  const path = resultFile('unit.json');
  const code = await runNode([bin('vitest', 'vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${path}`], { limitMs: LIMIT });
  return countVitest(path, code);
};

const closing = [];
const journeys = (pattern) => existsSync(join(root, 'e2e')) && readdirSync(join(root, 'e2e'), { recursive: true }).some((name) => pattern.test(String(name)) && !String(name).startsWith('out'));
const playwright = async (project) => {
  const path = resultFile(`${project}.json`);
  const args = [bin('@playwright', 'test', 'cli.js'), 'test', `--project=${project}`, `--retries=${retriesOf(argv, full)}`, '--reporter=line,json'];
  const code = await runNode(args, { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: path, PLAYWRIGHT_JSON_OUTPUT_NAME: path }, limitMs: LIMIT });
  closing.push(...secondTries(path));
  return countPlaywright(path, code);
};

const e2e = async () => {
  if (!journeys(/(?<!\.electron)\.spec\.ts$/)) {
    log('There are no journeys (e2e/*.spec.ts).');
    return { passed: 0, failed: 0, skipped: 0 };
  }
  return ensureBrowser(log) ? playwright('loopback') : one(false);
};

const electron = async () => {
  const folder = bin('electron');
  const name = join(folder, 'path.txt');
  const binary = existsSync(name) && existsSync(join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), readFileSync(name, 'utf8')));
  if (!binary || !journeys(/\.electron\.spec\.ts$/)) {
    closing.push(binary ? 'The electron project did not run: it has no journeys.' : 'The electron project did not run: the Electron binary is not there.');
    return { passed: 0, failed: 0, skipped: 0 };
  }
  const counts = await playwright('electron');
  closing.push(`The electron project ran: ${counts.passed} passed, ${counts.failed} failed.`);
  return counts;
};

const STAGES = {
  types: () => step([bin('typescript', 'bin', 'tsc'), '-p', '.']),
  lint: () => step([bin('oxlint', 'bin', 'oxlint')]),
  imports: () => step(['.ci/import-rules.mjs']),
  spec: () => step(['.ci/spec-coverage.mjs']),
  check: () => step(['.ci/check.mjs']),
  build,
  unit,
  e2e,
  electron,
};

const main = async () => {
  const unknown = (only ?? []).filter((name) => !STAGES[name]);
  if (unknown.length > 0) throw new Error(`There is no stage ${unknown.join(', ')}; there are ${Object.keys(STAGES).join(', ')}.`);
  await ensureInstalled({ root, log });
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const name of Object.keys(STAGES).filter((stage) => only === null || only.includes(stage))) {
    const from = Date.now();
    log(`${name}:`);
    const counts = await STAGES[name]();
    for (const key of Object.keys(total)) total[key] += counts[key];
    closing.push(`${name}: ${counts.passed} passed, ${counts.failed} failed${counts.skipped ? `, ${counts.skipped} skipped` : ''} in ${((Date.now() - from) / 1000).toFixed(1)} s`);
  }
  console.log(`\n${closing.join('\n')}`);
  return total;
};

let total;
try {
  total = await main();
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  total = { passed: 0, failed: 1, skipped: 0 };
}
process.exitCode = total.failed > 0 ? 1 : 0;
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
