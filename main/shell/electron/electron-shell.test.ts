import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestNames } from '../../../shared/contract/contract.ts';
import { eventNames } from '../../../shared/contract/event-names.ts';
import { askHost } from '../command-channel/ask-host.ts';
import { ended, openRecordedElectron, type RecordedShell } from '../shell-under-test.ts';

interface Facts {
  readonly preferences: readonly Record<string, unknown>[];
  readonly channels: readonly string[];
  readonly exposed: readonly string[];
  readonly members: readonly string[];
  readonly requests: readonly string[];
  readonly events: readonly string[];
  readonly schemes: readonly { readonly scheme: string; readonly privileges: Record<string, boolean> }[];
  readonly sandboxed: boolean;
  readonly loaded: readonly string[];
  readonly userData: string;
}

let shell: RecordedShell;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'gantry-electron-'));
  shell = await openRecordedElectron(dataDir);
});
afterAll(() => shell?.close());
const decide = { approvalId: 'none', decision: 'approve' };

test('I25 the window is isolated, sandboxed and without Node, and everything runs under the sandbox', async () => {
  const facts = await shell.act<Facts>('facts');
  expect(facts.preferences).toHaveLength(1);
  expect(facts.preferences[0]).toMatchObject({
    contextIsolation: true, sandbox: true, nodeIntegration: false, nodeIntegrationInWorker: false, nodeIntegrationInSubFrames: false, webSecurity: true, webviewTag: false, allowRunningInsecureContent: false,
  });
  expect(String(facts.preferences[0]?.['preload'])).toMatch(/dist[\\/]electron[\\/]preload\.cjs$/);
  expect(facts.sandboxed).toBe(true);
  expect(facts.loaded).toEqual(['app://gantry/index.html']);
  expect(facts.schemes).toEqual([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }]);
  expect(facts.userData).toBe(join(dataDir, 'electron'));
});

test('I28 channels and what preload exposes are exactly the names of the contract; there is no generic door', async () => {
  const facts = await shell.act<Facts>('facts');
  expect([...facts.channels].sort()).toEqual([...requestNames].sort());
  expect([...facts.requests].sort()).toEqual([...requestNames].sort());
  expect([...facts.events].sort()).toEqual([...eventNames].sort());
  expect([facts.exposed, [...facts.members].sort()]).toEqual([['gantry'], ['on', 'request']]);
});

test('I26 a message from another window, another frame, a vanished frame or a foreign page is refused', async () => {
  for (const as of ['foreign-contents', 'sub-frame', 'no-frame', 'foreign-page']) {
    expect([as, await shell.act('requestAs', as, 'health:ready', {})]).toMatchObject([as, { ok: false, error: { code: 'forbidden' } }]);
  }
  expect(await shell.request('health:ready', {})).toEqual({ ok: true, value: { ready: true } });
});

test('I26 a bad payload is refused before a handler sees it', async () => {
  for (const args of [[7], ['{}'], [[]], [{ runId: {} }], [{ runId: 'a' }, { runId: 'b' }], []]) {
    expect([args, await shell.act('rawRequest', 'runs:get', ...args)]).toMatchObject([args, { ok: false, error: { code: 'invalid_request' } }]);
  }
  await expect(shell.act('rawRequest', 'runs:anything', {})).rejects.toThrow('No handler registered');
});

test('A19 a page that is taken over cannot decide: deciding needs the own top frame and real input a moment ago', async () => {
  expect(await shell.request('approvals:decide', decide)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  for (const type of ['mouseMove', 'mouseEnter', 'mouseWheel', 'keyUp']) await shell.act('input', type);
  expect(await shell.request('approvals:decide', decide)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  await shell.act('input', 'mouseDown');
  expect(await shell.request('approvals:decide', decide)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  for (const as of ['foreign-contents', 'sub-frame', 'foreign-page']) {
    expect([as, await shell.act('requestAs', as, 'approvals:decide', decide)]).toMatchObject([as, { ok: false, error: { code: 'forbidden' } }]);
  }
  expect(await askHost(dataDir, { kind: 'rpc', name: 'approvals:decide', input: decide })).toMatchObject({ ok: false, error: { code: 'forbidden' } });
});

test('I27 navigation, frames, redirects, webviews and permissions are denied', async () => {
  for (const url of ['https://example.org/', 'file:///etc/passwd', 'http://127.0.0.1/', 'app://other/', 'javascript:alert(1)', 'app://gantry.evil.example/']) {
    expect([url, await shell.act('navigated', 'will-navigate', url, true)]).toEqual([url, true]);
  }
  expect(await shell.act('navigated', 'will-navigate', 'app://gantry/index.html', true)).toBe(false);
  for (const event of ['will-redirect', 'will-attach-webview']) expect([event, await shell.act('navigated', event, 'app://gantry/', true)]).toEqual([event, true]);
  expect(await shell.act('navigated', 'will-frame-navigate', 'app://gantry/index.html', false)).toBe(true);
  for (const name of ['media', 'geolocation', 'notifications', 'midi', 'pointerLock', 'fullscreen', 'openExternal', 'clipboard-read', 'display-capture', 'hid', 'serial', 'usb', 'fileSystem', 'a-permission-of-the-future']) {
    expect([name, await shell.act('permission', name)]).toEqual([name, { requested: false, checked: false, device: false }]);
  }
  expect(await shell.act('permission', 'clipboard-sanitized-write')).toEqual({ requested: true, checked: true, device: false });
});

test('I27 no window opens; only https and mailto leave for the system browser, after a click', async () => {
  await shell.act('input', 'mouseDown');
  expect(await shell.act('openWindow', 'https://example.org/a b')).toEqual({ action: 'deny', external: ['https://example.org/a%20b'] });
  expect(await shell.act('openWindow', 'mailto:a@example.org')).toEqual({ action: 'deny', external: ['mailto:a@example.org'] });
  for (const url of ['http://example.org/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x', 'vscode://x', 'ms-msdt:/id', 'https://user:pw@example.org/', 'not an address', '--flag']) {
    expect([url, await shell.act('openWindow', url)]).toEqual([url, { action: 'deny', external: [] }]);
  }
});

test('I10 the page under app: carries the same strict policy as the loopback shell', async () => {
  const page = await shell.act<{ status: number; headers: Record<string, string> }>('page', 'app://gantry/index.html');
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']+'; .*connect-src 'self'; /);
  expect(page.headers['content-security-policy']).not.toMatch(/unsafe-|\*|https?:/);
  for (const url of ['app://other/index.html', 'app://gantry/..%2f..%2fpackage.json', 'app://gantry/none.js']) expect([url, (await shell.act<{ status: number }>('page', url)).status]).toEqual([url, 404]);
});

test('I32 closing the last window ends the host first and leaves nothing behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-electron-end-'));
  const other = await openRecordedElectron(folder);
  expect(await askHost(folder, { kind: 'rpc', name: 'health:ready', input: {} })).toMatchObject({ ok: true });
  await other.close();
  expect(await ended(other.child)).toBe(0);
  expect(await askHost(folder, { kind: 'rpc', name: 'health:ready', input: {} })).toBeNull();
});
