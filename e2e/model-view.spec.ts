import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import { ScriptedModel } from './fixtures/model/scripted-model.ts';
import { axeComplaints } from './support/axe.ts';
import type { Gantry } from './support/gantry.ts';
import { expect, test } from './support/window.ts';

const fixture = fileURLToPath(new URL('./fixtures/odd-schemas-server.mjs', import.meta.url));
const shots = process.env['GANTRY_SHOTS'];
const shot = async (page: Page, name: string): Promise<void> => {
  if (!shots) return;
  if (!existsSync(shots)) mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
};

const prepare = async (gantry: Gantry, model: ScriptedModel): Promise<string> => {
  await gantry.ask('servers:add', { serverId: 'odd', name: 'Odd schemas', spec: { kind: 'command', command: process.execPath, args: [fixture] } });
  await gantry.ask('servers:connect', { serverId: 'odd' });
  for (const name of ['pick', 'level', 'plain', 'broken']) await gantry.ask('capabilities:review', { capabilityId: `mcp:odd:tool:${name}`, tier: 'read_only', admit: true });
  await gantry.ask('access:set', { principal: BUILT_IN_AGENT, serverId: 'odd', allowed: true });
  await gantry.ask('models:set', { provider: 'gemini', baseUrl: await model.start(), model: 'gemini-test' });
  const { runId } = await gantry.ask('agent:run', { prompt: 'Set the level', wait: true });
  return runId;
};
const goTo = async (page: Page, hash: string): Promise<void> => {
  await page.evaluate((to) => { window.location.hash = to; }, hash);
};

test.use({ viewport: { width: 1280, height: 800 } });

for (const lang of ['en', 'zh'] as const) {
  test(`RT42 BD09 a tool's page and its run show what the model saw beside the original, and what the turn bound it to (${lang})`, async ({ gantry, open, page }) => {
    const model = new ScriptedModel({ rules: ['gemini-subset'], turns: [{ calls: [{ id: 't1', toolByDescription: 'Sets the level', args: { level: '2' } }] }, { text: 'done' }] });
    model.alsoRefuses = ({ tools }) => (tools.some((tool) => tool.name === 'odd__broken') ? 'Bad Request' : null);
    await page.emulateMedia({ colorScheme: lang === 'zh' ? 'dark' : 'light' });
    await open({ lang });
    const runId = await prepare(gantry, model);

    await goTo(page, `#/capabilities/${encodeURIComponent('mcp:odd:tool:level')}`);
    const panel = page.getByRole('region', { name: lang === 'en' ? 'What a model sees' : '模型看到的内容', exact: true });
    await expect(panel.locator('[data-rendering="gemini"]')).toBeVisible();
    await expect(panel.getByText(lang === 'en' ? /numbers of a list are shown as texts/ : /列表中的数字以文本展示/)).toBeVisible();
    await panel.scrollIntoViewIfNeeded();
    await shot(page, `capability-${lang}`);
    expect(await axeComplaints(page)).toEqual([]);
    // another kind of provider, by keyboard
    await panel.getByRole('combobox').or(panel.getByRole('textbox')).first().focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: /^Anthropic/ }).click();
    await expect(panel.locator('[data-rendering="anthropic"]')).toBeVisible();
    await expect(panel.getByText(lang === 'en' ? /a member is shown under another name/ : /成员以另一名称展示/)).toBeVisible();

    await goTo(page, `#/capabilities/${encodeURIComponent('mcp:odd:tool:broken')}`);
    await expect(page.getByText(lang === 'en' ? /The provider of gemini-test refused this definition/ : /gemini-test 的提供方拒绝了此定义/)).toBeVisible();
    // how much of what one request may carry is carried
    const carried = page.getByText(lang === 'en' ? /One request: \d+ of at most 128 tools; their definitions take about \d+ of 32,000 tokens/ : /一次提问：\d+ 个工具，最多 128 个；定义约占 \d+ 个 token，最多 32,000。/);
    await expect(carried).toBeVisible();
    await carried.scrollIntoViewIfNeeded();
    await shot(page, `refused-${lang}`);

    await goTo(page, `#/runs/${runId}`);
    expect((await gantry.ask('runs:get', { runId })).run.invocations).toHaveLength(1);
    const turns = page.getByRole('region', { name: lang === 'en' ? 'What the model was asked with' : '向模型提问时带了什么', exact: true });
    await turns.getByRole('button', { name: lang === 'en' ? /^Turn 1/ : /^第 1 轮/ }).click();
    await turns.getByRole('button', { name: 'odd__level', exact: true }).click();
    await expect(turns.locator('[data-rendering="gemini"]')).toBeVisible();
    const bound = turns.getByRole('group', { name: lang === 'en' ? 'What this turn bound it to' : '本轮将它绑定到', exact: true });
    await expect(bound.getByText(lang === 'en' ? 'by a person' : '由人审核')).toBeVisible();
    await expect(bound.getByText(lang === 'en' ? 'none given' : '未提供')).toBeVisible();
    await expect(turns.getByText('mcp:odd:tool:broken')).toBeVisible();
    await page.setViewportSize(lang === 'en' ? { width: 1280, height: 800 } : { width: 900, height: 600 });
    await shot(page, `run-${lang}`);
    expect(await axeComplaints(page)).toEqual([]);
    await model.close();
  });
}
