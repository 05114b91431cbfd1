import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import { axeComplaints } from './support/axe.ts';
import { goByLetters, press, tabTo } from './support/keyboard.ts';
import { shot } from './support/shots.ts';
import { expect, test } from './support/window.ts';

const recording = fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url));
const files = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));

test('J85 GP05 GP07 guided planner, by keyboard alone: from a request in words over tool, form and approval to the next step and the end, in one run', async ({ gantry, open, page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open();
  // nothing to choose among yet
  await goByLetters(page, 'p', '#/agent/plan');
  await expect(page.getByRole('heading', { level: 1, name: 'Guided planner' })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('note down what was decided');
  await page.keyboard.press('Enter');
  await expect(page.getByText('There are no tools yet')).toBeVisible();
  await shot(page, 'planner-no-tools');

  await gantry.ask('servers:add', { serverId: 'rec', name: 'Recorder', spec: { kind: 'command', command: process.execPath, args: [recording] }, env: { RECORD_FILE: join(gantry.dataDir, 'r.jsonl') } });
  await gantry.ask('servers:connect', { serverId: 'rec' });
  await gantry.ask('servers:add', { serverId: 'files', name: 'Files', spec: { kind: 'command', command: process.execPath, args: [files, gantry.dataDir] } });
  await gantry.ask('servers:connect', { serverId: 'files' });
  await gantry.ask('capabilities:review', { capabilityId: 'mcp:rec:tool:note', tier: 'low_write', admit: true });
  await gantry.ask('capabilities:review', { capabilityId: 'mcp:files:tool:list_directory', tier: 'read_only', admit: true });
  await gantry.ask('access:set', { principal: BUILT_IN_AGENT, capabilityIds: ['mcp:rec:tool:note', 'mcp:files:tool:list_directory'], allowed: true });

  // it is seen without asking again: the tools moved
  const fitting = page.getByRole('list', { name: 'Tools that fit' });
  const note = fitting.getByRole('button', { name: 'Use note' });
  await expect(note).toBeVisible();
  await expect(fitting).toContainText('Why:');
  await press(page, note);
  await expect(page.getByRole('heading', { level: 2, name: 'Fill in note' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'text' })).toBeFocused();
  await page.keyboard.type('ship on Friday');
  await press(page, page.getByRole('button', { name: 'Try it' }));
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('ship on Friday');
  await shot(page, 'planner-approval');
  const approve = dialog.getByRole('button', { name: 'Approve once' });
  await expect(approve).toBeEnabled();
  await press(page, approve);
  const steps = page.getByRole('list', { name: 'This run' });
  await expect(steps.getByRole('listitem')).toHaveCount(1);
  await expect(steps).toContainText('done');
  await shot(page, 'planner-done');

  // the next step, in Chinese: the field is a key away, and the best tool takes the focus
  await page.keyboard.press('Escape');
  await tabTo(page, page.getByRole('textbox', { name: 'What next, in the same run?' }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('列出这个文件夹里的文件');
  await page.keyboard.press('Enter');
  await expect(fitting.getByRole('button', { name: 'Use list_directory' })).toBeFocused();
  const others = page.getByRole('list', { name: 'Fit too, and are not available to the agent' });
  await expect(others.getByRole('listitem').filter({ hasText: 'list_directory_with_sizes' })).toContainText('Waits for your review');
  expect(await axeComplaints(page)).toEqual([]);
  await shot(page, 'planner-next');
  await page.keyboard.press('Enter');
  // a path begins with the key to the question: in the form, and on its heading, it is a letter
  const path = page.getByRole('textbox', { name: 'path' });
  await expect(path).toBeFocused();
  await page.keyboard.type(gantry.dataDir);
  await expect(path).toHaveValue(gantry.dataDir);
  await page.getByRole('heading', { level: 2, name: 'Fill in list_directory' }).focus();
  await page.keyboard.press('/');
  await expect(page.getByRole('heading', { level: 2, name: 'Fill in list_directory' })).toBeFocused();
  // from elsewhere it goes on with the question, and takes none of its words
  await tabTo(page, page.getByRole('button', { name: 'Try it' }));
  await fitting.getByRole('button', { name: 'Use list_directory' }).focus();
  await page.keyboard.press('/');
  await page.keyboard.type('？');
  await expect(page.getByRole('textbox', { name: 'What next, in the same run?' })).toHaveValue('列出这个文件夹里的文件？');
  await press(page, page.getByRole('button', { name: 'Try it' }));
  await expect(steps.getByRole('listitem')).toHaveCount(2);
  await expect(steps.getByRole('listitem').nth(1)).toContainText('done');
  await press(page, steps.getByRole('button', { name: 'Show the result' }).nth(1));
  await expect(steps).toContainText('gantry.db');
  await press(page, page.getByRole('button', { name: 'Finish this run' }));
  await expect(page.getByText('Finished: 2 calls, all on record.')).toBeVisible();
  await shot(page, 'planner-finished');

  // one run, by the person, with both calls and a chain that holds
  await press(page, page.getByRole('link', { name: 'Open its record' }));
  await expect(page.getByRole('list', { name: 'Calls of this run' }).getByRole('listitem').first()).toHaveAttribute('aria-setsize', '2');
  const runId = (await page.evaluate(() => location.hash)).split('/').at(-1)!;
  expect(await gantry.ask('runs:get', { runId })).toMatchObject({ run: { kind: 'guided', principal: 'user', state: 'completed', title: 'note down what was decided' } });
  expect(await gantry.ask('runs:verify', { runId })).toMatchObject({ ok: true });
});

test('J86 GP06 guided planner in Chinese and dark, in a narrow window: what does not fit is said, and what is not available says why', async ({ gantry, open, page }) => {
  await page.setViewportSize({ width: 900, height: 600 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await gantry.start(['--lang=zh']);
  await gantry.ask('servers:add', { serverId: 'files', name: 'Files', spec: { kind: 'command', command: process.execPath, args: [files, gantry.dataDir] } });
  await gantry.ask('servers:connect', { serverId: 'files' });
  await gantry.stop();
  await open({ lang: 'zh' });
  await gantry.ask('servers:connect', { serverId: 'files' });
  await page.evaluate(() => { location.hash = '#/agent/plan'; });
  await expect(page.getByRole('heading', { level: 1, name: '引导式规划' })).toBeVisible();
  await shot(page, 'planner-zh-empty');
  await page.evaluate((to) => { location.hash = to; }, `#/agent/plan?${new URLSearchParams({ q: '读取文件' }).toString()}`);
  await expect(page.getByText('智能体可用的工具中没有合适的')).toBeVisible();
  const others = page.getByRole('list', { name: '同样合适，但智能体目前不能使用' });
  await others.getByRole('button', { name: '使用 read_text_file' }).click();
  await expect(page.getByRole('heading', { level: 2, name: '填写 read_text_file' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'path' })).toBeFocused();
  expect(await axeComplaints(page)).toEqual([]);
  await shot(page, 'planner-zh-others');
  await page.evaluate(() => { location.hash = '#/agent/plan?q=asdf+qwer'; });
  await expect(page.getByText('没有合适的工具', { exact: true })).toBeVisible();
  await shot(page, 'planner-zh-nothing');
});
