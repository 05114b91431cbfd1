// Plain JavaScript without packages: runs on Node 20, before anything is installed. Shared by `npm start` and `npm test`.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { installPackages } from './install-packages.mjs';
import { withProgress } from './step-progress.mjs';

/** @typedef {(line: string) => void} Say */

const sha256 = (/** @type {string | Buffer} */ data) => createHash('sha256').update(data).digest('hex');

const readText = (/** @type {string} */ path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

/**
 * Runs a program with its output on stderr; rejects with its exit code in words.
 * @param {string} command @param {readonly string[]} args @param {{root: string, env?: NodeJS.ProcessEnv, timeoutMs?: number}} options
 * @returns {Promise<void>}
 */
export const runVisibly = (command, args, { root, env = process.env, timeoutMs }) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 2, 2], ...(timeoutMs ? { timeout: timeoutMs, killSignal: 'SIGKILL' } : {}) });
    const stop = () => child.kill('SIGTERM');
    process.once('SIGTERM', stop);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', stop);
      if (code === 0) resolve();
      else reject(new Error(`${command} ended with ${signal ?? code}`));
    });
  });

/** The Node that the lock file pins; the one that runs this where it is not installed yet. */
export const pinnedNode = (/** @type {string} */ root) => {
  const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(pinned) ? pinned : process.execPath;
};

/** npm's own record of what lies in node_modules agrees with the lock file; what is optional may be missing. */
const agreesWithLock = (/** @type {string} */ root, /** @type {string} */ lockText) => {
  const installedText = readText(join(root, 'node_modules', '.package-lock.json'));
  if (installedText === null) return false;
  const wanted = JSON.parse(lockText).packages;
  const installed = JSON.parse(installedText).packages;
  return Object.entries(wanted).every(([path, entry]) => path === '' || (installed[path] ? installed[path].version === entry.version : entry.optional === true || entry.devOptional === true || entry.peer === true));
};

/** How many of the lock file's packages lie in place, in words. npm renames each to its place when it is unpacked. */
const countInstalled = (/** @type {string} */ root, /** @type {string} */ lockText) => {
  const wanted = Object.entries(JSON.parse(lockText).packages).flatMap(([path, entry]) => (path === '' || entry.optional === true ? [] : [path]));
  return () => `${wanted.filter((path) => existsSync(join(root, path, 'package.json'))).length} of ${wanted.length} packages, `;
};

/**
 * Installs what the lock file says, unless it is there already (`node_modules/.gantry-stamp` holds the lock file's SHA-256).
 * @param {{root: string, log: Say}} options @returns {Promise<void>}
 */
export const ensureInstalled = async ({ root, log }) => {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stampPath = join(root, 'node_modules', '.gantry-stamp');
  const stamp = sha256(lockText);
  if (readText(stampPath)?.trim() === stamp) return;
  if (!agreesWithLock(root, lockText)) {
    const words = { begins: 'Installing the packages of package-lock.json (npm ci). The first time this takes a minute or two, more on a slow network.', name: 'Installing', ends: 'Packages are installed.' };
    await withProgress({ ...words, log, countDone: countInstalled(root, lockText) }, () => installPackages({ root, log }));
  }
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(stampPath, `${stamp}\n`);
};

/** @type {Readonly<Record<'renderer' | 'host' | 'electron', {sources: readonly string[], steps: readonly (readonly string[])[], words: string}>>} */
const BUILDS = {
  renderer: { sources: ['renderer', 'docs/guide', 'shared', 'packaging/licences.ts', 'vite.config.ts', 'package-lock.json'], steps: [['build']], words: 'the window' },
  host: { sources: ['main', 'shared', 'vite.host.config.ts', 'package.json', 'package-lock.json'], steps: [['build', '-c', 'vite.host.config.ts']], words: 'the host' },
  electron: {
    sources: ['main', 'preload', 'shared', 'vite.electron.config.ts', 'package.json', 'package-lock.json'],
    steps: [['build', '-c', 'vite.electron.config.ts'], ['build', '-c', 'vite.electron.config.ts', '--mode', 'preload']],
    words: 'the Electron shell',
  },
};

const filesUnder = (/** @type {string} */ path) => {
  if (!existsSync(path)) return [];
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {string} */ folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const at = join(folder, entry.name);
      if (entry.isDirectory()) visit(at);
      else if (!/\.test\.[cm]?tsx?$/.test(entry.name)) found.push(at);
    }
  };
  if (/\.[a-z]+$/.test(path)) return [path];
  visit(path);
  return found.sort();
};

const hashOfSources = (/** @type {string} */ root, /** @type {readonly string[]} */ sources) => {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesUnder(join(root, source)))) {
    hash.update(`${relative(root, file).split(sep).join('/')}\0${sha256(readFileSync(file))}\n`);
  }
  return hash.digest('hex');
};

/**
 * `dist/<target>` is built from the sources as they stand.
 * @param {{root: string, target: 'renderer' | 'host' | 'electron'}} options @returns {boolean}
 */
export const isBuilt = ({ root, target }) => readText(join(root, 'dist', target, '.gantry-build'))?.trim() === hashOfSources(root, BUILDS[target].sources);

/**
 * Builds `dist/<target>` where its sources have changed. Built aside and put in place by a rename, so that two starts at once, or a
 * build that fails, leave a whole one.
 * @param {{root: string, log: Say, target?: 'renderer' | 'host' | 'electron'}} options @returns {Promise<void>}
 */
export const ensureBuilt = async ({ root, log, target = 'renderer' }) => {
  if (isBuilt({ root, target })) return;
  const build = BUILDS[target];
  const place = join(root, 'dist', target);
  const stamp = hashOfSources(root, build.sources);
  const aside = `${place}.${process.pid}`;
  const old = `${place}.old.${process.pid}`;
  mkdirSync(join(root, 'dist'), { recursive: true });
  try {
    await withProgress({ begins: `Building ${build.words}.`, name: `Building ${build.words}`, ends: `Built ${build.words}.`, log }, async () => {
      for (const step of build.steps) {
        await runVisibly(pinnedNode(root), [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), ...step, '--outDir', aside, '--logLevel', 'warn'], { root, env: { ...process.env, NODE_ENV: 'production' } });
      }
    });
    writeFileSync(join(aside, '.gantry-build'), `${stamp}\n`);
    if (existsSync(place)) renameSync(place, old);
    renameSync(aside, place);
  } finally {
    for (const leftover of [aside, old]) rmSync(leftover, { recursive: true, force: true });
  }
};
