import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findChromium } from './browser.mjs';

const root = join(import.meta.dirname, '..');
const run = (...args) => {
  const ended = spawnSync(process.execPath, [join(root, '.ci', 'test.mjs'), ...args], { cwd: root, encoding: 'utf8', timeout: 60_000 });
  return { code: ended.status, last: ended.stdout.trim().split('\n').at(-1), stderr: ended.stderr };
};

test('T31 the last line is the counts and nothing else, and the exit code follows them', () => {
  const { code, last } = run('--only', 'check');
  expect(last).toMatch(/^\d+ passed, \d+ failed$/);
  expect(code).toBe(last === '1 passed, 0 failed' ? 0 : 1);
});

test('T31 an unknown stage is refused with the stages there are', () => {
  const { code, last, stderr } = run('--only', 'nonsense');
  expect({ code, last }).toEqual({ code: 1, last: '0 passed, 1 failed' });
  expect(stderr).toContain('types, lint, imports');
});

test('T32 GANTRY_CHROMIUM names the browser outright, and one that is not there is none', () => {
  expect(findChromium({ GANTRY_CHROMIUM: process.execPath, PATH: '' })).toBe(process.execPath);
  expect(findChromium({ GANTRY_CHROMIUM: join(root, 'nowhere'), PATH: process.env.PATH })).toBeNull();
});
