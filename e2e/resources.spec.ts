import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { ScriptedModel } from './fixtures/model/scripted-model.ts';
import { axeComplaints } from './support/axe.ts';
import { expect, test } from './support/window.ts';

const LIBRARY = fileURLToPath(new URL('./fixtures/library-server.mjs', import.meta.url));
const EVERYTHING = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url));
const shots = process.env['GANTRY_SHOTS'];
const shot = async (page: Page, name: string): Promise<void> => {
  if (!shots) return;
  if (!existsSync(shots)) mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: false });
};
const goTo = (page: Page, hash: string): Promise<void> => page.evaluate((to) => void (window.location.hash = to), hash);
const pageOf = (page: Page, id: string): Promise<void> => goTo(page, `#/capabilities/${encodeURIComponent(id)}`);

const WORDS = {
  en: { read: 'Read it', get: 'Get its messages', approve: 'Approve once', watch: 'Tell me when it changes', changed: /said once that it changed/, old: /was read before that/, attach: 'Attach to a run', startWith: 'Start a run with it', yours: 'Your words to the agent', start: 'Start the run', user: /role “user”/, assistant: /role “assistant”/, given: /which you attached, went into the first request/, kind: 'Any kind', prompts: 'Prompts' },
  zh: { read: '读取', get: '获取消息', approve: '批准一次', watch: '有变化时告诉我', changed: /次通知有变化/, old: /在那之前读取/, attach: '附加到运行', startWith: '用它开始运行', yours: '你对智能体说的话', start: '开始运行', user: /角色 user/, assistant: /角色 assistant/, given: /已放入第一次请求/, kind: '任意类型', prompts: '提示' },
} as const;

