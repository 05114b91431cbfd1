import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { axeComplaints } from './support/axe.ts';
import { expect as expectSoon, test } from './support/window.ts';

// pages that are loaded on demand: a busy machine is no failure
const expect = expectSoon.configure({ timeout: 90_000 });
const out = fileURLToPath(new URL('./out/screens', import.meta.url));

const toSettings = async (page: Page): Promise<void> => {
  await page.evaluate(() => { window.location.hash = '#/settings'; });
  await expect(page.getByRole('heading', { level: 1, name: /^(Settings|设置)$/ })).toBeVisible();
};
const section = (page: Page, name: RegExp) => page.getByRole('region', { name });
const judge = async (page: Page, name: string, of?: RegExp): Promise<void> => {
  mkdirSync(out, { recursive: true });
  if (of) await section(page, of).screenshot({ path: join(out, `data-${name}.png`) });
  else await page.screenshot({ path: join(out, `data-${name}.png`) });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  expect(await axeComplaints(page)).toEqual([]);
};
const orphans = (dataDir: string): void => {
  for (const place of ['apps/former-app/node_modules/x.js', 'homes/former-app/state.json']) {
    mkdirSync(join(dataDir, place, '..'), { recursive: true });
    writeFileSync(join(dataDir, place), 'x'.repeat(120_000));
  }
};

for (const [lang, scheme, width, height] of [['en', 'light', 1280, 800], ['zh', 'dark', 900, 600]] as const) {
  test(`DA01 DA03 DA07 the data folder is measured, cleaned and reported about in the window, ${lang}`, async ({ gantry, open, page }) => {
    const words = lang === 'en' ? { data: /^Data on this/, measure: 'Measure', remove: /^Remove 1 thing/, forGood: /^Remove for good/, report: /^Problem report$/, make: 'Make a report', orphan: /Home folder that no server/ } : { data: /^本机上的数据$/, measure: '统计', remove: /^清理 1 项/, forGood: /^永久清理/, report: /^问题报告$/, make: '生成报告', orphan: /没有服务器使用的主文件夹/ };
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await open({ lang });
    await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
    await gantry.ask('servers:connect', { serverId: 'environment' });
    orphans(gantry.dataDir);
    await toSettings(page);
    const data = section(page, words.data);
    await data.getByRole('button', { name: words.measure, exact: true }).click();
    await expect(data.getByRole('table').first()).toBeVisible();
    await data.getByRole('checkbox', { name: words.orphan }).check();
    await judge(page, `measured-${lang}`, words.data);
    await data.getByRole('button', { name: words.remove }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: words.forGood })).toBeVisible();
    await judge(page, `confirm-${lang}`);
    await page.getByRole('dialog').getByRole('button', { name: words.forGood }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(data.getByRole('checkbox', { name: words.orphan })).toHaveCount(0);
    expect([existsSync(join(gantry.dataDir, 'homes/former-app')), existsSync(join(gantry.dataDir, 'apps/former-app'))]).toEqual([false, true]);
    const report = section(page, words.report);
    await report.getByRole('button', { name: words.make }).click();
    await expect(report.locator('pre')).toContainText('gantry-report/1');
    await judge(page, `report-${lang}`, words.report);
  });
}

for (const [lang, scheme, width, height] of [['en', 'dark', 900, 600], ['zh', 'light', 1280, 800]] as const) {
  test(`DA20 DA22 history is looked at, deleted and on record in the window, ${lang}`, async ({ gantry, open, page }) => {
    const words = lang === 'en' ? { history: /^History$/, all: 'Everything that has ended', look: 'Look what would go', delete: 'Delete…', forGood: 'Delete for good', record: 'Open the record of it', title: 'History deleted', run: 'Delete run' } : { history: /^历史$/, all: '全部已结束的运行', look: '查看将删除的内容', delete: '删除…', forGood: '永久删除', record: '打开删除记录', title: '已删除历史', run: '删除运行' };
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await open({ lang });
    await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
    await gantry.ask('servers:connect', { serverId: 'environment' });
    const call = () => gantry.ask('calls:try', { capabilityId: 'mcp:environment:tool:get_versions', input: {}, wait: true });
    const [first] = [await call(), await call(), await call()];

    // one run, from its own page
    await page.evaluate((id) => { window.location.hash = `#/runs/${id}`; }, first!.runId);
    await page.getByRole('button', { name: words.run }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: words.forGood })).toBeVisible();
    await judge(page, `run-${lang}`);
    await page.getByRole('dialog').getByRole('button', { name: words.forGood }).click();
    await expect(page).toHaveURL(/#\/runs$/);
    expect(await gantry.rpc('runs:get', { runId: first!.runId })).toMatchObject({ ok: false, error: { code: 'not_found', details: { eventCount: 9 } } });

    // all that ended
    await toSettings(page);
    const history = section(page, words.history);
    await history.getByText(words.all).click();
    await history.getByRole('button', { name: words.look }).click();
    await expect(history.getByRole('button', { name: words.delete })).toBeVisible();
    await judge(page, `history-${lang}`, words.history);
    await history.getByRole('button', { name: words.delete }).click();
    await page.getByRole('dialog').getByRole('button', { name: words.forGood }).click();
    await expect(history.getByRole('link', { name: words.record })).toBeVisible();
    await judge(page, `deleted-${lang}`, words.history);
    await history.getByRole('link', { name: words.record }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.title);
    await judge(page, `record-${lang}`);
    const { runs } = await gantry.ask('runs:list', {});
    expect(runs.map((run) => run.kind)).toEqual(['host', 'host']);
    for (const run of runs) expect(await gantry.ask('runs:verify', { runId: run.id })).toMatchObject({ ok: true });
  });
}

