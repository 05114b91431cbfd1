import type { Page } from '@playwright/test';
import { axeComplaints } from './support/axe.ts';
import { armed, connectEverything, reviewAsRead, toolPage } from './support/everything.ts';
import type { Gantry } from './support/gantry.ts';
import { press, tabTo } from './support/keyboard.ts';
import { expect, test } from './support/window.ts';

const waiting = async (gantry: Gantry) => (await gantry.ask('questions:list', { state: 'waiting' })).questions;
const answeredData = async (gantry: Gantry, runId: string) => (await gantry.ask('runs:get', { runId })).events.filter(({ type }) => type === 'question.answered').map(({ data }) => data);
/** Nothing on the page beside the dialog is complained of either. */
const clean = async (page: Page): Promise<void> => expect(await axeComplaints(page)).toEqual([]);

test('J71 QU08 the same in Chinese with the keyboard alone: the queue, a form by Tab and arrows, all of a server declined', async ({ gantry, open, page }) => {
  await open({ lang: 'zh' });
  await connectEverything(gantry);
  await reviewAsRead(gantry, 'trigger-elicitation-request');
  await toolPage(page, 'trigger-elicitation-request');
  const main = page.getByRole('main');
  await press(page, main.getByRole('button', { name: '试用', exact: true }));
  const dialog = page.getByRole('dialog', { name: '服务器请你填写表单' });
  await dialog.waitFor();
  const answer = await armed(dialog, '回答');
  for (const key of ['Enter', 'Space']) await page.keyboard.press(key);
  expect(await waiting(gantry)).toHaveLength(1);
  await tabTo(page, dialog.getByRole('textbox', { name: /^String name/ }));
  await page.keyboard.type('艾达');
  await tabTo(page, dialog.getByRole('radio', { name: '不作答' }).first());
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: '是' })).toBeChecked();
  await press(page, answer);
  await expect(dialog).toBeHidden();
  await expect(main.getByText(/- Name: 艾达/)).toBeVisible();

  // two at once over one pipe: of the second question nobody can say which call it is of
  const call = async (): Promise<string> => (await gantry.ask('calls:try', { capabilityId: 'mcp:everything:tool:trigger-elicitation-request', input: {}, wait: false })).runId;
  await call();
  await expect.poll(async () => (await waiting(gantry)).length).toBe(1);
  const second = await call();
  await expect.poll(async () => (await waiting(gantry)).length).toBe(2);
  await press(page, page.getByRole('button', { name: '阅读并回答' }));
  await expect(dialog.getByText('第 1 个，共 2 个等待')).toBeVisible();
  await clean(page);
  await press(page, dialog.getByRole('button', { name: '下一个' }));
  await expect(dialog.getByText('第 2 个，共 2 个等待')).toBeVisible();
  await expect(dialog.getByText('来自它正在运行的某个调用')).toBeVisible();
  await press(page, await armed(dialog, '在该服务器保持连接期间拒绝它的所有提问'));
  await press(page, dialog.getByRole('button', { name: '全部拒绝' }));
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await waiting(gantry)).length).toBe(1);
  expect(await answeredData(gantry, second)).toMatchObject([{ decision: 'decline', by: 'window' }]);
  // a call that is stopped takes its question with it, also under the eyes of its reader
  const [first] = await waiting(gantry);
  await page.evaluate((id) => { window.location.hash = `#/questions/${id}`; }, first!.id);
  await armed(dialog, '回答');
  await gantry.ask('calls:stop', { invocationId: first!.invocationId! });
  await expect(dialog.getByText('不再需要：调用已被停止。')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('J74 QU17 QU22 a person names folders on the server’s page, and the server knows them; its progress is seen while it works', async ({ gantry, open, page }) => {
  await open();
  await connectEverything(gantry);
  for (const tool of ['get-roots-list', 'toggle-simulated-logging', 'trigger-long-running-operation']) await reviewAsRead(gantry, tool);
  const rootsOf = async () => JSON.stringify((await gantry.ask('calls:try', { capabilityId: 'mcp:everything:tool:get-roots-list', input: {}, wait: true })).result);
  expect(await rootsOf()).toContain('no roots are currently configured');
  await page.evaluate(() => { window.location.hash = '#/servers/everything'; });
  const panel = page.getByRole('region', { name: 'Folders it is told about' });
  await panel.getByRole('textbox', { name: 'Whole path of a folder' }).fill('documents');
  await panel.getByRole('button', { name: 'Tell it' }).click();
  await expect(panel.getByText('Give the whole path, such as /home/me/documents.')).toBeVisible();
  await panel.getByRole('textbox', { name: 'Whole path of a folder' }).fill(gantry.dataDir);
  await panel.getByRole('button', { name: 'Tell it' }).click();
  await expect(panel.getByRole('button', { name: `Take back ${gantry.dataDir}` })).toBeVisible();
  await clean(page);
  await expect.poll(rootsOf).toContain(`file://${gantry.dataDir}`);

  await gantry.ask('calls:try', { capabilityId: 'mcp:everything:tool:toggle-simulated-logging', input: {}, wait: true });
  await toolPage(page, 'trigger-long-running-operation');
  const main = page.getByRole('main');
  await main.getByRole('textbox', { name: /^duration/ }).or(main.getByRole('spinbutton', { name: /^duration/ })).fill('90');
  await main.getByRole('textbox', { name: /^steps/ }).or(main.getByRole('spinbutton', { name: /^steps/ })).fill('900');
  await page.getByRole('button', { name: 'Try it', exact: true }).click();
  await expect(main.getByRole('progressbar', { name: 'Progress, as the server says' })).toHaveAttribute('aria-valuetext', /^\d+ of 900$/);
  // one every five seconds
  await expect(main.getByRole('list', { name: 'What the server logs meanwhile' })).toBeVisible();
  await main.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(main.getByRole('progressbar')).toBeHidden();
});
