import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { ScriptedPackage } from './build-tree.ts';
import { cancelled } from './run-tree-job.ts';

export interface ScriptRun {
  readonly dir: string;
  /** exactly the packages the user opted in to, in npm's order */
  readonly packages: readonly ScriptedPackage[];
  readonly hostNode: string;
  /** HOME of the scripts: the app's own home folder, never the user's */
  readonly home: string;
  readonly signal: AbortSignal | undefined;
  readonly onStart: (packageName: string, event: string) => void;
}

const TIME_LIMIT_MS = 600_000;
const TAIL_CHARACTERS = 4_000;
const INHERITED = ['PATH', 'Path', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'NODE_EXTRA_CA_CERTS', 'SystemRoot', 'ComSpec', 'PATHEXT', 'windir'];

/** node-gyp as npm's run-script finds it; absent parts only matter to packages that compile. */
const nodeGyp = (): { readonly binFolder: string; readonly program: string } | null => {
  try {
    const fromArborist = createRequire(createRequire(import.meta.url).resolve('@npmcli/arborist'));
    const runScript = fromArborist.resolve('@npmcli/run-script');
    return { binFolder: join(dirname(runScript), 'node-gyp-bin'), program: createRequire(runScript).resolve('node-gyp/bin/node-gyp.js') };
  } catch {
    return null;
  }
};

const environment = (run: ScriptRun, one: ScriptedPackage, event: string, script: string): NodeJS.ProcessEnv => {
  const env: NodeJS.ProcessEnv = {};
  for (const name of INHERITED) if (process.env[name] !== undefined) env[name] = process.env[name];
  const gyp = nodeGyp();
  const bins: string[] = [];
  for (let at = one.location; at !== '' && at !== '.'; at = dirname(at)) bins.push(resolve(run.dir, at, 'node_modules', '.bin'));
  bins.push(resolve(run.dir, 'node_modules', '.bin'), ...(gyp ? [gyp.binFolder] : []), dirname(run.hostNode), env['PATH'] ?? env['Path'] ?? '');
  delete env['Path'];
  return {
    ...env,
    PATH: bins.join(delimiter),
    HOME: run.home,
    USERPROFILE: run.home,
    APPDATA: join(run.home, 'AppData', 'Roaming'),
    LOCALAPPDATA: join(run.home, 'AppData', 'Local'),
    INIT_CWD: run.dir,
    NODE: run.hostNode,
    npm_node_execpath: run.hostNode,
    npm_command: 'install',
    npm_lifecycle_event: event,
    npm_lifecycle_script: script,
    npm_package_name: one.package,
    npm_package_version: one.version,
    npm_package_json: resolve(run.dir, one.location, 'package.json'),
    npm_config_user_agent: `gantry node/${process.versions.node} ${process.platform} ${process.arch}`,
    ...(gyp ? { npm_config_node_gyp: gyp.program } : {}),
  };
};

const killGroup = (pid: number): void => {
  try {
    if (process.platform === 'win32') spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // the group has ended already
  }
};

const runOne = (run: ScriptRun, one: ScriptedPackage, event: string, script: string): Promise<Result<void>> =>
  new Promise((resolvePromise) => {
    const child = spawn(script, { cwd: join(run.dir, one.location), env: environment(run, one, event, script), shell: true, detached: process.platform !== 'win32', stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    let tail = '';
    let overtime = false;
    const keep = (chunk: Buffer): void => {
      tail = (tail + chunk.toString('utf8')).slice(-TAIL_CHARACTERS);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const stop = (): void => {
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const timer = setTimeout(() => {
      overtime = true;
      stop();
    }, TIME_LIMIT_MS);
    run.signal?.addEventListener('abort', stop, { once: true });
    const finish = (why: string | null): void => {
      clearTimeout(timer);
      run.signal?.removeEventListener('abort', stop);
      // what a script left running in the background may not outlive the installation
      stop();
      if (run.signal?.aborted) resolvePromise(cancelled());
      else if (why === null) resolvePromise(ok(undefined));
      else {
        resolvePromise(err(fault('install_failed', `The ${event} script of ${one.package} failed: ${why}.`, {
          field: 'allowScripts',
          remedy: 'Read its last output. The app may also work without this script: install it without allowing it.',
          details: { step: 'scripts', package: one.package, event, output: tail },
        })));
      }
    };
    child.once('error', (error) => finish(error.message));
    child.once('close', (code, signal) => finish(overtime ? `no end within ${TIME_LIMIT_MS / 60_000} minutes` : code === 0 ? null : signal ? `signal ${signal}` : `exit code ${code}`));
  });

/**
 * Runs preinstall, install and postinstall of the named packages, each event over all packages before the next, as npm does,
 * in a process group of their own and with an environment that holds nothing of the user's but PATH and language.
 * Errors: install_cancelled, install_failed (details: package, event, the last output).
 */
export const runInstallScripts = async (run: ScriptRun): Promise<Result<void>> => {
  for (const event of ['preinstall', 'install', 'postinstall'] as const) {
    for (const one of run.packages) {
      const script = one.events[event];
      if (script === undefined) continue;
      if (run.signal?.aborted) return cancelled();
      run.onStart(one.package, event);
      const result = await runOne(run, one, event, script);
      if (!result.ok) return result;
    }
  }
  return ok(undefined);
};
