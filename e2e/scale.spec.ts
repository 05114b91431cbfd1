import type { Locator, Page } from '@playwright/test';
import { LONG_RUN_TITLE } from './fixtures/full-folder/calls.ts';
import { fillFolder } from './fixtures/full-folder/fill.ts';
import { BRISK } from './fixtures/full-folder/sizes.ts';
import { axeComplaints } from './support/axe.ts';
import { expect, test } from './support/window.ts';

const go = (page: Page, place: string): Promise<void> => page.evaluate((hash) => { location.hash = hash; }, place);
const main = (page: Page): Locator => page.getByRole('main');
const scrollTo = (list: Locator, top: number): Promise<void> => list.evaluate((element, to) => element.scrollTo({ top: to }), top);
const drawn = (page: Page): Promise<number> => main(page).getByRole('row').count();
const RUNS = BRISK.runs + BRISK.pendingApprovals + BRISK.decidedApprovals;

test('J40 ten thousand capabilities: pages come as they are scrolled to, filters and bulk grants are the host\'s, the place and the focus are kept', async ({ gantry, open, page }) => {
  test.setTimeout(900_000);
  const { candidates } = await fillFolder(gantry.dataDir, BRISK);
  await open();
  await go(page, '#/capabilities');
  const grid = page.getByRole('grid', { name: 'Capabilities' });
  await expect(grid).toHaveAttribute('aria-rowcount', String(BRISK.capabilities + 1));
  expect(await drawn(page)).toBeLessThan(60);
  const body = grid.getByRole('rowgroup').nth(1);
  await scrollTo(body, 36 * 7_000);
  const middle = grid.locator('[aria-rowindex="7010"]');
  await expect(middle.getByRole('switch')).toBeVisible();
  const name = await middle.getByRole('link').first().getAttribute('title');

  // into a row and back
  await middle.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/#\/capabilities\/.+/);
  await page.goBack();
  const again = grid.locator('[aria-rowindex="7010"]');
  await expect(again).toBeFocused();
  await expect(again.getByRole('link').first()).toHaveAttribute('title', name!);

  // a row keeps the focus when the list is scrolled away from under it, and when the host tells of changes
  await scrollTo(body, 0);
  await expect(grid.locator('[aria-rowindex="2"]').getByRole('link').first()).toBeVisible();
  await expect(again).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(grid.locator('[aria-rowindex="7011"]')).toBeFocused();
  await gantry.ask('access:set', { principal: 'agent:default', capabilityId: candidates[0]!, allowed: false });
  await gantry.ask('access:set', { principal: 'agent:default', capabilityId: candidates[0]!, allowed: true });
  await expect(grid.locator('[aria-rowindex="7011"]')).toBeFocused();
  await page.keyboard.press('End');
  await expect(grid.locator(`[aria-rowindex="${BRISK.capabilities + 1}"]`)).toBeFocused();

  // what the button says is what is moved
  await page.getByRole('textbox', { name: 'Name or description' }).fill('invoice server-1');
  const rows = await gantry.ask('capabilities:rows', { words: 'invoice server-1', limit: 1 });
  await expect(grid).toHaveAttribute('aria-rowcount', String(rows.total + 1));
  await page.getByRole('button', { name: `Allow these (${rows.allowable})` }).click();
  await page.getByRole('button', { name: `Allow ${rows.allowable}`, exact: true }).click();
  await expect(page.getByRole('button', { name: 'Allow these (0)' })).toBeDisabled();
  await expect(page.getByRole('button', { name: `Withdraw these (${rows.allowable + rows.allowed})` })).toBeEnabled();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: `Allow these (${rows.allowable})` })).toBeEnabled();

  await page.getByText(/^To review/).click();
  const review = page.getByRole('list', { name: 'To review' }).or(main(page).getByRole('list')).first();
  const all = await gantry.ask('capabilities:rows', { needsReview: true, limit: 1 });
  await expect(review.getByRole('listitem').first()).toHaveAttribute('aria-setsize', String(all.total));
  expect(await review.getByRole('listitem').count()).toBeLessThan(60);

  await go(page, '#/servers/large');
  const table = page.getByRole('table', { name: 'Capabilities' });
  await expect(table).toHaveAttribute('aria-rowcount', String(BRISK.largest + 1));
  await scrollTo(main(page), 36 * 4_000);
  await expect(table.getByRole('switch').first()).toBeVisible();
  expect(await table.getByRole('row').count()).toBeLessThan(80);

  await go(page, '#/servers');
  await expect(main(page).getByRole('table')).toHaveAttribute('aria-rowcount', String(BRISK.servers + 1));
  expect(await drawn(page)).toBeLessThan(60);
  await main(page).getByRole('link', { name: 'Large', exact: true }).focus();
  await page.keyboard.press('End');
  await expect(main(page).getByRole('link', { name: `Server ${BRISK.servers - 1}`, exact: true })).toBeFocused();
});

