import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import { ScriptedModel } from './fixtures/model/scripted-model.ts';
import type { Gantry } from './support/gantry.ts';
import { expect, test } from './support/window.ts';

const player = fileURLToPath(new URL('./fixtures/fake-server.mjs', import.meta.url));
const shots = process.env['GANTRY_SHOTS'];
const shot = async (page: Page, name: string): Promise<void> => {
  if (!shots) return;
  if (!existsSync(shots)) mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
};
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const ANSWERS: Readonly<Record<string, unknown>> = {
  big: { content: [{ type: 'text', text: '[{"k":"{{fill:v:5000000}}"}]' }] },
  temp: { content: [{ type: 'text', text: 'temperature 21' }], structuredContent: { temp: '21' } },
  picture: { content: [{ type: 'image', data: PNG, mimeType: 'image/png' }, { type: 'audio', data: 'SUQzBAAAAAAAAAAA', mimeType: 'audio/mpeg' }] },
  job: { content: [], structuredContent: { status: 'queued', job_id: 'job-17' } },
};
const SCENARIO = {
  transport: 'stdio',
  tools: Object.keys(ANSWERS).map((name) => ({ name, description: `tool ${name}`, inputSchema: { type: 'object', properties: {} }, ...(name === 'temp' ? { outputSchema: { type: 'object', properties: { temp: { type: 'number' } }, required: ['temp'] } } : {}) })),
  script: Object.entries(ANSWERS).map(([name, reply]) => ({ on: 'tools/call', match: { params: { name } }, do: [{ reply }] })),
};

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-result-'));
  writeFileSync(join(folder, 'cases.json'), JSON.stringify([{ id: 'X', reproduction: { servers: { srv: SCENARIO } } }]));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const prepare = async (gantry: Gantry, model: ScriptedModel): Promise<string> => {
  await gantry.ask('servers:add', { serverId: 'lab', name: 'Lab', spec: { kind: 'command', command: process.execPath, args: [player, join(folder, 'cases.json'), 'X', 'srv'] } });
  await gantry.ask('servers:connect', { serverId: 'lab' });
  for (const name of Object.keys(ANSWERS)) await gantry.ask('capabilities:review', { capabilityId: `mcp:lab:tool:${name}`, tier: 'read_only', admit: true });
  await gantry.ask('access:set', { principal: BUILT_IN_AGENT, serverId: 'lab', allowed: true });
  await gantry.ask('models:set', { provider: 'anthropic', baseUrl: await model.start(), model: 'test' });
  return (await gantry.ask('agent:run', { prompt: 'Look at all of it', wait: true })).runId;
};
const violations = async (page: Page): Promise<string[]> => (await new AxeBuilder({ page }).analyze()).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);

test.use({ viewport: { width: 1280, height: 800 } });

for (const lang of ['en', 'zh'] as const) {
  const words = (en: string, zh: string): string => (lang === 'en' ? en : zh);
  test(`RS50 RS51 a run shows each result as it was recorded and as the model was told it, and saves a large one whole (${lang})`, async ({ gantry, open, page }) => {
    const model = new ScriptedModel({ rules: ['anthropic-basic'], turns: [{ calls: Object.keys(ANSWERS).map((name) => ({ id: `c_${name}`, toolByDescription: `tool ${name}`, args: {} })) }, { text: 'done' }] });
    await page.emulateMedia({ colorScheme: lang === 'zh' ? 'dark' : 'light' });
    await open({ lang });
    const runId = await prepare(gantry, model);
    await page.evaluate((to) => { window.location.hash = to; }, `#/runs/${runId}`);
    const rows = page.getByRole('list', { name: words('Calls of this run', '此次运行的调用') });
    // each row by its class, in words
    await expect(rows.getByText(words('output schema mismatch', '不符合输出契约'))).toBeVisible();
    await expect(rows.getByText('/temp')).toBeVisible();
    await expect(rows.getByText(words('not done yet', '尚未完成'))).toBeVisible();

    const call = page.getByRole('region', { name: words('The call', '调用'), exact: true });
    const told = call.getByRole('region', { name: words('What the model was told', '告知模型的内容'), exact: true });
    await rows.getByRole('button', { name: /big/ }).click();
    await expect(call.getByText(words('A valid result, stored because of its size', '有效结果，因体积较大已另存'))).toBeVisible();
    await expect(told.getByText(words('shortened; the model can read parts', '已缩短，模型可分段读取'))).toBeVisible();
    await told.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await expect(told.getByRole('region')).toContainText('"class":"stored"');
    const download = page.waitForEvent('download');
    await call.getByRole('button', { name: words('Save the whole result', '保存完整结果') }).click();
    const saved = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as { content: { text: string }[] };
    expect(saved.content[0]!.text).toHaveLength(5_000_010);
    await told.scrollIntoViewIfNeeded();
    await shot(page, `result-big-${lang}`);
    expect(await violations(page)).toEqual([]);

    await rows.getByRole('button', { name: /picture/ }).click();
    await expect(told.getByText(words('image/png went along', '已附带 image/png'))).toBeVisible();
    await expect(told.getByText(words('audio/mpeg did not go along', '未附带 audio/mpeg'))).toBeVisible();
    await told.scrollIntoViewIfNeeded();
    await shot(page, `result-picture-${lang}`);
    await page.setViewportSize({ width: 900, height: 600 });
    await rows.getByRole('button', { name: /temp/ }).click();
    await expect(told).not.toContainText('image/png');
    await told.getByRole('button').click();
    await expect(told.getByRole('region')).toContainText('/structuredContent/temp');
    await told.scrollIntoViewIfNeeded();
    await shot(page, `result-temp-${lang}`);
    expect(await violations(page)).toEqual([]);
    await model.close();
  });
}
