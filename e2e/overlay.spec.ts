import type { Page } from '@playwright/test';
import { axeComplaints } from './support/axe.ts';
import { goByLetters, searchFor } from './support/keyboard.ts';
import { expect, test } from './support/window.ts';

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const option = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('option', { name });

test('U09 one field finds everything by keyboard alone, and what was chosen comes first next time, after a restart too', async ({ gantry, open, page }) => {
  await open();
  const { serverId } = await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('servers:connect', { serverId });
  const { invocationId } = await gantry.ask('calls:try', { capabilityId: 'mcp:environment:tool:get_platform', input: {}, wait: true });
  const search = async (typed: string): Promise<void> => {
    await page.keyboard.press('Control+K');
    await expect(page.getByRole('combobox', { name: 'Search everything' })).toBeFocused();
    await page.keyboard.type(typed);
  };

  // a typo in a tool's name; Enter before the answer waits for it
  await search('get_platfrom');
  await page.keyboard.press('Enter');
  await heading(page, /get_platform/).waitFor();
  await expect(page.getByRole('main')).toBeFocused();

  // Chinese in an English window, a part of the settings
  await search('密钥');
  await expect(option(page, /^Secrets\s*Settings/)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Secrets' })).toBeFocused();

  // a market entry, reached by the arrow keys; what is active is told to a screen reader
  await search('hello world');
  await expect(option(page, /Hello World/i).first()).toBeVisible();
  for (let at = 0; at < 12; at += 1) {
    const active = await page.getByRole('combobox').getAttribute('aria-activedescendant');
    const chosen = page.locator(`[id="${active}"]`);
    await expect(chosen).toHaveAttribute('aria-selected', 'true');
    if (/Hello World/i.test(await chosen.innerText())) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await heading(page, /Hello World/i).waitFor();

  // the beginning of the id of a call opens its run with that call
  await search(invocationId.slice(0, 18));
  await expect(option(page, new RegExp(invocationId))).toBeVisible();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => location.hash)).toContain(invocationId);

  // an action; left by Escape the focus goes back
  await page.getByRole('link', { name: 'Market', exact: true }).focus();
  await search('switch to the dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await search('');
  await expect(page.getByRole('dialog').getByRole('group').first()).toHaveAccessibleName('Chosen lately');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await gantry.stop();
  const address = await gantry.start();
  await page.goto('about:blank');
  await page.goto(address);
  await page.getByRole('main').waitFor();
  await search('');
  await expect(page.getByRole('dialog').getByRole('group', { name: 'Chosen lately' }).getByRole('option').filter({ hasText: 'get_platform' }).first()).toBeVisible();
  expect(await axeComplaints(page)).toEqual([]);
});

test('U90 keys go between pages, into the search and through the lists; none while writing, none over a dialog, all of them listed', async ({ gantry, open, page }) => {
  await open();
  const { serverId } = await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('servers:connect', { serverId });
  const place = (): Promise<string> => page.evaluate(() => location.hash.split('?')[0]!);
  await heading(page, /./).waitFor();
  await goByLetters(page, 'c', '#/capabilities');
  await page.getByRole('grid').locator('[data-row]').first().waitFor();
  await page.keyboard.press('j');
  await expect(page.locator('[data-row="0"]')).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(page.locator('[data-row="1"]')).toBeFocused();

  // in a field the same letters are letters
  await page.keyboard.press('/');
  await page.keyboard.type('gsjk?/');
  await expect(page.locator('#main [data-page-search]')).toHaveValue('gsjk?/');
  await expect.poll(place).toBe('#/capabilities');
  await page.locator('#main [data-page-search]').fill('');

  // over a dialog nothing acts but what is its own
  await page.keyboard.press('Control+/');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.waitFor();
  await keys.getByRole('button').first().focus();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('combobox', { name: 'Search everything' })).toHaveCount(0);
  await expect.poll(place).toBe('#/capabilities');
  expect(await axeComplaints(page)).toEqual([]);

  // letters can be switched off; chords stay
  await keys.getByRole('switch').click();
  await expect(keys.getByRole('switch')).not.toBeChecked();
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
  await page.getByRole('main').focus();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Search everything' }).waitFor();
  await expect.poll(place).toBe('#/capabilities');
});

test('U92 with an approval waiting, no key of the window opens it, answers it or takes it from under the hands', async ({ gantry, open, page }) => {
  await open();
  const { serverId } = await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('servers:connect', { serverId });
  const capabilityId = 'mcp:environment:tool:get_platform';
  await gantry.ask('capabilities:review', { capabilityId, tier: 'high_write', admit: true });
  const { state } = await gantry.ask('calls:try', { capabilityId, input: {} });
  expect(state).toBe('awaiting_approval');
  await page.getByRole('button', { name: 'Review', exact: true }).waitFor();
  for (const key of ['g', 'm', 'j', 'k', '/', 'Escape', 'g', 'r', 'j', '?', 'Enter', 'a', 'y', 'Control+/', 'Escape', 'Escape', 'Control+K', 'Escape']) await page.keyboard.press(key);
  const { approvals } = await gantry.ask('approvals:list', {});
  expect(approvals.map((one) => one.state)).toEqual(['pending']);
  // an Escape that came before the search was drawn has nothing to close
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('combobox', { name: 'Search everything' })).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  // the search finds it and opens it; there nothing is chosen, and Ctrl-K does nothing
  await searchFor(page, 'decide');
  await expect(option(page, /Decide: get_platform/)).toBeVisible();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /get_platform/ });
  await dialog.waitFor();
  await page.keyboard.press('Control+K');
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page.getByRole('combobox', { name: 'Search everything' })).toHaveCount(0);
  await expect(dialog).toBeVisible();
  expect((await gantry.ask('approvals:list', {})).approvals[0]?.state).toBe('pending');
});
