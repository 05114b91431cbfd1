import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LocalRegistry } from '../../e2e/fixtures/local-registry.ts';
import { openInstaller, valueOf } from './installer.fixture.ts';

const posix = process.platform !== 'win32';
const writeMark = (text: string): string => `node -e "require('node:fs').writeFileSync('mark.txt', ${text})"`;
let registry: LocalRegistry;
beforeAll(async () => {
  registry = await LocalRegistry.start();
  const files = { 'cli.js': '1\n' };
  registry.publish({ name: 'dep', version: '1.0.0', manifest: { scripts: { preinstall: writeMark("'dep'") } } });
  registry.publish({ name: 'app', version: '1.0.0', manifest: { bin: 'cli.js', dependencies: { dep: '1.0.0' }, scripts: { postinstall: writeMark("JSON.stringify({env: process.env, cwd: process.cwd()})") } }, files });
  registry.publish({ name: 'fails', version: '1.0.0', manifest: { bin: 'cli.js', scripts: { install: 'echo the reason >&2; exit 3' } }, files });
  registry.publish({ name: 'lingers', version: '1.0.0', manifest: { bin: 'cli.js', scripts: { install: 'node -e "setInterval(() => {}, 1000)" & echo $! > "$HOME/pid"; wait' } }, files });
});
afterAll(() => registry.close());

/** A process that has ended but was not reaped by its new parent counts as ended. */
const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc/self/stat') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

test('M06 no install script runs unless its package was allowed by name; the record says which there are', async () => {
  const { install, installer } = openInstaller(registry);
  const installation = valueOf(await install('app'));
  expect(installation.scripts.toSorted((a, b) => a.package.localeCompare(b.package))).toEqual([{ package: 'app', allowed: false }, { package: 'dep', allowed: false }]);
  for (const name of ['app', 'dep']) expect(existsSync(join(installation.dir, 'node_modules', name, 'mark.txt')), name).toBe(false);
  expect(valueOf(await installer.verify(installation)).restored).toEqual([]);
});

test('M06 exactly the allowed package runs, with its own home folder and nothing of the host’s environment', async () => {
  process.env['GANTRY_TEST_SECRET'] = 'hunter2-canary';
  process.env['npm_config_ignore_scripts'] = 'false';
  const { install, installer, dataDir } = openInstaller(registry);
  const installation = valueOf(await install('app', { allowScripts: ['app', 'unrelated'] }));
  expect(installation.scripts.find((one) => one.package === 'app')?.allowed).toBe(true);
  expect(installation.scripts.find((one) => one.package === 'dep')?.allowed).toBe(false);
  expect(existsSync(join(installation.dir, 'node_modules', 'dep', 'mark.txt'))).toBe(false);
  const { env } = JSON.parse(readFileSync(join(installation.dir, 'node_modules', 'app', 'mark.txt'), 'utf8')) as { env: Record<string, string> };
  expect(env).toMatchObject({ HOME: join(dataDir, 'homes', 'app'), npm_lifecycle_event: 'postinstall', npm_package_name: 'app', npm_package_version: '1.0.0' });
  expect(JSON.stringify(env)).not.toContain('hunter2-canary');
  delete process.env['GANTRY_TEST_SECRET'];
  delete process.env['npm_config_ignore_scripts'];
  expect(valueOf(await installer.verify(installation))).toMatchObject({ restored: [], setAside: [] });
});

test.runIf(posix)('M46 a failing script fails the installation with its last words, and leaves nothing', async () => {
  const { install, left } = openInstaller(registry);
  expect(await install('fails', { allowScripts: ['fails'] })).toMatchObject({ ok: false, error: { code: 'install_failed', field: 'allowScripts', details: { step: 'scripts', package: 'fails', event: 'install', output: expect.stringContaining('the reason') } } });
  expect(left()).toEqual([]);
});

test.runIf(posix)('M46 stopping while a script runs ends its whole process group, and leaves nothing', async () => {
  const { install, left, dataDir } = openInstaller(registry);
  const controller = new AbortController();
  const running = install('lingers', { allowScripts: ['lingers'], signal: controller.signal });
  const pidFile = join(dataDir, 'homes', 'app', 'pid');
  while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8').trim() === '') await new Promise((resolve) => setTimeout(resolve, 10));
  const pid = Number(readFileSync(pidFile, 'utf8'));
  expect(alive(pid)).toBe(true);
  controller.abort();
  expect(await running).toMatchObject({ ok: false, error: { code: 'install_cancelled' } });
  await expect.poll(() => alive(pid)).toBe(false);
  expect(left()).toEqual([]);
  expect(readdirSync(join(dataDir, 'homes'))).toEqual([]);
});