test('J41 U147 runs are narrowed by words, state, server, capability and days; the filters stand in the address and last, new runs come without moving what is read', async ({ gantry, open, page }) => {
  test.setTimeout(900_000);
  const { candidates } = await fillFolder(gantry.dataDir, BRISK);
  await open();
  await go(page, '#/runs');
  const grid = page.getByRole('grid', { name: 'Runs' });
  await expect(grid).toHaveAttribute('aria-rowcount', String(RUNS + 1));
  const found = main(page).getByRole('search').getByRole('status');
  await expect(found).toHaveText(`${RUNS} of ${RUNS} fit`);
  const body = grid.getByRole('rowgroup').nth(1);
  await scrollTo(body, 36 * 1_200);
  const seen = grid.locator('[aria-rowindex="1205"]');
  const link = await seen.getByRole('link').getAttribute('href');

  // a new run above leaves what is read where it is
  await gantry.ask('calls:try', { capabilityId: candidates[0]!, input: { key: 'x' }, wait: true });
  await expect(grid).toHaveAttribute('aria-rowcount', String(RUNS + 2));
  await expect(grid.locator('[aria-rowindex="1206"]').getByRole('link')).toHaveAttribute('href', link!);
  await expect.poll(() => body.evaluate((element) => element.scrollTop)).toBe(36 * 1_201);

  for (const [filter, query] of [
    ['state=unclear', { standing: 'unclear' }],
    ['server=large&state=failed', { serverId: 'large', standing: 'failed' }],
    [`capability=${encodeURIComponent(candidates[0]!)}`, { capabilityId: candidates[0]! }],
    ['q=%E6%95%B4%E7%90%86', { words: '整理' }],
  ] as const) {
    const answer = await gantry.ask('runs:list', { ...query, offset: 0, limit: 1 });
    await go(page, `#/runs?${filter}`);
    await expect(found).toHaveText(`${answer.found} of ${RUNS + 1} fit`);
    await expect(grid).toHaveAttribute('aria-rowcount', String((answer.found ?? 0) + 1));
  }
  const day = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByLabel('From this day on').fill(day);
  await page.getByLabel('Up to this day').fill(day);
  await expect(page).toHaveURL(new RegExp(`from=${day}&to=${day}`));
  const ofDay = await gantry.ask('runs:list', { from: Date.parse(`${day}T00:00:00Z`), to: Date.parse(`${day}T00:00:00Z`) + 86_400_000, offset: 0, limit: 1 });
  await expect(found).toHaveText(`${ofDay.found} of ${RUNS + 1} fit`);
  await page.getByRole('searchbox', { name: 'Title, capability or id' }).fill('nothing such');
  await expect(page.getByText('No run fits these filters')).toBeVisible();
  await main(page).getByRole('button', { name: 'Clear the filters' }).last().click();

  // the long run: calls and events in pages, the chain whole
  await page.getByRole('searchbox', { name: 'Title, capability or id' }).fill('Reconcile');
  await page.getByRole('link', { name: LONG_RUN_TITLE }).click();
  const calls = page.getByRole('list', { name: 'Calls of this run' });
  await expect(calls.getByRole('listitem').first()).toHaveAttribute('aria-setsize', String(BRISK.longRunCalls));
  await expect(page.getByText(/chain verified, 2\d{3} events/)).toBeVisible();
  await calls.locator('..').evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  await expect(calls.locator(`[aria-posinset="${BRISK.longRunCalls}"]`).getByRole('button', { name: /^Plan/i }).first()).toBeVisible();
  // an address of a call far down in it, in a window that opens there
  const runId = (await page.evaluate(() => location.hash)).split('/').at(-1)!;
  const at = BRISK.longRunCalls - 20;
  const { calls: [meant] } = await gantry.ask('runs:calls', { runId, offset: at, limit: 1 });
  await go(page, '#/market');
  await go(page, `#/runs/${runId}/${meant!.id}`);
  const opened = calls.locator(`[aria-posinset="${at + 1}"]`).getByRole('button', { pressed: true });
  await expect(opened).toBeInViewport();
  await expect(opened).toBeFocused();
  await page.getByText('Whole run', { exact: true }).click();
  const events = page.getByRole('list', { name: 'Evidence' });
  const eventCount = async (): Promise<number> => Number(await events.getByRole('listitem').first().getAttribute('aria-setsize'));
  await expect.poll(eventCount).toBeGreaterThan(2_000);
  const lastEvent = events.locator(`[aria-posinset="${await eventCount()}"]`);
  await expect(lastEvent).toHaveCount(0);
  await scrollTo(main(page), 1e7);
  await expect(lastEvent).toBeVisible();
  expect(await main(page).getByRole('listitem').count()).toBeLessThan(160);

  await go(page, '#/runs');
  await expect(page.getByRole('searchbox', { name: 'Title, capability or id' })).toHaveValue('Reconcile');

  await go(page, '#/approvals');
  const waiting = page.getByRole('list', { name: 'Awaiting you' });
  await expect(waiting.getByRole('listitem').first()).toHaveAttribute('aria-setsize', String(BRISK.pendingApprovals));
  expect(await waiting.getByRole('listitem').count()).toBeLessThan(40);
  await expect(page.getByRole('grid', { name: 'Decided' })).toHaveAttribute('aria-rowcount', String(BRISK.decidedApprovals + 1));
  await waiting.getByRole('button', { name: /^Review/ }).first().click();
  await expect(page.getByRole('dialog')).toContainText('Exactly what will be sent');
  await page.keyboard.press('Escape');
  await go(page, '#/settings');
  const rules = page.getByRole('list', { name: 'Standing rules' }).getByRole('listitem');
  await expect(rules).not.toHaveCount(0);
  expect(await rules.count()).toBeLessThan(40);
  expect(await axeComplaints(page)).toEqual([]);

  // the filters last over a restart
  await gantry.stop();
  const address = await gantry.start(['--lang=en']);
  await page.goto('about:blank');
  await page.goto(address);
  await main(page).waitFor();
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('searchbox', { name: 'Title, capability or id' })).toHaveValue('Reconcile');
});
