import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import type { Gantry } from './support/gantry.ts';
import { press } from './support/keyboard.ts';
import { expect, test } from './support/window.ts';

const fixture = fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url));
const NOTE = 'mcp:rec:tool:note';

const recordFile = (gantry: Gantry): string => join(gantry.dataDir, 'record.jsonl');
const sent = (gantry: Gantry): string[] =>
  existsSync(recordFile(gantry)) ? readFileSync(recordFile(gantry), 'utf8').trim().split('\n').filter(Boolean).map((line) => (JSON.parse(line) as { arguments: { text: string } }).arguments.text) : [];

const prepare = async (gantry: Gantry): Promise<void> => {
  const { serverId } = await gantry.ask('servers:add', { serverId: 'rec', name: 'Recorder', spec: { kind: 'command', command: process.execPath, args: [fixture] }, env: { RECORD_FILE: recordFile(gantry) } });
  expect(await gantry.ask('servers:connect', { serverId })).toMatchObject({ state: 'ready' });
};

/** Asks for a note through the command and opens its approval in the window. */
const ask = async (gantry: Gantry, page: Page, text: string): Promise<{ dialog: Locator; invocationId: string; approvalId: string }> => {
  const call = await gantry.ask('calls:try', { capabilityId: NOTE, input: { text }, wait: false });
  expect(call.state).toBe('awaiting_approval');
  await openApproval(page, call.approvalId!);
  return { dialog: page.getByRole('dialog'), invocationId: call.invocationId, approvalId: call.approvalId! };
};
const openApproval = async (page: Page, approvalId: string): Promise<void> => {
  await page.evaluate((id) => { window.location.hash = `#/approvals/${id}`; }, approvalId);
  await page.getByRole('dialog').waitFor();
};
const ended = (gantry: Gantry, invocationId: string) => expect.poll(async () => (await gantry.ask('calls:get', { invocationId })).invocation.state);

test('J04 a denial with its reason reaches the record, and nothing is sent', async ({ gantry, open, page }) => {
  await open();
  await prepare(gantry);
  const { dialog, invocationId } = await ask(gantry, page, 'no thanks');
  await dialog.getByLabel(/^Reason, if you deny/).fill('not this one');
  await dialog.getByRole('button', { name: /^Deny/ }).click();
  await ended(gantry, invocationId).toBe('failed');
  const { invocation } = await gantry.ask('calls:get', { invocationId });
  expect(invocation.code).toBe('denied');
  const { events } = await gantry.ask('runs:get', { runId: invocation.runId });
  expect(events.find((e) => e.type === 'approval.decided')?.data).toMatchObject({ decision: 'deny', reason: 'not this one' });
  expect(sent(gantry)).toEqual([]);
});

test('J04 a double click and a second try use an approval once', async ({ gantry, open, page }) => {
  await open();
  await prepare(gantry);
  const { dialog, invocationId, approvalId } = await ask(gantry, page, 'once only');
  const approve = dialog.getByRole('button', { name: 'Approve once' });
  await expect(approve).toBeEnabled();
  await approve.dblclick({ delay: 5 }).catch(() => undefined);
  await ended(gantry, invocationId).toBe('completed');
  expect((await gantry.ask('approvals:get', { approvalId })).approval.state).toBe('consumed');
  expect(sent(gantry)).toEqual(['once only']);
});

test('J04 an edited input is a new frozen call that asks again; the first one is void', async ({ gantry, open, page }) => {
  await open();
  await prepare(gantry);
  const { dialog, approvalId } = await ask(gantry, page, 'first words');
  await dialog.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByText('JSON', { exact: true }).click();
  await dialog.getByRole('textbox').last().fill('{"text":"second words"}');
  await dialog.getByRole('button', { name: 'Check and ask again' }).click();
  await expect(page.getByRole('dialog').getByText('second words').first()).toBeVisible();
  expect((await gantry.ask('approvals:get', { approvalId })).approval.state).toBe('void');
  const approve = page.getByRole('dialog').getByRole('button', { name: 'Approve once' });
  await expect(approve).toBeEnabled();
  await approve.click();
  await expect.poll(() => sent(gantry)).toEqual(['second words']);
});

