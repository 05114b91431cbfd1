import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { browserArguments } from './app-window.ts';
import { browserPlaces, findBrowser, hasDisplay } from './browser.ts';
import { quitWhenWindowless } from './quit-when-windowless.ts';
import { WindowSessions } from './window-sessions.ts';

test('I12 the browser is called with its own profile, quiet, and without its sandbox only for root', () => {
  const args = browserArguments('/d/browser/profile', 'file:///d/browser/open-x.html', false);
  expect(args).toContain('--app=file:///d/browser/open-x.html');
  expect(args).toContain('--user-data-dir=/d/browser/profile');
  expect(args).toContain('--disable-background-networking');
  expect(args).not.toContain('--no-sandbox');
  expect(browserArguments('/p', 'file:///o', true)).toContain('--no-sandbox');
});

test('I12 browsers are looked for where each platform keeps them; GANTRY_BROWSER names one outright', () => {
  expect(browserPlaces('linux', { PATH: '/usr/bin' })).toContain('/usr/bin/chromium');
  expect(browserPlaces('darwin', { HOME: '/Users/a' })).toContain('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
  expect(browserPlaces('darwin', { HOME: '/Users/a' })).toContain('/Users/a/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge');
  expect(browserPlaces('win32', { PROGRAMFILES: 'C:\\Program Files' })).toContain('C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe');
  expect(browserPlaces('linux', { PATH: '/usr/bin', GANTRY_BROWSER: '/opt/b' })).toEqual(['/opt/b']);
  expect(findBrowser('linux', { PATH: '/nowhere' })).toBeNull();
  expect([hasDisplay('linux', {}), hasDisplay('linux', { WAYLAND_DISPLAY: 'wayland-0' }), hasDisplay('darwin', {})]).toEqual([false, true, true]);
});

test('I30 the app ends when neither browser nor window is left, not at a reload', async () => {
  let [windows, running, quits] = [1, false, 0];
  const look = quitWhenWindowless({ windowCount: () => windows, browserRunning: () => running, quit: () => (quits += 1), graceMs: 30 }).look;
  look();
  windows = 0;
  look();
  windows = 1;
  await sleep(60);
  expect(quits).toBe(0);
  windows = 0;
  running = true;
  look();
  await sleep(60);
  expect(quits).toBe(0);
  running = false;
  look();
  look();
  await sleep(60);
  expect(quits).toBe(1);
});

test('I08 a token ends by use, by age and by newer ones; there is a bound on sessions', () => {
  let now = 0;
  const sessions = new WindowSessions(() => now);
  const old = sessions.issueToken();
  now = 11 * 60_000;
  expect(sessions.exchange(old)).toBeNull();
  const printed = sessions.issueToken(Number.POSITIVE_INFINITY);
  now = 1e12;
  const session = sessions.exchange(printed) ?? '';
  expect([sessions.isSession(session), sessions.exchange(printed), sessions.isSession(printed)]).toEqual([true, null, false]);
  const first = sessions.issueToken();
  for (let n = 0; n < 8; n += 1) sessions.issueToken();
  expect(sessions.exchange(first)).toBeNull();
  for (let n = 0; n < 64; n += 1) sessions.exchange(sessions.issueToken());
  expect(sessions.isSession(session)).toBe(false);
});
