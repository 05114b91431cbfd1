// `npm start`. Plain JavaScript: runs on the Node that the machine has; the host itself runs on the pinned one.
import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { findElectron } from './electron-binary.mjs';
import { ensureBuilt, ensureInstalled, pinnedNode } from './setup.mjs';
import { START_HELP, parseStartOptions } from './start-options.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const log = (/** @type {string} */ line) => process.stderr.write(`[gantry] ${line}\n`);
const argv = process.argv.slice(2);
/** Node keeps what it compiled, types stripped, from one start to the next: a third of the host's start. Servers do not inherit it. */
const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'gantry') };
const ORPHAN_LOOK_MS = 1_000;

/** npm runs this through a shell: its own process is the parent's parent. Null where that cannot be read (Windows). */
const npmPid = () => {
  try {
    return process.env['npm_lifecycle_event'] ? Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(process.ppid)], { encoding: 'utf8' })) : null;
  } catch {
    return null;
  }
};

const isGone = (/** @type {number} */ pid) => {
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
};

/**
 * Runs the shell and ends with it. Ctrl-C reaches it by itself (one terminal group); the other signals are passed on. It hears the end
 * of this process over its IPC channel, whatever ended it; and where npm, or the shell that npm used, is gone, this ends too.
 */
const runShell = (/** @type {string} */ command, /** @type {readonly string[]} */ args) => {
  const child = spawn(command, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: { ...COMPILE_CACHE, ...process.env } });
  process.on('SIGINT', () => {});
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill('SIGTERM'));
  const parent = process.ppid;
  const npm = npmPid();
  const orphanLook = setInterval(() => (process.ppid !== parent || (npm !== null && npm > 1 && isGone(npm))) && child.kill('SIGTERM'), ORPHAN_LOOK_MS);
  child.once('error', (error) => {
    log(`${command} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code) => {
    clearInterval(orphanLook);
    process.exit(code ?? 1);
  });
};

const start = async () => {
  const parsed = parseStartOptions(argv, process.env);
  if (!parsed.ok) {
    log(`${parsed.message}. See npm start -- --help.`);
    process.exit(1);
  }
  const { options } = parsed;
  if (options.help) {
    process.stdout.write(START_HELP);
    return;
  }
  await ensureInstalled({ root, log });
  await ensureBuilt({ root, log });
  const electron = options.shell === 'loopback' ? null : await findElectron({ root, log, insist: options.shell === 'electron' });
  if (electron) {
    await ensureBuilt({ root, log, target: 'electron' });
    const asRoot = process.getuid?.() === 0;
    log('Opening Gantry.');
    if (asRoot) log('Running as root: Electron starts with --no-sandbox, because Chromium refuses its own sandbox to root.');
    runShell(electron, [...(asRoot ? ['--no-sandbox'] : []), root, '--', ...argv]);
    return;
  }
  // findElectron has said what is missing
  if (options.shell === 'electron') process.exit(1);
  await ensureBuilt({ root, log, target: 'host' });
  log('Opening Gantry.');
  runShell(pinnedNode(root), [join(root, 'dist', 'host', 'serve.cjs'), ...argv]);
};

start().catch((error) => {
  log(`Set-up failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