for (const lang of ['en', 'zh'] as const) {
  const w = WORDS[lang];

  test(`J80, J82 a person reads a resource, hears that it changed, attaches it to a run, and starts another with a prompt (${lang})`, async ({ gantry, open, page }) => {
    const model = new ScriptedModel({ rules: [], turns: [{ text: 'No running.' }, { text: 'Done.' }] });
    await page.emulateMedia({ colorScheme: lang === 'zh' ? 'dark' : 'light' });
    const size = lang === 'en' ? { width: 1280, height: 800 } : { width: 900, height: 600 };
    /** the events of a call are drawn as they come into sight */
    const showsWhy = async (): Promise<void> => {
      await page.setViewportSize({ ...size, height: 1_500 });
      await expect(page.getByText(w.given)).toBeVisible();
      await page.setViewportSize(size);
    };
    await page.setViewportSize(size);
    await open({ lang });
    await gantry.ask('servers:add', { serverId: 'library', name: 'Library', spec: { kind: 'command', command: process.execPath, args: [LIBRARY] } });
    await gantry.ask('servers:connect', { serverId: 'library' });
    await gantry.ask('models:set', { provider: 'openai-compatible', baseUrl: await model.start(), model: 'scripted-1' });
    await gantry.ask('capabilities:review', { capabilityId: 'mcp:library:tool:publish', tier: 'read_only', admit: true });

    await pageOf(page, 'mcp:library:resource:book://rules');
    await page.getByRole('button', { name: w.read, exact: true }).click();
    await page.getByRole('button', { name: w.approve }).click();
    await expect(page.getByText('Edition 1: no running.')).toBeVisible();
    await page.getByRole('switch', { name: w.watch }).click();
    await expect(page.getByRole('switch', { name: w.watch })).toBeChecked();
    await gantry.ask('calls:try', { capabilityId: 'mcp:library:tool:publish', input: {}, wait: true });
    await expect(page.getByText(w.changed)).toContainText(w.old);
    await page.getByText(w.changed).scrollIntoViewIfNeeded();
    await shot(page, `resource-${lang}`);
    expect(await axeComplaints(page)).toEqual([]);

    await gantry.ask('capabilities:review', { capabilityId: 'mcp:library:resource:book://rules', tier: 'read_only', admit: true });
    const attach = page.getByRole('region', { name: w.attach });
    await attach.getByLabel(w.yours).fill('What do the rules say?');
    await attach.getByRole('button', { name: w.start }).click();
    await expect(page).toHaveURL(/#\/runs\//);
    await showsWhy();
    await shot(page, `attached-run-${lang}`);
    expect((await model.request(1)).text).toContain('Edition 2: no running.');

    await gantry.ask('capabilities:review', { capabilityId: 'mcp:library:prompt:plot', tier: 'read_only', admit: true });
    await goTo(page, '#/capabilities');
    await page.getByRole('combobox', { name: w.kind }).or(page.getByRole('textbox', { name: w.kind })).first().click();
    await page.getByRole('option', { name: w.prompts }).click();
    await expect(page.getByRole('link', { name: /plot/ })).toBeVisible();
    await expect(page.getByRole('link', { name: /book:/ })).toHaveCount(0);
    await shot(page, `kind-${lang}`);
    await page.getByRole('link', { name: /plot/ }).click();
    await page.getByRole('button', { name: w.get, exact: true }).click();
    await expect(page.getByText(w.assistant)).toBeVisible();
    await expect(page.getByText(w.user).first()).toBeVisible();
    // the characters that a reader does not see are spelled out
    await expect(page.getByText('U+E0041').first()).toBeVisible();
    await page.getByText(w.assistant).scrollIntoViewIfNeeded();
    await shot(page, `prompt-${lang}`);
    expect(await axeComplaints(page)).toEqual([]);
    await page.getByRole('region', { name: w.startWith }).getByRole('button', { name: w.start }).click();
    await expect(page).toHaveURL(/#\/runs\//);
    await showsWhy();
    expect((await model.request(2)).text).toContain('All of it was written by that server');
    await model.close();
  });
}

test('J81 AP11 AP14 AP16 fields of a template and of a prompt are completed by server-everything, the second by what stands in the first, with the keyboard alone; resources go along with a question', async ({ gantry, open, page }) => {
  await open();
  const open_ = page.getByRole('button', { name: 'Attach resources' });
  const panel = page.getByRole('region', { name: 'Resources to attach' });
  // where a question is written: no server offers one yet
  const model = new ScriptedModel({ rules: [], turns: [{ text: 'Read.' }] });
  await gantry.ask('models:set', { provider: 'openai-compatible', baseUrl: await model.start(), model: 'scripted-1' });
  await goTo(page, '#/agent');
  await open_.press('Enter');
  await expect(panel.getByRole('link', { name: 'To the servers' })).toBeVisible();
  await shot(page, 'attach-none');
  await page.keyboard.press('Escape');
  await expect(open_).toBeFocused();
  await gantry.ask('servers:add', { serverId: 'everything', name: 'Everything', spec: { kind: 'command', command: process.execPath, args: [EVERYTHING, 'stdio'] } });
  await gantry.ask('servers:connect', { serverId: 'everything' });
  const { capabilities } = await gantry.ask('capabilities:list', { serverId: 'everything' });
  for (const { id, kind } of capabilities) if (kind !== 'tool') await gantry.ask('capabilities:review', { capabilityId: id, tier: 'read_only', admit: true });

  await pageOf(page, 'mcp:everything:prompt:completable-prompt');
  const department = page.getByRole('combobox', { name: 'department' });
  await department.focus();
  await page.keyboard.type('Eng');
  await expect(page.getByRole('option', { name: 'Engineering', disabled: false })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(department).toHaveValue('Engineering');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('option', { disabled: false })).toHaveText(['Alice', 'Bob', 'Charlie']);
  await shot(page, 'completion-en');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Get its messages' }).click();
  await expect(page.getByText('Please promote Alice to the head of the Engineering team.')).toBeVisible();

  await pageOf(page, 'mcp:everything:resource:demo://resource/dynamic/text/{resourceId}');
  const field = page.getByRole('combobox', { name: 'resourceId' });
  await expect(page.getByRole('button', { name: 'Read it' })).toBeDisabled();
  await field.fill('7');
  await expect(page.getByRole('option', { name: '7' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Read it' }).click();
  await expect(page.getByText(/Resource 7: This is a plaintext resource/)).toBeVisible();
  await shot(page, 'template-en');
  expect(await axeComplaints(page)).toEqual([]);

  // where a question is written one is found by words, and a template is filled, by keys alone; the agent needs no access to any
  await goTo(page, '#/agent');
  await page.getByRole('textbox', { name: 'Write what you want' }).fill('What do they say?');
  // what is written is there after a reload
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Write what you want' })).toHaveValue('What do they say?');
  await open_.focus();
  await page.keyboard.press('Enter');
  const search = panel.getByRole('combobox');
  await expect(search).toBeFocused();
  await expect(panel.getByRole('option').first()).toContainText('this once');
  await page.keyboard.press('ArrowDown');
  await shot(page, 'attach-list');
  expect(await axeComplaints(page)).toEqual([]);
  await page.keyboard.type('no such thing');
  await expect(panel.getByText('No resource has these words.')).toBeVisible();
  await search.fill('features.md');
  await expect(panel.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('option')).toContainText('attached');
  await search.fill('dynamic/text');
  // one option stood there before: it is the new one that counts, and Enter waits for it
  await page.keyboard.press('Enter');
  const id = panel.getByRole('combobox', { name: 'resourceId' });
  await expect(id).toBeFocused();
  await page.keyboard.type('7');
  await expect(page.getByRole('option', { name: '7', exact: true, disabled: false })).toBeVisible();
  await shot(page, 'attach-template');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Attach it' }).press('Enter');
  const chips = page.getByRole('list', { name: 'Goes along with the question' });
  await expect(chips.getByRole('listitem')).toHaveCount(2);
  await expect(chips).toContainText('resourceId=7');
  await page.keyboard.press('Escape');
  await page.getByLabel('Attach files', { exact: true }).and(page.locator('input')).setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('milk\n') });
  await expect(chips.getByRole('listitem')).toHaveCount(3);
  // the question and all that goes along is there when one comes back to it
  await goTo(page, '#/runs');
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
  await goTo(page, '#/agent');
  await expect(chips.getByRole('listitem')).toHaveCount(3);
  await expect(page.getByRole('textbox', { name: 'Write what you want' })).toHaveValue('What do they say?');
  await shot(page, 'attach-chips');
  expect(await axeComplaints(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send' }).press('Enter');
  await expect(page.getByRole('log')).toContainText('Read.');
  // with the question stands what went along, each resource with the way to its reading
  const along = page.getByRole('log').getByRole('list', { name: 'Went along with the question' });
  await expect(along.getByRole('listitem')).toHaveCount(3);
  await expect(along).toContainText('list.txt');
  await expect(along).toContainText('file, text/plain, 5 B');
  await expect(along.getByRole('link', { name: /dynamic\/text/ })).toHaveAttribute('href', /^#\/runs\/[^/]+\/[^/]+$/);
  await shot(page, 'attach-sent');
  expect(model.accepted[0]!.text).toContain('Resource 7: This is a plaintext resource');
  expect(model.accepted[0]!.text).toContain('a resource that the person attached');
  const { events } = await gantry.ask('runs:get', { runId: (await gantry.ask('runs:list', { limit: 1 })).runs[0]!.id });
  expect(events.filter(({ type }) => type === 'call.received')).toHaveLength(2);
  await expect(chips).toHaveCount(0);
  await model.close();
});
