// Plain JavaScript: part of `npm start`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { networkCause, runProgram } from './run-program.mjs';
import { pinnedNode } from './setup.mjs';

const TRY_FOR_MS = 20_000;
const TRY_AGAIN_AFTER_MS = 7 * 24 * 60 * 60_000;

const readJson = (/** @type {string} */ path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
};

/** Where the binary lies in its folder, for a copy that did not come through electron's own script. */
const BINARIES = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

const binaryName = (/** @type {string} */ folder) => {
  try {
    return readFileSync(join(folder, 'path.txt'), 'utf8');
  } catch {
    return BINARIES[/** @type {'darwin' | 'win32'} */ (process.platform)] ?? 'electron';
  }
};

/** The installed Electron binary, or null. */
const installedBinary = (/** @type {string} */ root) => {
  const folder = join(root, 'node_modules', 'electron');
  const path = join(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist'), binaryName(folder));
  return existsSync(path) ? path : null;
};

/**
 * Electron's binary: there, or fetched in one short attempt. A failed attempt is remembered in `.gantry-dev/electron.json`
 * and repeated after 7 days, for another version, or when `insist`. What is missing, and what can be done, is said.
 * @param {{root: string, log: (line: string) => void, insist: boolean, now?: number}} options @returns {Promise<string | null>}
 */
export const findElectron = async ({ root, log, insist, now = Date.now() }) => {
  const there = installedBinary(root);
  if (there) return there;
  const version = readJson(join(root, 'node_modules', 'electron', 'package.json'))?.version;
  if (!version) {
    if (insist) log('--shell=electron needs the package electron, which is not in node_modules. Run npm ci, then start again.');
    return null;
  }
  const verdictPath = join(root, '.gantry-dev', 'electron.json');
  const verdict = readJson(verdictPath);
  if (!insist && verdict?.version === version && now - verdict.at < TRY_AGAIN_AFTER_MS) return null;
  log(`Fetching Electron ${version} (at most ${TRY_FOR_MS / 1000} s).`);
  const tried = await runProgram(pinnedNode(root), [join(root, 'node_modules', 'electron', 'install.js')], { root, timeoutMs: TRY_FOR_MS, quiet: true });
  const fetched = installedBinary(root);
  if (fetched === null) {
    const why = tried.signal ? `no end within ${TRY_FOR_MS / 1000} s` : (networkCause(tried.said) ?? (/fetch failed/.test(tried.said) ? 'the place it is downloaded from could not be reached' : null) ?? tried.said.split('\n').find((line) => line.trim() !== '')?.trim().slice(0, 200) ?? `its script ended with ${tried.code}`);
    if (insist) log(`--shell=electron needs the program Electron ${version}; it is not in node_modules/electron/dist and could not be fetched (${why}). Connect to the network and start again, or name a mirror in ELECTRON_MIRROR, or the folder of an unpacked copy in ELECTRON_OVERRIDE_DIST_PATH. Without --shell=electron Gantry opens in a browser window.`);
    else log(`Gantry's own window needs Electron, which could not be downloaded: ${why}. Gantry runs in a browser instead. It is tried again in 7 days, or now with --shell=electron.`);
  }
  mkdirSync(dirname(verdictPath), { recursive: true });
  writeFileSync(verdictPath, `${JSON.stringify({ version, at: now, fetched: fetched !== null })}\n`);
  return fetched;
};
