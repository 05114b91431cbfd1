import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
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
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map((v) => `${v.id} ${v.nodes[0]?.target.join(' ')}`)).toEqual([]);
};
const orphans = (dataDir: string): void => {
  for (const place of ['apps/former-app/node_modules/x.js', 'homes/former-app/state.json']) {
    mkdirSync(join(dataDir, place, '..'), { recursive: true });
    writeFileSync(join(dataDir, place), 'x'.repeat(120_000));
  }
};

for (const [lang, scheme, width, height] of [['en', 'light', 1280, 800], ['zh', 'dark', 900, 600]] as const) {
  test(`DA01 DA03 DA07 the data folder is measured, cleaned and reported about in the window, ${lang}`, async ({ gantry, open, page }) => {
    test.setTimeout(300_000);
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
    test.setTimeout(300_000);
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
    await history.getByRole('link', { name: words.record }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.title);
    await judge(page, `record-${lang}`);
    const { runs } = await gantry.ask('runs:list', {});
    expect(runs.map((run) => run.kind)).toEqual(['host', 'host']);
    for (const run of runs) expect(await gantry.ask('runs:verify', { runId: run.id })).toMatchObject({ ok: true });
  });
}
