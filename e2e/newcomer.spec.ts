import { press } from './support/keyboard.ts';
import { expect, test } from './support/window.ts';

test('U140 the focus is kept when a button is busy, and goes to the heading of the step that came instead', async ({ open, page }) => {
  await open();
  await page.evaluate(() => { window.location.hash = '#/add/market/environment'; });
  await press(page, page.getByRole('button', { name: 'Show what will run' }));
  await expect(page.getByRole('heading', { level: 1, name: /will run/ })).toBeFocused();
  await press(page, page.getByRole('button', { name: /^Agree/ }));
  await press(page, page.getByRole('button', { name: 'Connect', exact: true }));
  await expect(page.getByText('mcp:environment:tool:get_versions')).toBeVisible({ timeout: 30_000 });
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  await page.evaluate(() => { window.location.hash = '#/capabilities/mcp%3Aenvironment%3Atool%3Aget_platform'; });
  await press(page, page.getByRole('button', { name: 'Try it', exact: true }));
  await expect(page.getByRole('link', { name: 'Open its run and evidence' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try it', exact: true })).toBeFocused();
});

test('U141 the next step leads to its switch on the page that is open already; after the last one stands the way on', async ({ gantry, open, page }) => {
  await open();
  const { serverId } = await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('servers:connect', { serverId });
  await page.evaluate(() => { window.location.hash = '#/servers/environment'; });
  await expect(page.getByText('mcp:environment:tool:get_versions')).toBeAttached();
  await page.getByRole('link', { name: /^Next: Allow the agent/ }).click();
  const first = page.getByRole('switch', { name: /Agent Access/ }).first();
  await expect(first).toBeFocused();
  await expect(first).toBeInViewport();

  await page.evaluate(() => { window.location.hash = '#/market'; });
  await page.getByRole('button', { name: 'Add your own' }).click();
  await page.getByRole('menuitem', { name: 'Add a command' }).click();
  await expect(page.getByRole('heading', { name: 'Add a command of your own' })).toBeVisible();
});