test('J04 of two windows one decides, and the other says so', async ({ gantry, open, page, context }) => {
  await open();
  await prepare(gantry);
  const second = await context.newPage();
  // a second window needs a token of its own: the session of the first is not shared by its address
  const session = await page.evaluate(() => JSON.stringify(window.sessionStorage));
  await second.addInitScript((stored) => { for (const [key, value] of Object.entries(JSON.parse(stored) as Record<string, string>)) window.sessionStorage.setItem(key, value); }, session);
  const { dialog, invocationId, approvalId } = await ask(gantry, page, 'from one window');
  await second.goto(page.url().replace(/#.*/, `#/approvals/${approvalId}`));
  await second.getByRole('dialog').waitFor();
  const approve = dialog.getByRole('button', { name: 'Approve once' });
  await expect(approve).toBeEnabled();
  await approve.click();
  await ended(gantry, invocationId).toBe('completed');
  await expect(second.getByText('It was decided elsewhere.').or(second.getByText('Approved and used once.')).first()).toBeVisible();
  expect(sent(gantry)).toEqual(['from one window']);
});

test('U163 an address that is followed leaves the dialog of an approval, which stays pending', async ({ gantry, open, page }) => {
  await open();
  await prepare(gantry);
  const { dialog, approvalId } = await ask(gantry, page, 'later');
  await page.evaluate(() => { window.location.hash = '#/market'; });
  await expect(dialog).toHaveCount(0);
  expect((await gantry.ask('approvals:get', { approvalId })).approval.state).toBe('pending');
});

test('A14 the dialog cannot be answered by a key that was meant for something else', async ({ gantry, open, page }) => {
  await open();
  await prepare(gantry);
  const call = await gantry.ask('calls:try', { capabilityId: NOTE, input: { text: 'typed over' }, wait: false });
  await page.evaluate((id) => { window.location.hash = `#/approvals/${id}`; }, call.approvalId!);
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  expect((await gantry.ask('approvals:get', { approvalId: call.approvalId! })).approval.state).toBe('pending');
  await expect(dialog.getByRole('button', { name: 'Approve once' })).toBeEnabled();
  await expect(dialog.getByRole('button', { name: 'Approve once' })).not.toBeFocused();
  await page.keyboard.press('Enter');
  expect((await gantry.ask('approvals:get', { approvalId: call.approvalId! })).approval.state).toBe('pending');
  expect(sent(gantry)).toEqual([]);
});

test('A13 a long input is reachable to its end before it can be approved, and its length is said', async ({ gantry, open, page }) => {
  await open();
  await prepare(gantry);
  const text = `begin${'\n'.repeat(400)}the end that matters`;
  const { dialog } = await ask(gantry, page, text);
  await expect(dialog.getByText(/bytes/).first()).toBeVisible();
  const approve = dialog.getByRole('button', { name: 'Approve once' });
  await expect(approve).toBeDisabled();
  await expect(dialog.getByText('Scroll to the end of the input to approve it.')).toBeVisible();
});

const inside = (dialog: Locator) => expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement)));

test('J04 the focus stays in the dialog, Escape does what its button says, and the focus returns', async ({ gantry, open, page }) => {
  await open();
  await prepare(gantry);
  const asked: { readonly approvalId?: string | undefined }[] = [];
  for (const text of ['one', 'two']) asked.push(await gantry.ask('calls:try', { capabilityId: NOTE, input: { text }, wait: false }));
  await page.evaluate(() => { window.location.hash = '#/approvals'; });
  const dialog = page.getByRole('dialog');
  const review = page.getByRole('main').getByRole('button', { name: /^Review/ });
  await expect(review).toHaveCount(2);
  await press(page, review);
  await dialog.waitFor();
  const edit = dialog.getByRole('button', { name: 'Edit' });
  await expect(edit).toBeEnabled();
  await press(page, edit);
  const editor = dialog.getByRole('textbox', { name: /input/i });
  await expect(editor).toBeFocused();
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press('Tab');
    await inside(dialog).toBe(true);
  }
  await press(page, dialog.getByRole('button', { name: /^Back/ }));
  await expect(edit).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(editor).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(edit).toBeFocused();
  // a click beside the dialog takes the focus from it; Tab and Escape still belong to it
  await page.mouse.click(4, 300);
  await page.keyboard.press('Tab');
  await inside(dialog).toBe(true);
  await page.mouse.click(4, 300);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(review).toHaveCount(1);
  await expect(page.locator('[data-review], [data-review-next]').and(page.locator(':focus'))).toHaveCount(1);
  await page.keyboard.press('Enter');
  const approve = dialog.getByRole('button', { name: 'Approve once' });
  await expect(approve).toBeEnabled();
  await press(page, approve);
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
  const states = async () => (await Promise.all(asked.map(async ({ approvalId }) => (await gantry.ask('approvals:get', { approvalId: approvalId! })).approval.state))).sort();
  await expect.poll(states).toEqual(['consumed', 'denied']);
});
