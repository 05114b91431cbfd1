import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { axeComplaints } from './support/axe.ts';
import { armed, connectEverything, reviewAsRead, toolPage } from './support/everything.ts';
import type { Gantry } from './support/gantry.ts';
import { expect, test } from './support/window.ts';

const waiting = async (gantry: Gantry) => (await gantry.ask('questions:list', { state: 'waiting' })).questions;
const answeredData = async (gantry: Gantry, runId: string) => (await gantry.ask('runs:get', { runId })).events.filter(({ type }) => type === 'question.answered').map(({ data }) => data);
/** Nothing on the page beside the dialog is complained of either. */
const clean = async (page: Page): Promise<void> => expect(await axeComplaints(page)).toEqual([]);

test('J70 QU05 QU16 a server asks for a form in the middle of a try-out: read, corrected, seen as it is sent, answered; a second one is left for later and declined from the list', async ({ gantry, open, page }) => {
  await open();
  await connectEverything(gantry);
  await toolPage(page, 'trigger-elicitation-request');
  await page.getByRole('button', { name: 'Try it', exact: true }).click();
  await (await armed(page.getByRole('dialog', { name: /^Approval/ }), 'Approve once')).click();

  const dialog = page.getByRole('dialog', { name: 'A server asks you to fill in a form' });
  await dialog.waitFor();
  await expect(dialog.getByText('Please provide inputs for the following fields:')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'trigger-elicitation-request' })).toBeVisible();
  await expect(dialog.getByText('the server’s suggestion')).toHaveCount(8);
  await clean(page);
  const form = dialog.getByRole('region', { name: 'The form' });
  await form.getByRole('textbox', { name: /^String with email format/ }).fill('not an address');
  await form.getByRole('textbox', { name: /^String with default/ }).fill('');
  await (await armed(dialog, 'Answer')).click();
  await expect(form.getByRole('textbox', { name: /^String name/ })).toBeFocused();
  await expect(form.getByText('This is required.')).toBeVisible();
  await expect(form.getByText(/not an email address/)).toBeVisible();
  expect(await waiting(gantry)).toHaveLength(1);
  await form.getByRole('textbox', { name: /^String name/ }).fill('Ada Lovelace');
  await form.getByRole('textbox', { name: /^String with email format/ }).fill('ada@example.org');
  await form.getByRole('radio', { name: 'Yes' }).check();
  await form.getByRole('checkbox', { name: 'Piano' }).check();
  const sent = dialog.getByRole('region', { name: 'Exactly what will be sent' });
  await expect(sent).toContainText('"name": "Ada Lovelace"');
  await expect(sent).not.toContainText('firstLine');
  await dialog.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('main').getByText(/- Name: Ada Lovelace/)).toBeVisible();
  const [past] = (await gantry.ask('questions:list', {})).questions;
  expect(past).toMatchObject({ state: 'answered', by: 'window', round: 1 });
  const [answer] = await answeredData(gantry, past!.runId!);
  expect(answer).toMatchObject({ decision: 'accept', by: 'window' });
  // what the server says that it got is what was shown
  const { invocation } = await gantry.ask('calls:get', { invocationId: past!.invocationId! });
  const got = JSON.parse(String(invocation.result!.content.at(-1)!['text']).replace(/^\s*Raw result: /, '')) as { readonly content: Readonly<Record<string, unknown>> };
  expect(got).toMatchObject({ action: 'accept', content: { name: 'Ada Lovelace', email: 'ada@example.org', check: true, integer: 42, untitledMultipleSelectEnum: ['Guitar', 'Piano'] } });
  expect(got.content).not.toHaveProperty('firstLine');

  await reviewAsRead(gantry, 'trigger-elicitation-request');
  await page.getByRole('button', { name: 'Try it', exact: true }).click();
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(await waiting(gantry)).toHaveLength(1);
  await expect(page.getByRole('main').getByText('The server asks you something; the call waits.')).toBeVisible();
  await expect(page.getByRole('contentinfo').getByRole('link', { name: '1 question of a server awaits you' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Approvals/ }).click();
  await clean(page);
  await page.getByRole('main').getByRole('button', { name: 'Read what Everything asks' }).click();
  await (await armed(dialog, 'Decline')).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('main').getByText('No server asks you anything').or(page.getByRole('main').getByText('Nothing awaits you'))).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: /^Questions of servers/ }).click();
  await expect(page.getByRole('main').getByRole('row', { name: /Fill in a form.*declined/ })).toBeVisible();
  await clean(page);
});

/** A page of somebody else, on this computer. */
const startPage = async (): Promise<{ readonly url: string; readonly asked: string[]; readonly server: Server }> => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/sign') === true) asked.push(request.url);
    response.setHeader('content-type', 'text/html; charset=utf-8').end('<!doctype html><title>Sign</title><h1>Sign here</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sign?for=gantry`, asked, server };
};

test('J72 QU07 a server asks for a page to be opened: its host is read, nothing is fetched before the person opens it, and a decline opens nothing', async ({ gantry, open, page, context }) => {
  const { url, asked, server } = await startPage();
  try {
    await open();
    await connectEverything(gantry);
    await reviewAsRead(gantry, 'trigger-url-elicitation');
    await toolPage(page, 'trigger-url-elicitation');
    const main = page.getByRole('main');
    await main.getByRole('textbox', { name: /^url/ }).fill(url);
    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'A server asks you to open a page' });
    await dialog.waitFor();
    await expect(dialog.getByText(new URL(url).host, { exact: true })).toBeVisible();
    await expect(dialog.getByText('An address of this computer.')).toBeVisible();
    await expect(dialog.getByRole('group', { name: 'The whole address' })).toContainText(url);
    await clean(page);
    const link = await armed(dialog, 'Open in the browser');
    await expect(link).toHaveAttribute('rel', /noopener/);
    expect(asked).toEqual([]);
    const [opened] = await Promise.all([context.waitForEvent('page'), link.click()]);
    await expect(opened.getByText('Sign here')).toBeVisible();
    await opened.close();
    expect(asked).toHaveLength(1);
    await expect(dialog.getByText('You agreed to open the page, and the server was told so.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(main.getByText(/User completed the URL elicitation flow/)).toBeVisible();

    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    await (await armed(dialog, 'Cancel the request')).click();
    await expect(main.getByText(/User cancelled the URL elicitation/)).toBeVisible();
    expect(asked).toHaveLength(1);
  } finally {
    server.close();
  }
});