for (const [lang, scheme, width, height] of [['en', 'light', 1280, 800], ['zh', 'dark', 900, 600]] as const) {
  test(`DA33 DA40 DA43 DA44 a backup is made, read and restored, and everything is reset, in the window, ${lang}`, async ({ gantry, open, page }) => {
    const words = lang === 'en' ? { backup: /^Backup and restore$/, make: 'Make a backup', sealed: 'Sealed by a passphrase', pass: 'Passphrase (12 characters or more)', again: 'Passphrase once more', path: 'File', write: 'Write the backup', from: 'Path of the backup', read: 'Read it', restore: /^Restore, in the place/, weak: 'It has fewer than 12 characters.', reset: 'Reset… Everything', type: 'Type RESET to go on', do: 'Reset' } : { backup: /^备份与恢复$/, make: '制作备份', sealed: '用口令密封', pass: '口令（至少 12 个字符）', again: '再次输入口令', path: '文件', write: '写入备份', from: '备份的路径', read: '读取', restore: /^恢复并取代/, weak: '少于 12 个字符。', reset: '重置… 全部', type: '输入 重置 以继续', do: '重置' };
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await open({ lang, env: { GANTRY_PASSPHRASE: 'a long passphrase for tests' } });
    await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' }, env: { EXTRA_TOKEN: { secret: 'a secret value' } } });
    await gantry.ask('servers:connect', { serverId: 'environment' });
    const file = join(mkdtempSync(join(tmpdir(), 'gantry-window-backup-')), 'b.zip');
    await toSettings(page);
    const backup = section(page, words.backup);
    await backup.getByRole('button', { name: words.make }).click();
    await backup.getByLabel(words.path, { exact: true }).fill(file);
    await backup.getByText(words.sealed).click();
    await backup.getByLabel(words.pass, { exact: true }).fill('short');
    await expect(backup.getByText(words.weak)).toBeVisible();
    await judge(page, `backup-${lang}`, words.backup);
    await backup.getByLabel(words.pass, { exact: true }).fill('correct horse battery staple');
    await backup.getByLabel(words.again, { exact: true }).fill('correct horse battery staple');
    await backup.getByRole('button', { name: words.write }).click();
    await expect(backup.getByText(file)).toBeVisible();
    await gantry.ask('settings:set', { approvalExpiryMinutes: 33 });
    await backup.getByRole('textbox', { name: words.from }).fill(join(gantry.dataDir, 'gantry.db'));
    await backup.getByRole('button', { name: words.read, exact: true }).click();
    await expect(backup.getByRole('alert')).toContainText('backup_invalid');
    await backup.getByRole('textbox', { name: words.from }).fill(file);
    await backup.getByRole('button', { name: words.read, exact: true }).click();
    await expect(page.getByRole('dialog')).toContainText('Environment');
    await judge(page, `restore-${lang}`);
    await page.getByRole('dialog').getByRole('textbox').fill('correct horse battery staple');
    await page.getByRole('button', { name: words.restore }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect.poll(async () => (await gantry.ask('settings:get', {})).settings.approvalExpiryMinutes).toBe(5);
    await expect.poll(() => gantry.ask('servers:list', {})).toMatchObject({ servers: [{ id: 'environment', enabled: false }] });
    await expect.poll(() => gantry.ask('secrets:status', {})).toMatchObject({ count: 1, state: 'ready' });

    await toSettings(page);
    await page.getByRole('button', { name: words.reset }).click();
    await page.getByRole('dialog').getByLabel(words.type).fill(lang === 'en' ? 'RESET' : '重置');
    await judge(page, `reset-${lang}`);
    await page.getByRole('dialog').getByRole('button', { name: words.do, exact: true }).click();
    await expect.poll(async () => (await gantry.ask('servers:list', {})).servers).toEqual([]);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect.poll(() => gantry.ask('secrets:status', {})).toMatchObject({ count: 0 });
  });
}
