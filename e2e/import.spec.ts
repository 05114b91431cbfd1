import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { axeComplaints } from './support/axe.ts';
import { expect, test } from './support/window.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const out = fileURLToPath(new URL('./out/import', import.meta.url));
const GIVEN = 'typed-token-5678';

let home: string;
test.beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'gantry-home-'));
  const write = (path: string, value: unknown): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  };
  const server = { command: process.execPath, args: [everything, 'stdio'], env: { DEMO_TOKEN: '${GANTRY_TEST_TOKEN}', API_KEY: 'sk-abcdefghijklmnopqrstuvwxyz123456', MODE: 'demo' } };
  write('.cursor/mcp.json', { mcpServers: { everything: server, 'weather tool': { command: 'npx', args: ['-y', '@example/weather@1.2.3', '--token', 'abc-secret-1'], disabled: true } } });
  write('.codeium/windsurf/mcp_config.json', { mcpServers: { everything: { ...server, autoApprove: ['*'], timeout: 60 }, remote: { serverUrl: 'https://mcp.example/s/Zm9vYmFyMTIzNDU2Nzg5MGFiYw/mcp', headers: { Authorization: 'Bearer ${env:REMOTE_TOKEN}' } } } });
  write('.config/Code/User/mcp.json', '{ "inputs": [{ "id": "key", "type": "promptString", "description": "Key of the service", "password": true }], "servers": { "notes": { "command": "sh", "args": ["-c", "cd ${workspaceFolder} && node notes.js"], "env": { "NOTES_KEY": "${input:key}", "NODE_OPTIONS": "--inspect" }, } } }');
  write('.lmstudio/mcp.json', '{ "mcpServers": { "broken": { "command": "x" "args": [] } } }');
});
test.afterEach(() => rmSync(home, { recursive: true, force: true }));

const judge = async (page: Page, name: string, lang: string): Promise<void> => {
  mkdirSync(out, { recursive: true });
  for (const [width, height] of [[1280, 800], [900, 600]] as const) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: join(out, `${lang}-${name}-${width}.png`), fullPage: false });
    await page.locator('#main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await page.screenshot({ path: join(out, `${lang}-${name}-${width}-end.png`) });
    await page.locator('#main').evaluate((main) => main.scrollTo(0, 0));
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `${name} at ${width}`).toBeLessThanOrEqual(0);
  }
  expect(await axeComplaints(page), name).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
};

test('IM54 a person finds what other programs have, picks one, decides, brings it in, and only then runs it', async ({ gantry, open, page }) => {
  await open({ env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), GANTRY_PASSPHRASE: 'a long passphrase for tests' } });
  await page.evaluate(() => { window.location.hash = '#/import'; });
  await page.getByRole('button', { name: 'Look for settings' }).waitFor();
  await judge(page, '1-source', 'en');
  await page.getByRole('button', { name: 'Look for settings' }).click();

  await expect(page.getByText('The settings of LM Studio could not be read.')).toBeVisible();
  const row = page.getByRole('listitem').filter({ has: page.getByRole('checkbox', { name: 'everything', exact: true }) });
  await expect(row).toContainText('Cursor · Windsurf');
  await expect(row.getByText('sk-••••').or(row.getByText('sk-a'))).toHaveCount(1);
  await expect(page.locator('body')).not.toContainText('abcdefghijklmnop');
  await expect(page.locator('body')).not.toContainText('abc-secret-1');
  await expect(page.getByRole('checkbox', { name: 'weather tool', exact: true })).not.toBeChecked();
  await judge(page, '2-pick', 'en');
  for (const name of ['remote', 'notes']) if (await page.getByRole('checkbox', { name, exact: true }).isChecked()) await page.getByRole('checkbox', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Continue with 1 server' }).click();

  await expect(page.getByRole('button', { name: /Bring in/ })).toBeDisabled();
  await judge(page, '3-decide', 'en');
  await page.getByRole('radio', { name: 'give a value instead' }).click();
  await page.getByRole('textbox', { name: 'Value for GANTRY_TEST_TOKEN' }).fill(GIVEN);
  await page.getByRole('button', { name: 'Bring in 1 server' }).click();
  await expect(page.getByText('added, switched off')).toBeVisible();
  await judge(page, '4-done', 'en');

  const { servers } = await gantry.ask('servers:list', {});
  expect(servers).toMatchObject([{ id: 'everything', enabled: false }]);
  await page.getByRole('link', { name: 'Open everything' }).click();
  await expect(page.getByRole('heading', { name: 'everything' })).toBeVisible();
  const { server } = await gantry.ask('servers:get', { serverId: 'everything' });
  expect(server).toMatchObject({ consentedFingerprint: null, env: { DEMO_TOKEN: { plain: '${GANTRY_TEST_TOKEN}' }, API_KEY: { secretRef: expect.any(String) }, MODE: { plain: 'demo' } } });
  await gantry.ask('servers:enable', { serverId: 'everything' });
  expect(await gantry.ask('servers:connect', { serverId: 'everything', consent: server.launch.fingerprint })).toEqual({ state: 'ready' });
  expect((await gantry.ask('capabilities:list', { serverId: 'everything' })).capabilities.length).toBeGreaterThan(5);
  await expect(page.locator('body')).not.toContainText(GIVEN);
});

test('IM54 pasted text by the keyboard alone: what is broken stays to be mended, what is right comes over; in Chinese and dark', async ({ gantry, open, page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open({ env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), GANTRY_PASSPHRASE: 'a long passphrase for tests' } });
  await gantry.ask('settings:set', { language: 'zh', theme: 'dark' });
  await page.evaluate(() => { window.location.hash = '#/import'; });
  const text = page.getByRole('textbox', { name: '设置、安装链接、命令或地址' });
  await text.fill('{"mcpServers": {"a": {"command": "node" "args": []}}}');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: '读取', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('第 1 行，第 41 列')).toBeVisible();
  await expect(text).toHaveValue(/"node" "args"/);
  await judge(page, '5-broken', 'zh');
  await page.evaluate(() => { window.location.hash = '#/import'; });
  await page.getByRole('button', { name: '查找设置' }).click();
  await expect(page.getByRole('checkbox', { name: 'notes', exact: true })).toBeVisible();
  for (const name of ['notes', 'remote']) if (!(await page.getByRole('checkbox', { name, exact: true }).isChecked())) await page.getByRole('checkbox', { name, exact: true }).focus().then(() => page.keyboard.press('Space'));
  await judge(page, '6-pick', 'zh');
  await page.getByRole('button', { name: /^继续/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^导入 \d 个服务器/ })).toBeDisabled();
  await judge(page, '7-decide', 'zh');
});
