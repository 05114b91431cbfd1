import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import { ScriptedModel } from './fixtures/model/scripted-model.ts';
import type { Gantry } from './support/gantry.ts';
import { expect, test } from './support/window.ts';

const fixture = fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url));
const ORDER = 'mcp:shop:tool:order';
const shots = process.env['GANTRY_SHOTS'];
const shot = async (page: Page, name: string): Promise<void> => {
  if (!shots) return;
  if (!existsSync(shots)) mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
};
const violations = async (page: Page): Promise<string[]> => (await new AxeBuilder({ page }).analyze()).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);
const goTo = async (page: Page, hash: string): Promise<void> => {
  await page.evaluate((to) => { window.location.hash = to; }, hash);
};
interface Sent {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly meta?: Readonly<Record<string, string>>;
}
const sent = (gantry: Gantry): Sent[] => {
  const file = join(gantry.dataDir, 'record.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line) as Sent) : [];
};

const serve = async (gantry: Gantry): Promise<void> => {
  await gantry.ask('servers:add', { serverId: 'shop', name: 'Shop', spec: { kind: 'command', command: process.execPath, args: [fixture] }, env: { RECORD_FILE: join(gantry.dataDir, 'record.jsonl'), WITH_ORDER: '1' } });
  expect(await gantry.ask('servers:connect', { serverId: 'shop' })).toMatchObject({ state: 'ready' });
};

const WORDS = {
  en: { key: 'Key against repeats', looks: /looks like one/, again: 'Save the review', admit: 'Admit', filled: /filled in a key against repeats/, approve: 'Approve once', keyed: /key against repeats filled into client_request_id/, first: 'first result', anew: 'Send again as new', open: 'Open the new call', repeated: /its first result answers this one, nothing was sent/, take: 'How long a call may take', limits: 'Time limits of calls', low: 'Low write: Without progress', atMost: 'Low write: In all', reset: 'Back to the defaults' },
  zh: { key: '防重复键', looks: /看起来像是/, again: '保存审核', admit: '准入', filled: /已填入防重复键/, approve: '批准一次', keyed: /已在 client_request_id 中填入防重复键/, first: '首次结果', anew: '作为新调用再次发送', open: '打开新调用', repeated: /直接用首次结果作答，没有再次发送/, take: '一次调用可以用多久', limits: '调用时限', low: '低风险写：无进展时限', atMost: '低风险写：最长用时', reset: '恢复默认值' },
} as const;

for (const lang of ['en', 'zh'] as const) {
  const w = WORDS[lang];
  test(`J60 a write reviewed as idempotent by key is asked for once: its repeat has the first result (${lang})`, async ({ gantry, open, page }) => {
    const order = { id: 't', toolByDescription: 'Places an order.', args: { text: 'two crates' } };
    const model = new ScriptedModel({ rules: ['openai-basic'], turns: [{ calls: [{ ...order, id: 't1' }] }, { calls: [{ ...order, id: 't2' }] }, { text: 'ordered' }] });
    await page.emulateMedia({ colorScheme: lang === 'zh' ? 'dark' : 'light' });
    await page.setViewportSize(lang === 'en' ? { width: 1280, height: 800 } : { width: 900, height: 600 });
    await open({ lang });
    await serve(gantry);

    await goTo(page, `#/capabilities/${encodeURIComponent(ORDER)}`);
    await expect(page.getByText(w.looks)).toBeVisible();
    await page.getByRole('combobox', { name: w.key }).or(page.getByRole('textbox', { name: w.key })).first().click();
    await page.getByRole('option', { name: 'client_request_id' }).click();
    await page.getByRole('button', { name: w.admit, exact: true }).scrollIntoViewIfNeeded();
    await shot(page, `review-${lang}`);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: w.admit, exact: true }).click();
    await expect.poll(async () => (await gantry.ask('capabilities:get', { capabilityId: ORDER })).capability.idempotency).toEqual({ field: 'client_request_id', required: true });

    await gantry.ask('access:set', { principal: BUILT_IN_AGENT, capabilityId: ORDER, allowed: true });
    await gantry.ask('models:set', { provider: 'openai', baseUrl: await model.start(), model: 'scripted-1' });
    const { runId } = await gantry.ask('agent:run', { prompt: 'Order two crates' });
    await expect.poll(async () => (await gantry.ask('approvals:list', { state: 'pending' })).approvals.length).toBe(1);
    const [approval] = (await gantry.ask('approvals:list', { state: 'pending' })).approvals;
    await goTo(page, `#/approvals/${approval!.id}`);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(w.filled)).toBeVisible();
    const key = (JSON.parse(approval!.frozenInput) as Record<string, string>)['client_request_id']!;
    await expect(dialog.getByText(`client_request_id ${key}`)).toBeVisible();
    await shot(page, `approval-${lang}`);
    expect(await violations(page)).toEqual([]);
    await expect(dialog.getByRole('button', { name: w.approve })).toBeEnabled();
    await dialog.getByRole('button', { name: w.approve }).click();
    await expect.poll(async () => (await gantry.ask('runs:get', { runId })).run.state).toBe('completed');

    expect(sent(gantry)).toMatchObject([{ tool: 'order', arguments: { text: 'two crates', client_request_id: key }, meta: { 'gantry/idempotencyKey': key } }]);
    const { run } = await gantry.ask('runs:get', { runId });
    expect(run.invocations?.map((call) => call.state)).toEqual(['completed', 'completed']);
    expect((await gantry.ask('runs:verify', { runId })).ok).toBe(true);
    const told = JSON.stringify(model.accepted.at(-1));
    expect(told).toContain('Nothing was sent now');
    await goTo(page, `#/runs/${runId}`);
    // the rows come one after another: both calls are there before the second one is opened
    const calls = page.getByRole('button', { name: 'shop · order' });
    await expect(calls).toHaveCount(2);
    await calls.nth(1).click();
    await expect(page.getByText(w.first).first()).toBeVisible();
    await page.getByRole('heading', { name: 'shop · order' }).scrollIntoViewIfNeeded();
    await expect(page.getByText(w.repeated)).toBeVisible();
    await expect(page.getByText(w.keyed)).toBeVisible();
    await page.getByText(w.repeated).scrollIntoViewIfNeeded();
    await shot(page, `run-${lang}`);
    expect(await violations(page)).toEqual([]);

    // and sent after all: it asks, and goes out under another key
    await expect(page.getByRole('button', { name: w.anew })).toHaveCount(1);
    await page.getByRole('button', { name: w.anew }).click();
    await expect(dialog.getByText(w.filled)).toBeVisible();
    await shot(page, `anew-${lang}`);
    await expect(dialog.getByRole('button', { name: w.approve })).toBeEnabled();
    await dialog.getByRole('button', { name: w.approve }).click();
    await expect.poll(() => sent(gantry).length).toBe(2);
    expect(sent(gantry)[1]).toMatchObject({ tool: 'order', arguments: { text: 'two crates' } });
    expect(sent(gantry)[1]!.arguments['client_request_id']).not.toBe(key);
    await expect(dialog).toHaveCount(0);
    await page.getByRole('link', { name: w.open }).scrollIntoViewIfNeeded();
    await shot(page, `anew-sent-${lang}`);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: w.open }).click();
    await expect(page).not.toHaveURL(new RegExp(runId));
    await model.close();
  });

  test(`J61 the time limits of calls are set in the settings, and what does not fit is told and not kept (${lang})`, async ({ gantry, open, page }) => {
    await page.emulateMedia({ colorScheme: lang === 'zh' ? 'dark' : 'light' });
    await page.setViewportSize(lang === 'en' ? { width: 1280, height: 800 } : { width: 900, height: 600 });
    await open({ lang });
    await goTo(page, '#/settings/calls');
    const section = page.getByRole('region', { name: w.limits });
    await expect(section.getByLabel(w.low)).toHaveValue(/^15/);
    await shot(page, `limits-${lang}`);
    expect(await violations(page)).toEqual([]);
    const limits = async () => (await gantry.ask('settings:get', {})).settings.callLimits.low_write;
    await section.getByLabel(w.low).fill('20');
    await page.keyboard.press('Enter');
    await expect.poll(limits).toEqual({ timeoutMs: 20_000, maxTotalMs: 300_000 });
    // out of bounds goes back; a longest time below the other is refused by the host and said
    await section.getByLabel(w.low).fill('9999');
    await page.keyboard.press('Tab');
    await expect(section.getByLabel(w.low)).toHaveValue(/^20/);
    await section.getByLabel(w.atMost).fill('10');
    await page.keyboard.press('Enter');
    await expect(section.getByRole('alert').or(section.locator('[data-code="invalid_request"]')).first()).toBeVisible();
    await expect(section.getByLabel(w.atMost)).toHaveValue(/^300/);
    expect(await limits()).toEqual({ timeoutMs: 20_000, maxTotalMs: 300_000 });
    await shot(page, `limits-refused-${lang}`);
    await section.getByRole('button', { name: w.reset }).click();
    await expect.poll(limits).toEqual({ timeoutMs: 15_000, maxTotalMs: 300_000 });
  });
}
