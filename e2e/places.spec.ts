import type { Page } from '@playwright/test';
import { expect, test } from './support/window.ts';

const go = (page: Page, place: string): Promise<void> => page.evaluate((hash) => { location.hash = hash; }, place);
const hash = (page: Page): Promise<string> => page.evaluate(() => location.hash);

test('U80 the filters of the capabilities stand in the address, come back with Back and a deep link, and last over a restart', async ({ gantry, open, page }) => {
  await open();
  const { serverId } = await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('servers:connect', { serverId });
  const words = page.getByRole('textbox', { name: 'Name or description' });
  const rows = page.getByRole('grid').locator('[data-row]');
  await go(page, '#/capabilities');
  await words.fill('get_platform');
  await expect(rows).toHaveCount(1);
  await expect.poll(() => hash(page)).toBe('#/capabilities?q=get_platform');

  await page.getByRole('link', { name: /get_platform/ }).click();
  await page.getByRole('heading', { level: 1, name: /get_platform/ }).waitFor();
  await page.goBack();
  await expect(words).toHaveValue('get_platform');

  // another address of the same page narrows anew; one that does not say leaves the list as it is
  await go(page, '#/capabilities?q=get_versions');
  await expect(words).toHaveValue('get_versions');
  await page.goBack();
  await expect(words).toHaveValue('get_platform');
  await page.getByRole('link', { name: 'Capabilities', exact: true }).first().click();
  await expect(words).toHaveValue('get_platform');
  await expect.poll(() => hash(page)).toBe('#/capabilities?q=get_platform');

  // left in the same moment as it was typed
  await words.fill('get_');
  await go(page, '#/servers');
  await expect.poll(async () => (await gantry.ask('settings:get', {})).settings.capabilitiesFilters).toBe('q=get_');
  await gantry.stop();
  const address = await gantry.start();
  await page.goto('about:blank');
  await page.goto(address);
  await go(page, '#/capabilities');
  await expect(words).toHaveValue('get_');
});

test('U93 U94 a window opens where the last one was; what is gone meanwhile says so and leads to its list', async ({ gantry, open, page }) => {
  await open();
  const { serverId } = await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('settings:set', { onboardingDone: true });
  await go(page, `#/servers/${serverId}`);
  await expect.poll(async () => (await gantry.ask('settings:get', {})).settings.lastPlace).toBe(`#/servers/${serverId}`);
  await gantry.stop();
  let address = await gantry.start();
  await page.goto('about:blank');
  await page.goto(address);
  await page.getByRole('heading', { level: 1, name: 'Environment' }).waitFor();
  await expect.poll(() => hash(page)).toBe(`#/servers/${serverId}`);

  await gantry.ask('servers:remove', { serverId });
  await gantry.stop();
  address = await gantry.start();
  await page.goto('about:blank');
  await page.goto(address);
  await page.getByRole('heading', { level: 1, name: 'This server is not here any more' }).waitFor();
  await page.getByRole('link', { name: 'All servers' }).click();
  await expect.poll(() => hash(page)).toBe('#/servers');
  await go(page, '#/market/none');
  await page.getByRole('heading', { level: 1, name: 'There is no such app in the catalog' }).waitFor();
  await expect(page.getByRole('link', { name: 'All apps' })).toBeVisible();
  for (const [place, way] of [['#/servers/none/configure', 'To all servers'], ['#/capabilities/mcp:none:tool:none', 'To all capabilities'], ['#/runs/none', 'To all runs']] as const) {
    await go(page, place);
    await expect(page.getByRole('heading', { level: 1, name: /This no longer exists/ })).toBeVisible();
    await expect(page.getByRole('link', { name: way })).toBeVisible();
  }
});

test('U146 U80 the servers are narrowed by words, state and access; the filters stand in the address, come back with it and last over a restart', async ({ gantry, open, page }) => {
  await open();
  await gantry.ask('settings:set', { onboardingDone: true });
  await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('servers:add', { serverId: 'own', name: 'Own tools', spec: { kind: 'command', command: process.execPath, args: ['/srv/own-tools.mjs'] }, enabled: false, consent: false });
  await go(page, '#/servers');
  const table = page.getByRole('main').getByRole('table');
  const found = page.getByRole('search', { name: 'Narrow the servers' }).getByRole('status');
  const words = page.getByRole('searchbox', { name: 'Name, package, command or address' });
  await expect(found).toHaveText('2 of 2 fit');
  await page.keyboard.press('/');
  await page.keyboard.type('own-tools');
  await expect(found).toHaveText('1 of 2 fit');
  await expect(table.getByRole('link', { name: 'Own tools' })).toBeVisible();
  await expect(table.getByRole('link', { name: 'Environment' })).toHaveCount(0);
  await expect.poll(() => hash(page)).toBe('#/servers?q=own-tools');
  await words.fill('nothing such');
  await expect(page.getByText('No server fits')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Clear the filters' }).last().click();
  await expect(found).toHaveText('2 of 2 fit');

  await page.getByLabel('State', { exact: true }).selectOption({ label: 'Switched off (1)' });
  await expect(table.getByRole('link')).toHaveText(['Own tools']);
  await page.getByLabel('Agent Access', { exact: true }).selectOption({ label: 'Agent may use some' });
  await expect(page.getByText('No server fits')).toBeVisible();
  await go(page, '#/servers?access=none&state=disabled');
  await expect(table.getByRole('link')).toHaveText(['Own tools']);
  await expect.poll(async () => (await gantry.ask('settings:get', {})).settings.serversFilters).toBe('state=disabled&access=none');
  await gantry.stop();
  const address = await gantry.start();
  await page.goto('about:blank');
  await page.goto(address);
  await go(page, '#/servers');
  await expect(found).toHaveText('1 of 2 fit');
});

test('U155 a part of the window that cannot be fetched says so in its place and is there after the window was loaded again', async ({ open, page }) => {
  await open();
  const parts = /\/assets\/RunsPage[^/]*\.(js|css)$/;
  await page.route(parts, (route) => route.abort('connectionrefused'));
  await go(page, '#/runs');
  const told = page.getByRole('main').getByRole('alert');
  await expect(told).toContainText('This part of the window could not be loaded.');
  await go(page, '#/servers');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await go(page, '#/runs');
  await expect(told).toBeVisible();
  await page.unroute(parts);
  await told.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('main').getByText('Nothing has run yet').or(page.getByRole('main').getByRole('table'))).toBeVisible();
});
