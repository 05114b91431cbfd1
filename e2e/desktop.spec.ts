import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type { HostFrame } from '../shared/contract/wire.ts';
import type { ShellStatus, UpdateState } from '../shared/shell.ts';
import { axeComplaints } from './support/axe.ts';
import { expect as expectSoon, test } from './support/window.ts';

// pages that are loaded on demand: a busy machine is no failure
const expect = expectSoon.configure({ timeout: 90_000 });

const out = fileURLToPath(new URL('./out/screens', import.meta.url));
const FEED = 'https://updates.example/gantry/';
const CAN: ShellStatus['can'] = { closeToTray: true, notify: true, launchAtLogin: true, update: true, openFolder: true };

/** The window under a shell that can do more than the loopback one: the shell in its answers is Electron's. Everything else is the real host. */
const asElectron = async (page: Page, status: { update: UpdateState; can?: ShellStatus['can'] }): Promise<void> => {
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    const asked = new Set<number>();
    socket.onMessage((message) => {
      const frame = JSON.parse(String(message)) as { kind: string; id?: number; name?: string };
      if ((frame.name === 'shell:get' || frame.name === 'window:first') && frame.id !== undefined) asked.add(frame.id);
      server.send(message);
    });
    server.onMessage((message) => {
      const frame = JSON.parse(String(message)) as HostFrame;
      if (frame.kind !== 'response' || !asked.delete(frame.id)) return socket.send(message);
      const shell: ShellStatus = { kind: 'electron', can: status.can ?? CAN, launchAtLogin: false, updateFeed: FEED, update: status.update };
      const value = frame.result.ok ? (frame.result.value as object) : {};
      socket.send(JSON.stringify({ ...frame, result: { ok: true, value: { ...value, shell } } }));
    });
  });
};
const look = async (page: Page, name: string): Promise<void> => {
  mkdirSync(out, { recursive: true });
  for (const [width, height] of [[1280, 800], [900, 600]] as const) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: join(out, `desktop-${name}-${width}.png`), fullPage: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
  }
  expect(await axeComplaints(page)).toEqual([]);
};

test('W16 a browser window says what it cannot do by not offering it; its title counts what waits', async ({ gantry, open, page }) => {
  await open();
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  await expect(page.getByRole('heading', { name: 'General' })).toBeVisible();
  for (const name of ['On this desktop', 'Updates']) await expect(page.getByRole('heading', { name })).toHaveCount(0);
  expect(await gantry.rpc('shell:setLaunchAtLogin', { on: true })).toMatchObject({ ok: false, error: { code: 'not_in_this_shell', remedy: expect.any(String) } });
  expect(await gantry.rpc('updates:check', {})).toMatchObject({ ok: false, error: { code: 'not_in_this_shell' } });
  await gantry.ask('servers:add', { spec: { kind: 'command', command: process.execPath, args: [fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url))] }, serverId: 'rec', env: { RECORD_FILE: join(gantry.dataDir, 'r.jsonl') } });
  await gantry.ask('servers:connect', { serverId: 'rec' });
  await gantry.ask('calls:try', { capabilityId: 'mcp:rec:tool:note', input: { text: 'x' }, wait: false });
  await expect(page).toHaveTitle('(1) Settings · Gantry');
});

test('W24 the settings name the address that a look contacts, and offer one act at a time', async ({ gantry, open, page }) => {
  await asElectron(page, { update: { phase: 'available', version: '0.2.0', checkedAt: Date.now() } });
  await open();
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  const updates = page.getByRole('region', { name: 'Updates' });
  await expect(updates.getByText(FEED)).toBeVisible();
  await expect(updates.getByRole('switch', { name: 'Look for updates once a day' })).not.toBeChecked();
  await expect(updates.getByText('Version 0.2.0 is there.')).toBeVisible();
  await expect(updates.getByRole('button')).toHaveText(['Fetch it']);
  const desktop = page.getByRole('region', { name: 'On this desktop' });
  await expect(desktop.getByRole('switch')).toHaveCount(3);
  await desktop.getByRole('switch', { name: 'Closing the window leaves Gantry in the tray' }).focus();
  await page.keyboard.press('Space');
  await expect.poll(async () => (await gantry.ask('settings:get', {})).settings.closeToTray).toBe(true);
  await look(page, 'settings-en');
  await page.emulateMedia({ colorScheme: 'dark' });
  await gantry.ask('settings:set', { language: 'zh' });
  await expect(page.getByRole('region', { name: '更新' })).toBeVisible();
  await look(page, 'settings-zh-dark');
});

test('W24 why there is no update is said; a failed one says that nothing was changed', async ({ open, page }) => {
  await asElectron(page, { update: { phase: 'none', reason: 'system_package' }, can: { ...CAN, update: false } });
  await open();
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  await expect(page.getByRole('region', { name: 'Updates' })).toContainText('A package of your system brought this Gantry');
  await expect(page.getByRole('region', { name: 'Updates' }).getByRole('button')).toHaveCount(0);
});

test('B08 the settings show what ships, with its terms', async ({ open, page }) => {
  await open();
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  const licences = page.getByRole('region', { name: 'Licences' });
  await licences.getByRole('button', { name: 'Show all' }).click();
  await licences.getByRole('button', { name: 'Show the licence of zod' }).click();
  await expect(licences.getByText(/MIT License/).first()).toBeVisible();
  await look(page, 'licences');
});

test('W08 W15 a link opens its page in the running window, whole and inert; a market entry can be looked at', async ({ gantry, open, page }) => {
  await open();
  const before = await gantry.ask('servers:list', {});
  const evil = 'gantry://install?name=<img src=x onerror=alert(1)>&config={"command":"sh","args":["-c","rm"]}\u202e';
  expect(await gantry.openLink(evil)).toMatchObject({ ok: true });
  await expect(page.getByRole('heading', { name: 'A link from outside' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('<img src=x onerror=alert(1)>');
  await expect(page.getByRole('main')).toContainText('Gantry does not know what this link asks for.');
  await look(page, 'link-unknown');
  await gantry.openLink('gantry://market/filesystem?install=1');
  await page.getByRole('link', { name: 'Look at it in the market' }).click();
  await expect(page).toHaveURL(/#\/market\/filesystem$/);
  await gantry.openLink('gantry://market/no-such-app');
  await expect(page.getByRole('main')).toContainText('It leads to an app that is not in this market.');
  await gantry.ask('settings:set', { language: 'zh', theme: 'dark' });
  await expect(page.getByRole('heading', { name: '来自外部的链接' })).toBeVisible();
  await look(page, 'link-zh-dark');
  expect(await gantry.ask('servers:list', {})).toEqual(before);
  expect(await gantry.openLink('https://example.org/')).toMatchObject({ ok: false, error: { code: 'invalid_request', field: 'link' } });
  await page.goto(`${page.url().split('#')[0]}#/link`);
  await expect(page.getByRole('main')).toContainText('8,192');
});
