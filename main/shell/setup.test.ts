import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findElectron } from './electron-binary.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';
import { repositoryRoot } from './shell-under-test.ts';

const newRoot = (): string => mkdtempSync(join(tmpdir(), 'gantry-root-'));
const putJson = (path: string, value: unknown): void => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
};
const lock = { packages: { '': { name: 'x' }, 'node_modules/a': { version: '1.0.0' }, 'node_modules/only-windows': { version: '2.0.0', optional: true } } };

test('I23 what is installed already is not installed again, and the stamp makes the next look cheap', async () => {
  const root = newRoot();
  putJson(join(root, 'package-lock.json'), lock);
  putJson(join(root, 'node_modules', '.package-lock.json'), { packages: { 'node_modules/a': { version: '1.0.0' } } });
  const said: string[] = [];
  await ensureInstalled({ root, log: (line) => said.push(line) });
  expect(said).toEqual([]);
  expect(readFileSync(join(root, 'node_modules', '.gantry-stamp'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  rmSync(join(root, 'node_modules', '.package-lock.json'));
  await ensureInstalled({ root, log: (line) => said.push(line) });
  expect(said).toEqual([]);
});

test('I23 another lock file is installed by it, with a word of what is going on', () => {
  const root = newRoot();
  putJson(join(root, 'package.json'), { name: 'x', version: '1.0.0', private: true });
  putJson(join(root, 'package-lock.json'), { name: 'x', version: '1.0.0', lockfileVersion: 3, requires: true, packages: { '': { name: 'x', version: '1.0.0' } } });
  const done = setUp(root);
  expect(done.code).toBe(0);
  expect(done.said).toContain('npm ci');
  expect(existsSync(join(root, 'node_modules', '.gantry-stamp'))).toBe(true);
});

/** Set-up in a process of its own, as `npm start` does it; the registry of its npm refuses connections. */
const setUp = (root: string): { readonly code: number | null; readonly said: string } => {
  const program = `import { ensureInstalled } from ${JSON.stringify(join(repositoryRoot, 'main/shell/setup.mjs'))}; await ensureInstalled({ root: ${JSON.stringify(root)}, log: (line) => console.error(line) }).catch((error) => { console.error(error.message); process.exit(1); });`;
  const { npm_execpath: _cli, ...env } = process.env;
  const done = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', env: { ...env, npm_config_registry: 'http://127.0.0.1:1/', npm_config_cache: join(root, 'npm-cache') } });
  return { code: done.status, said: done.stderr };
};
const manifest = { name: 'x', version: '1.0.0', private: true };
const putProject = (root: string, dependencies: Record<string, unknown>, packages: object, engines?: object): void => {
  putJson(join(root, 'package.json'), { ...manifest, dependencies, ...(engines ? { engines } : {}) });
  putJson(join(root, 'package-lock.json'), { ...manifest, lockfileVersion: 3, requires: true, packages: { '': { ...manifest, dependencies, ...(engines ? { engines } : {}) }, ...packages } });
};

test('I33 without a registry one sentence says so, what is there stays, and nothing is half done', () => {
  const root = newRoot();
  const wanted = { 'node_modules/a': { version: '1.0.0', resolved: 'http://127.0.0.1:1/a/-/a-1.0.0.tgz', integrity: `sha512-${'A'.repeat(86)}==` } };
  putProject(root, { a: '1.0.0' }, wanted);
  const first = setUp(root);
  expect(first.code).toBe(1);
  expect(first.said.trim().split('\n').at(-1)).toMatch(/^The package registry cannot be reached \(ECONNREFUSED\).*Connect to the network.*Nothing was installed\.$/);
  expect(first.said).not.toContain('npm error');
  expect(existsSync(join(root, 'node_modules'))).toBe(false);
  putJson(join(root, 'node_modules', 'old', 'package.json'), { name: 'old' });
  const second = setUp(root);
  expect(second.code).toBe(1);
  expect(second.said.trim().split('\n').filter((line) => !line.startsWith('Installing: '))).toHaveLength(2);
  expect(second.said).toMatch(/Nothing was changed\.$/m);
  expect(readdirSync(join(root, 'node_modules'))).toEqual(['old']);
});

test('I33 npm does not complain of packages that are meant for the pinned Node', () => {
  const root = newRoot();
  putProject(root, {}, {}, { node: '>=99' });
  const done = setUp(root);
  expect(done.code).toBe(0);
  expect(done.said).not.toMatch(/EBADENGINE|npm warn/i);
  expect(done.said).toContain('Packages are installed. (');
});

test('I24 where Electron was insisted on, what is missing and what can be done is said in one line', async () => {
  const root = newRoot();
  putJson(join(root, 'node_modules', 'electron', 'package.json'), { version: '45.0.0' });
  writeFileSync(join(root, 'node_modules', 'electron', 'install.js'), "console.error('RequestError: getaddrinfo ENOTFOUND example.invalid\\n    at f (x.js:1:1)'); process.exit(1);");
  const said: string[] = [];
  expect(await findElectron({ root, log: (line) => said.push(line), insist: true })).toBeNull();
  expect(said.at(-1)).toMatch(/^--shell=electron needs the program Electron 45\.0\.0; .*\(ENOTFOUND\).*ELECTRON_MIRROR.*ELECTRON_OVERRIDE_DIST_PATH.*browser window\.$/);
  said.length = 0;
  expect(await findElectron({ root: newRoot(), log: (line) => said.push(line), insist: true })).toBeNull();
  expect(said).toEqual([expect.stringContaining('npm ci')]);
});

test('I23 the window is built once for its sources: a changed source builds again, a changed test does not, a failed build keeps the old', async () => {
  const root = newRoot();
  symlinkSync(join(repositoryRoot, 'node_modules'), join(root, 'node_modules'));
  putJson(join(root, 'package.json'), { type: 'module' });
  putJson(join(root, 'package-lock.json'), {});
  mkdirSync(join(root, 'renderer'));
  writeFileSync(join(root, 'vite.config.ts'), "export default { root: 'renderer', build: { outDir: '../dist/renderer', emptyOutDir: true } };");
  writeFileSync(join(root, 'renderer', 'index.html'), '<script type="module" src="./main.ts"></script>');
  writeFileSync(join(root, 'renderer', 'main.ts'), 'document.title = "one";');
  const built = async (): Promise<number> => {
    const said: string[] = [];
    await ensureBuilt({ root, log: (line) => said.push(line) });
    return said.filter((line) => line === 'Building the window.').length;
  };
  expect(await built()).toBe(1);
  expect(await built()).toBe(0);
  writeFileSync(join(root, 'renderer', 'main.test.ts'), 'export {};');
  expect(await built()).toBe(0);
  writeFileSync(join(root, 'renderer', 'main.ts'), 'document.title = "two";');
  expect(await built()).toBe(1);
  writeFileSync(join(root, 'renderer', 'main.ts'), 'this is no program');
  await expect(built()).rejects.toThrow('ended with 1');
  const assets = join(root, 'dist', 'renderer', 'assets');
  expect(readdirSync(assets).map((name) => readFileSync(join(assets, name), 'utf8')).join('')).toContain('two');
  expect(readdirSync(join(root, 'dist'))).toEqual(['renderer']);
});

test('I24 the verdict about Electron is kept for its version and for seven days; insisting asks again', async () => {
  const root = newRoot();
  putJson(join(root, 'node_modules', 'electron', 'package.json'), { version: '45.0.0' });
  writeFileSync(join(root, 'node_modules', 'electron', 'install.js'), 'process.exit(1)');
  const said: string[] = [];
  const find = async (insist: boolean, now: number): Promise<number> => {
    said.length = 0;
    expect(await findElectron({ root, log: (line) => said.push(line), insist, now })).toBeNull();
    return said.length;
  };
  const day = 24 * 60 * 60_000;
  expect(await find(false, 100 * day)).toBe(2);
  expect(await find(false, 106 * day)).toBe(0);
  expect(await find(true, 106 * day)).toBe(2);
  expect(await find(false, 114 * day)).toBe(2);
  putJson(join(root, 'node_modules', 'electron', 'package.json'), { version: '46.0.0' });
  expect(await find(false, 114 * day)).toBe(2);
});

test('I24 a binary that is there, or could be fetched, is taken', async () => {
  const root = newRoot();
  const folder = join(root, 'node_modules', 'electron');
  putJson(join(folder, 'package.json'), { version: '45.0.0' });
  writeFileSync(join(folder, 'install.js'), "const fs = require('fs'); fs.mkdirSync(__dirname + '/dist'); fs.writeFileSync(__dirname + '/dist/electron', ''); fs.writeFileSync(__dirname + '/path.txt', 'electron');");
  expect(await findElectron({ root, log: () => {}, insist: false })).toBe(join(folder, 'dist', 'electron'));
  writeFileSync(join(folder, 'install.js'), 'process.exit(1)');
  expect(await findElectron({ root, log: () => {}, insist: false })).toBe(join(folder, 'dist', 'electron'));
});
