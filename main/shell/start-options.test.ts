import { expect, test } from 'vitest';
import { defaultDataDir, resolveDataDir } from './data-dir.ts';
import { parseStartOptions } from './start-options.mjs';

const options = (argv: readonly string[], env = {}) => {
  const parsed = parseStartOptions(argv, env);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.options;
};

test('I21 the start options have one grammar, and a headless start is the loopback shell', () => {
  expect(options([])).toEqual({ dataDir: undefined, port: 0, language: undefined, approvals: 'window', open: true, shell: 'auto', help: false });
  expect(options(['--data-dir', '/d', '--port=8080', '--lang', 'zh', '--approvals=script', '--no-open'])).toEqual({
    dataDir: '/d', port: 8080, language: 'zh', approvals: 'script', open: false, shell: 'loopback', help: false,
  });
  expect(options(['--headless'])).toMatchObject({ open: false, shell: 'loopback' });
  expect(options([], { GANTRY_DATA_DIR: '/e' }).dataDir).toBe('/e');
  expect(options(['--data-dir=/d'], { GANTRY_DATA_DIR: '/e' }).dataDir).toBe('/d');
});

test('I21 a misspelt option, a wrong choice or port is refused with the choice it had', () => {
  for (const argv of [['--prot', '1'], ['--port', '99999'], ['--port='], ['--port', 'x'], ['--lang', 'fr'], ['--approvals', 'yes'], ['--shell=qt'], ['word'], ['--no-open', '--shell=electron']]) {
    expect([argv, parseStartOptions(argv, {}).ok]).toEqual([argv, false]);
  }
  expect(parseStartOptions(['--lang', 'fr'], {})).toMatchObject({ message: '--lang is one of en, zh, system, not fr' });
});

test('I22 each platform has its own default data folder', () => {
  expect(defaultDataDir('linux', {}, '/home/a')).toBe('/home/a/.local/share/gantry');
  expect(defaultDataDir('linux', { XDG_DATA_HOME: '/x' }, '/home/a')).toBe('/x/gantry');
  expect(defaultDataDir('linux', { XDG_DATA_HOME: 'relative' }, '/home/a')).toBe('/home/a/.local/share/gantry');
  expect(defaultDataDir('darwin', {}, '/Users/a')).toBe('/Users/a/Library/Application Support/Gantry');
  expect(defaultDataDir('win32', { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' }, 'C:\\Users\\a')).toBe('C:\\Users\\a\\AppData\\Roaming\\Gantry');
  expect(defaultDataDir('win32', {}, 'C:\\Users\\a')).toBe('C:\\Users\\a\\AppData\\Roaming\\Gantry');
  expect(resolveDataDir(undefined, { GANTRY_DATA_DIR: '/e' })).toBe('/e');
});
