import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/window.ts';

const EVERYTHING = join(dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')), 'dist', 'index.js');
const go = (page: Page, place: string): Promise<void> => page.evaluate((hash) => { location.hash = hash; }, place);

/** Requests of one name are held back on their way to the host until they are let through. */
const holdable = async (page: Page) => {
  const held: (() => void)[] = [];
  let name = '';
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const host = socket.connectToServer();
    socket.onMessage((message) => (name !== '' && String(message).includes(`"name":"${name}"`) ? held.push(() => host.send(message)) : host.send(message)));
  });
  return {
    hold: (request: string): void => { name = request; },
    /** when one is on its way */
    isHeld: (): Promise<void> => expect.poll(() => held.length).toBeGreaterThan(0),
    letGo: (): void => {
      name = '';
      for (const send of held.splice(0)) send();
    },
  };
};

test('U160 U161 the host answers late: Enter waits for the options of what was typed, or does nothing; never does it act on those of other words', async ({ gantry, open, page }) => {
  const late = await holdable(page);
  await open();
  await gantry.ask('settings:set', { onboardingDone: true });
  await gantry.ask('servers:add', { serverId: 'everything', name: 'Everything', spec: { kind: 'command', command: process.execPath, args: [EVERYTHING, 'stdio'] } });
  await gantry.ask('servers:connect', { serverId: 'everything' });
  const { capabilities } = await gantry.ask('capabilities:list', { serverId: 'everything' });
  const resources = capabilities.filter(({ kind }) => kind === 'resource').map(({ id }) => id);
  for (const { id, kind } of capabilities) if (kind !== 'tool') await gantry.ask('capabilities:review', { capabilityId: id, tier: 'read_only', admit: true });
  await gantry.ask('access:set', { principal: 'agent:default', capabilityIds: resources, allowed: true });

  // the search over everything
  await page.keyboard.press('Control+K');
  const all = page.getByRole('combobox', { name: 'Search everything' });
  await all.fill('get-sum');
  await expect(page.getByRole('option', { name: /get-sum/ }).first()).toHaveAttribute('aria-selected', 'true');
  await expect(all).toHaveAttribute('aria-activedescendant', /.+/);
  late.hold('search:find');
  await all.fill('get-tiny');
  await late.isHeld();
  await expect(all).not.toHaveAttribute('aria-activedescendant', /.+/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Search everything' })).toBeVisible();
  late.letGo();
  await expect(page.getByRole('heading', { level: 1, name: /get-tiny-image/ })).toBeVisible();

  await gantry.ask('models:set', { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', model: 'never-asked' });
  // resources for a question: one of the words before stands there and is not attached
  await go(page, '#/agent');
  await page.getByRole('button', { name: 'Attach resources' }).click();
  const panel = page.getByRole('region', { name: 'Resources to attach' });
  const search = panel.getByRole('combobox');
  await search.fill('features.md');
  await expect(panel.getByRole('option')).toHaveCount(1);
  await expect(panel.getByRole('option')).toContainText('features.md');
  late.hold('capabilities:rows');
  await search.fill('architecture.md');
  await late.isHeld();
  await expect(search).not.toHaveAttribute('aria-activedescendant', /.+/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  late.letGo();
  // what was gone to by the arrow key is none of these: nothing is attached in its place
  await expect(panel.getByRole('option')).toContainText('architecture.md');
  await expect(search).toHaveAttribute('aria-activedescendant', /.+/);
  await expect(page.getByRole('list', { name: 'Goes along with the question' })).toHaveCount(0);
  late.hold('capabilities:rows');
  await search.fill('startup.md');
  await late.isHeld();
  await page.keyboard.press('Enter');
  late.letGo();
  const chips = page.getByRole('list', { name: 'Goes along with the question' }).getByRole('listitem');
  await expect(chips).toHaveCount(1);
  await expect(chips).toContainText('startup.md');

  // a field that its server completes
  await go(page, `#/capabilities/${encodeURIComponent('mcp:everything:prompt:completable-prompt')}`);
  const department = page.getByRole('combobox', { name: 'department' });
  await department.fill('Eng');
  const option = page.getByRole('option', { name: 'Engineering', exact: true });
  await expect(option).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(department).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id'))!);
  late.hold('resources:complete');
  await department.fill('Sal');
  await expect(department).not.toHaveAttribute('aria-activedescendant', /.+/);
  await late.isHeld();
  await expect(option).toHaveAttribute('aria-disabled', 'true');
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
  await option.click({ force: true });
  await expect(department).toHaveValue('Sal');
  late.letGo();
  await expect(page.getByRole('option')).toHaveText(['Sales']);
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
  await expect(department).toHaveValue('Sales');

  // the capability of a rule
  await go(page, '#/settings/rules');
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const capability = page.getByRole('combobox', { name: 'Capability' });
  await capability.fill('get-sum');
  await expect(page.getByRole('option')).toHaveText(['mcp:everything:tool:get-sum']);
  late.hold('capabilities:rows');
  await capability.fill('get-env');
  await late.isHeld();
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
  await expect(capability).toHaveValue('get-env');
  late.letGo();
  await expect(page.getByRole('option')).toHaveText(['mcp:everything:tool:get-env']);
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
  await expect(capability).toHaveValue('mcp:everything:tool:get-env');

  // the market: Enter opens the first of what was typed
  await go(page, '#/market');
  const market = page.getByRole('searchbox', { name: 'Search the market' });
  await market.fill('filesystem');
  await expect(page.getByRole('link', { name: 'Details of Filesystem', exact: true })).toBeVisible();
  late.hold('market:browse');
  await market.fill('hello world');
  await late.isHeld();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Details of Filesystem', exact: true })).toBeVisible();
  late.letGo();
  await expect(page.getByRole('heading', { level: 1, name: /Hello World/i })).toBeVisible();
});
