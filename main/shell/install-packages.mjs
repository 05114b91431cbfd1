// Plain JavaScript without packages: runs on Node 20, before anything is installed.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { networkCause, runProgram } from './run-program.mjs';

const ASK_FOR_MS = 15_000;

const npm = (/** @type {readonly string[]} */ args, /** @type {{root: string, quiet?: boolean, timeoutMs?: number}} */ options) => {
  const cli = process.env['npm_execpath'];
  if (cli?.endsWith('.js')) return runProgram(process.env['npm_node_execpath'] ?? process.execPath, [cli, ...args], options);
  return runProgram(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, options);
};

const unreachable = (/** @type {string} */ cause, /** @type {string} */ state) =>
  new Error(`The package registry cannot be reached (${cause}), and Gantry takes its packages from it once. Connect to the network, or name your proxy (npm config set https-proxy <url>), then run this again. ${state}`);

/**
 * `npm ci`. It empties node_modules first, so the registry is asked before; without a network npm's own cache may do where nothing is
 * installed yet. Warnings are left out: the first one runs under the system's Node, and npm would complain of every package that is
 * meant for the pinned Node which it is about to install (EBADENGINE); errors are shown whole. Rejects with one sentence.
 * @param {{root: string, log: (line: string) => void}} options @returns {Promise<void>}
 */
export const installPackages = async ({ root, log }) => {
  const place = join(root, 'node_modules');
  const args = ['ci', '--no-audit', '--no-fund', '--progress=false', '--loglevel=error'];
  const asked = await npm(['ping', '--fetch-retries=0', `--fetch-timeout=${ASK_FOR_MS}`, '--loglevel=error'], { root, quiet: true, timeoutMs: 2 * ASK_FOR_MS });
  const away = asked.code === 0 ? null : asked.signal === 'SIGKILL' ? 'ETIMEDOUT' : networkCause(asked.said);
  if (away !== null) {
    if (existsSync(place)) throw unreachable(away, 'Nothing was changed.');
    log(`The package registry cannot be reached (${away}); trying what npm has kept.`);
    const cached = await npm([...args, '--offline'], { root, quiet: true });
    if (cached.code === 0) return;
    rmSync(place, { recursive: true, force: true });
    throw unreachable(away, 'Nothing was installed.');
  }
  const done = await npm(args, { root });
  if (done.code === 0) return;
  // a refusal before anything was touched leaves the former whole; else what is there is a part, and looks like a whole
  if (!existsSync(join(place, '.package-lock.json'))) rmSync(place, { recursive: true, force: true });
  const cause = networkCause(done.said);
  if (cause !== null) throw unreachable(cause, 'What had been fetched is kept in npm’s cache; nothing is half installed.');
  throw new Error(`npm ci ended with ${done.signal ?? done.code}; its words are above. Nothing is half installed.`);
};
