// Plain JavaScript: part of `npm start`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pinnedNode, runVisibly } from './setup.mjs';

const TRY_FOR_MS = 20_000;
const TRY_AGAIN_AFTER_MS = 7 * 24 * 60 * 60_000;

const readJson = (/** @type {string} */ path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
};

/** The installed Electron binary, or null. */
const installedBinary = (/** @type {string} */ root) => {
  const folder = join(root, 'node_modules', 'electron');
  try {
    const path = join(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist'), readFileSync(join(folder, 'path.txt'), 'utf8'));
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
};

/**
 * Electron's binary: there, or fetched in one short attempt. A failed attempt is remembered in `.gantry-dev/electron.json`
 * and repeated after 7 days, for another version, or when `insist`.
 * @param {{root: string, log: (line: string) => void, insist: boolean, now?: number}} options @returns {Promise<string | null>}
 */
export const findElectron = async ({ root, log, insist, now = Date.now() }) => {
  const there = installedBinary(root);
  if (there) return there;
  const version = readJson(join(root, 'node_modules', 'electron', 'package.json'))?.version;
  if (!version) return null;
  const verdictPath = join(root, '.gantry-dev', 'electron.json');
  const verdict = readJson(verdictPath);
  if (!insist && verdict?.version === version && now - verdict.at < TRY_AGAIN_AFTER_MS) return null;
  log(`Fetching Electron ${version} (at most ${TRY_FOR_MS / 1000} s).`);
  try {
    await runVisibly(pinnedNode(root), [join(root, 'node_modules', 'electron', 'install.js')], { root, timeoutMs: TRY_FOR_MS });
  } catch {
    log('Electron cannot be fetched here; Gantry runs in a browser window instead. Next attempt in 7 days, or with --shell=electron.');
  }
  const fetched = installedBinary(root);
  mkdirSync(dirname(verdictPath), { recursive: true });
  writeFileSync(verdictPath, `${JSON.stringify({ version, at: now, fetched: fetched !== null })}\n`);
  return fetched;
};
