import { rmSync } from 'node:fs';
import { axeComplaints } from './support/axe.ts';
import { press, searchFor } from './support/keyboard.ts';
import { expect, test } from './support/window.ts';

test('U140 the focus is kept when a button is busy, and goes to the heading of the step that came instead', async ({ open, page }) => {
  await open();
  await page.evaluate(() => { window.location.hash = '#/add/market/environment'; });
  await press(page, page.getByRole('button', { name: 'Show what will run' }));
  await expect(page.getByRole('heading', { level: 1, name: /will run/ })).toBeFocused();
  await press(page, page.getByRole('button', { name: /^Agree/ }));
  await press(page, page.getByRole('button', { name: 'Connect', exact: true }));
  await expect(page.getByText('mcp:environment:tool:get_versions')).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  await page.evaluate(() => { window.location.hash = '#/capabilities/mcp%3Aenvironment%3Atool%3Aget_platform'; });
  await press(page, page.getByRole('button', { name: 'Try it', exact: true }));
  await expect(page.getByRole('link', { name: 'Open its run and evidence' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try it', exact: true })).toBeFocused();
});

test('U141 the next step leads to its switch on the page that is open already; after the last one stands the way on', async ({ gantry, open, page }) => {
  await open();
  const { serverId } = await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('servers:connect', { serverId });
  await page.evaluate(() => { window.location.hash = '#/servers/environment'; });
  await expect(page.getByText('mcp:environment:tool:get_versions')).toBeAttached();
  await page.getByRole('link', { name: /^Next: Allow the agent/ }).click();
  const first = page.getByRole('switch', { name: /Agent Access/ }).first();
  await expect(first).toBeFocused();
  await expect(first).toBeInViewport();

  await page.evaluate(() => { window.location.hash = '#/market'; });
  await page.getByRole('button', { name: 'Add your own' }).click();
  await page.getByRole('menuitem', { name: 'Add a command' }).click();
  await expect(page.getByRole('heading', { name: 'Add a command of your own' })).toBeVisible();
});

test('U142 K50 I48 the settings name their sections, as the search does; in Chinese the reset takes the word of that language, and the first key is saved by the passphrase that is asked for', async ({ gantry, open, page, context }) => {
  await open();
  await gantry.ask('settings:set', { language: 'zh' });
  await page.evaluate(() => { window.location.hash = '#/settings'; });
  const contents = page.getByRole('navigation', { name: '设置的各个部分' });
  for (const name of ['常设规则', '本机上的数据', '关于 Gantry']) {
    await contents.getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 2, name })).toBeInViewport();
    await expect(page.getByRole('region', { name })).toBeFocused();
  }
  await searchFor(page, '暗');
  await expect(page.getByRole('option', { name: /深色主题/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '重置… 仅设置' }).click();
  await page.getByRole('dialog').getByLabel('输入 重置 以继续').fill('重置');
  await page.getByRole('dialog').getByRole('button', { name: '重置', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await gantry.ask('settings:set', { language: 'zh' });

  await page.evaluate(() => { window.location.hash = '#/settings/models'; });
  await press(page, page.getByRole('button', { name: '添加模型' }));
  const form = page.getByRole('form', { name: '添加模型' });
  await form.getByLabel('模型名称').fill('a-model');
  await form.getByRole('textbox', { name: '密钥' }).fill('canary-first-key-1');
  await press(page, form.getByRole('button', { name: '保存', exact: true }));
  const asks = page.getByRole('dialog', { name: '设置口令' });
  await expect(asks.getByLabel('口令', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(form.getByText('secret_store_locked')).toBeVisible();
  await press(page, form.getByRole('button', { name: '设置口令' }));
  await expect(asks).toBeVisible();
  expect(await axeComplaints(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(asks).toBeHidden();
  await press(page, form.getByRole('button', { name: '保存', exact: true }));
  await asks.getByLabel('口令', { exact: true }).fill('a long passphrase');
  await asks.getByLabel('再输入一次').fill('a long passphrase');
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
  expect((await gantry.ask('secrets:list', {})).secrets.map(({ place }) => place.split('.')[0])).toEqual(['model']);

  await gantry.stop();
  await page.goto(await gantry.start(['--lang=zh']));
  await page.getByRole('contentinfo').getByRole('link', { name: '密钥已锁定：请输入口令' }).click();
  await expect(page.getByRole('region', { name: '密钥', exact: true })).toBeFocused();

  const stranger = await context.newPage();
  await stranger.goto(new URL('/', page.url()).href);
  await expect(stranger.getByRole('alert')).toContainText(/npm run gantry -- open/);
  await expect(stranger.getByRole('main').getByRole('heading')).toHaveCount(0);
  await expect(stranger.getByRole('main')).not.toContainText(/Reading|正在读取/);
});

test('U145 each section of the settings begins with a heading of the name that the list beside the page has for it', async ({ gantry, open, page }) => {
  await open();
  for (const [language, list] of [['en', 'Sections of the settings'], ['zh', '设置的各个部分']] as const) {
    await gantry.ask('settings:set', { language });
    await page.evaluate(() => { window.location.hash = '#/settings'; });
    const links = page.getByRole('navigation', { name: list }).getByRole('link');
    await expect(links.first()).toBeVisible();
    for (const link of await links.all()) {
      const section = (await link.getAttribute('href'))!.split('/').at(-1)!;
      await expect(page.locator(`[data-section="${section}"] :is(h2, h3)`).first()).toHaveText((await link.textContent())!);
    }
    await links.getByText(language === 'en' ? 'Network' : '网络').click();
    await expect(page.getByRole('heading', { level: 2, name: language === 'en' ? 'Network' : '网络' })).toBeInViewport();
  }
});

const CONFIG = '{"mcpServers":{"one":{"command":"node","args":["s.js"],"env":{"API_TOKEN":"canary-in-an-import-1"}}}}';

test('U140 a dialog that asks in between gives the focus to the step that came of it; in a dialog it stays on what was pressed', async ({ gantry, open, page }) => {
  await open();
  await page.evaluate(() => { window.location.hash = '#/import'; });
  await page.getByLabel(/Settings, install link/).fill(CONFIG);
  await press(page, page.getByRole('button', { name: 'Read', exact: true }));
  await press(page, page.getByRole('button', { name: /^Continue/ }));
  await press(page, page.getByRole('button', { name: /^Bring in/ }));
  const asks = page.getByRole('dialog');
  await asks.getByLabel('Passphrase', { exact: true }).fill('a long passphrase');
  await asks.getByLabel('Once more').fill('a long passphrase');
  await press(page, asks.getByRole('button', { name: 'Set the passphrase' }));
  await expect(page.getByText('Nothing was started.', { exact: false })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Import servers' })).toBeFocused();

  const path = `${gantry.dataDir}.zip`;
  try {
    await gantry.ask('backup:create', { path, homes: false, secrets: { kind: 'sealed', passphrase: 'four words walked away', again: 'four words walked away' } });
    await page.evaluate(() => { window.location.hash = '#/settings/backup'; });
    await page.getByLabel('Path of the backup').fill(path);
    await press(page, page.getByRole('button', { name: 'Read it' }));
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=password]').fill('some other words');
    const restore = dialog.getByRole('button', { name: /^Restore/ });
    await press(page, restore);
    await expect(dialog.getByText('wrong_passphrase')).toBeVisible();
    await expect(restore).toBeFocused();
  } finally {
    rmSync(path, { force: true });
  }
});

test('U141 U144 U150 in Chinese: the step leads to the field of the try-out, what is missing there and why a file was not read is told in words of that language', async ({ gantry, open, page }) => {
  await open({ lang: 'zh' });
  const { serverId } = await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('servers:connect', { serverId });
  await gantry.ask('access:set', { principal: 'agent:default', capabilityId: 'mcp:environment:tool:get_environment_fact', allowed: true });
  await page.evaluate(() => { window.location.hash = '#/servers/environment'; });
  await page.getByRole('link', { name: '下一步：试一次调用' }).click();
  const fact = page.getByRole('main').getByLabel(/^Fact/).first();
  await expect(fact).toBeFocused();
  await press(page, page.getByRole('button', { name: '试用', exact: true }));
  await expect(page.getByText('此项必填。').first()).toBeVisible();

  await page.evaluate(() => { window.location.hash = '#/settings/backup'; });
  await page.getByLabel('备份的路径').fill('/nowhere/at/all.zip');
  await press(page, page.getByRole('button', { name: '读取' }));
  await expect(page.getByText('此路径上没有文件。请检查是否输入有误。')).toBeVisible();
});

test('U144 a field that is missing in the form of a server gets the focus and is marked for a screen reader, a sealed one too', async ({ open, page }) => {
  await open();
  for (const [place, name] of [['add/npm', /^Package/], ['add/market/brave-search', /^API key/]] as const) {
    await page.evaluate((hash) => { window.location.hash = `#/${hash}`; }, place);
    await press(page, page.getByRole('button', { name: 'Show what will run' }));
    const field = page.getByRole('textbox', { name });
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
  }
});
