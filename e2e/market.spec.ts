import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type { CatalogFile } from '../shared/market.ts';
import { LocalRegistry } from './fixtures/local-registry.ts';
import { publishApp } from './fixtures/published-app.ts';
import { axeComplaints } from './support/axe.ts';
import { goAndSettle } from './support/go.ts';
import { expect, test } from './support/window.ts';

const out = fileURLToPath(new URL('./out/market', import.meta.url));
const entryOf = (id: string): CatalogFile => JSON.parse(readFileSync(new URL(`../assets/catalog/${id}.json`, import.meta.url), 'utf8')) as CatalogFile;
const APP = 'hello-world';
const { spec, name } = entryOf(APP);
if (spec.kind !== 'npm' || spec.version === undefined) throw new Error('the journey needs an npm entry without inputs');
const { package: packageName, version: newest } = spec;

const go = (page: Page, place: string): Promise<void> => page.evaluate((hash) => { location.hash = hash; }, place);
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search the market' });
const status = (page: Page) => page.getByRole('main').getByRole('status').filter({ hasText: 'apps' });

test('J30 an app is searched for, narrowed to, opened, its installation stopped, then let through, and shown as installed', async ({ gantry, open, page }) => {
  const registry = await LocalRegistry.start();
  try {
    publishApp(registry, packageName, newest);
    registry.behave(packageName, 'stalls');
    await open({ env: { npm_config_registry: registry.url, npm_config_fetch_retries: '0' } });
    await page.getByRole('link', { name: 'Market', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /\d+ apps, \d+ reviewed by us/ }).waitFor();

    // `/` from anywhere on the page, a typo, and the answer says how many
    await page.locator('body').press('/');
    await expect(search(page)).toBeFocused();
    await page.keyboard.type(name.toLowerCase().replace('world', 'wrold'));
    await expect(page.getByRole('link', { name: `Details of ${name}` })).toBeVisible();
    await expect(status(page)).toHaveText(/^\d+ of \d+ apps$/);
    await page.keyboard.press('Escape');
    await expect(search(page)).toHaveValue('');

    await page.getByRole('checkbox', { name: /^npm \d+$/ }).check();
    await page.getByRole('checkbox', { name: /^nothing \d+$/ }).check();
    // the count beside a ticked value is what it leaves
    const counted = /\d+$/.exec(await page.locator('label', { hasText: /^npm \d+$/ }).innerText())?.[0];
    await expect(status(page)).toHaveText(new RegExp(`^${counted} of \\d+ apps$`));
    await search(page).fill(name);

    // down into the cards, open by Enter
    await search(page).press('ArrowDown');
    await expect(page.getByRole('link', { name: `Details of ${name}` })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await expect(page.getByText(`‹program of ${packageName}@${newest}›`)).toBeVisible();

    await page.getByRole('link', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Show what will run' }).click();
    await page.getByRole('button', { name: 'Agree and install' }).click();
    await registry.untilStalled();
    // left on its way, it is seen and stopped from the app's page
    await go(page, `#/market/${APP}`);
    await expect(page.getByRole('status').filter({ hasText: 'Being installed.' })).toBeVisible();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(page.getByText('Being installed.')).toHaveCount(0);
    expect((await gantry.ask('servers:list', {})).servers).toEqual([]);

    registry.behave(packageName, 'good');
    await page.getByRole('link', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Show what will run' }).click();
    await page.getByRole('button', { name: 'Agree and install' }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    const { servers } = await gantry.ask('servers:list', {});
    await go(page, `#/market/${APP}`);
    await expect(page.getByText(`Version ${newest} is installed as ${servers[0]!.id}`)).toBeVisible();
    await expect(page.getByText(new RegExp(`[kM]?B here, as ${servers[0]!.id}`))).toBeVisible();

    // the list is as it was left, after a restart too
    await go(page, '#/market');
    await expect(search(page)).toHaveValue(name);
    await expect(page.getByRole('checkbox', { name: /^npm/ })).toBeChecked();
    await expect(page.getByRole('listitem').filter({ hasText: name }).getByText('installed', { exact: true })).toBeVisible();
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('kind=npm');
    await expect.poll(async () => (await gantry.ask('settings:get', {})).settings.marketFilters).toContain('kind=npm');
    await gantry.stop();
    const address = await gantry.start([], { npm_config_registry: registry.url });
    await page.goto('about:blank');
    await page.goto(address);
    await go(page, '#/market');
    await expect(search(page)).toHaveValue(name);
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await expect(page.getByRole('checkbox', { name: /^npm/ })).not.toBeChecked();
  } finally {
    await registry.close();
  }
});

test('J31 a newer version in the catalog is offered, its change shown, and nothing runs before a new consent', async ({ gantry, open, page }) => {
  const registry = await LocalRegistry.start();
  try {
    publishApp(registry, packageName, newest);
    publishApp(registry, packageName, '0.0.1');
    await open({ env: { npm_config_registry: registry.url, npm_config_fetch_retries: '0' } });
    const { serverId } = await gantry.ask('servers:add', { spec: { kind: 'npm', package: packageName, version: '0.0.1' }, marketEntryId: APP });
    await gantry.ask('servers:connect', { serverId });
    await go(page, '#/market?presence=update');
    await expect(page.getByText('update available', { exact: true }).last()).toBeVisible();
    await page.getByRole('link', { name: `Details of ${name}` }).click();
    await page.getByRole('link', { name: 'See the update' }).click();
    const notice = page.getByRole('region', { name: `Version ${newest} is in the catalog.` });
    await expect(notice.getByText(`${packageName}@0.0.1`)).toBeVisible();
    await expect(notice.getByText(`${packageName}@${newest}`)).toBeVisible();
    await notice.getByRole('button', { name: 'Update', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Would run now' })).toBeVisible();
    await expect(notice).toHaveCount(0);
    const { server } = await gantry.ask('servers:get', { serverId });
    expect([server.installation?.version, server.code]).toEqual([newest, 'consent_required']);
    await page.getByRole('button', { name: /^Agree/ }).click();
    await expect(page.getByText(`mcp:${serverId}:tool:greet`)).toBeVisible();
  } finally {
    await registry.close();
  }
});

test('J32 a withdrawn app says so on its page, before it is added, and on the page of its server', async ({ gantry, open, page }) => {
  const registry = await LocalRegistry.start();
  try {
    const withdrawn = entryOf('github-archived');
    if (withdrawn.spec.kind !== 'npm') throw new Error('an npm entry');
    publishApp(registry, withdrawn.spec.package, withdrawn.spec.version!);
    await open({ env: { npm_config_registry: registry.url } });
    await go(page, '#/market?q=github&standing=withdrawn');
    await page.getByRole('link', { name: `Details of ${withdrawn.name}` }).click();
    await expect(page.getByRole('note').filter({ hasText: 'Withdrawn by its publisher' })).toContainText(withdrawn.withdrawn!.reason.en.slice(0, 30));
    await expect(page.getByRole('link', { name: 'Add all the same' })).toBeVisible();
    await expect(page.getByRole('link', { name: `Use ${withdrawn.withdrawn!.instead} instead` })).toBeVisible();
    const { serverId } = await gantry.ask('servers:add', { spec: withdrawn.spec, marketEntryId: withdrawn.id, acceptWithdrawn: true });
    await go(page, `#/servers/${serverId}`);
    await expect(page.getByRole('note').filter({ hasText: 'This app was withdrawn by its publisher' })).toBeVisible();
  } finally {
    await registry.close();
  }
});

test('J33 what cannot start here says so before the click, with the remedy; what nobody connected is unverified; no match says what to do', async ({ gantry, open, page }) => {
  await open({ env: { PATH: join(gantry.dataDir, 'nothing') } });
  await go(page, '#/market?kind=pypi');
  await expect(page.getByText('needs uvx').first()).toBeVisible();
  await go(page, '#/market/time');
  await expect(page.getByRole('note').filter({ hasText: 'uvx is not on this computer' })).toContainText('docs.astral.sh/uv');
  await expect(page.getByRole('link', { name: 'Add', exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible();
  await go(page, '#/market/linear');
  await expect(page.getByText('Unverified.', { exact: true })).toBeVisible();
  await expect(page.getByText('Not known: nobody here has connected this app yet.')).toBeVisible();
  await go(page, '#/market?q=nothinglikethis');
  await expect(page.getByText('No app fits')).toBeVisible();
  for (const way of ['Add an npm package', 'Add a command', 'Add a remote address']) await expect(page.getByRole('main').getByRole('link', { name: way })).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and filters' }).last().click();
  await expect(search(page)).toBeFocused();
  await expect(page.getByText('No app fits')).toHaveCount(0);
});

test('J34 the arrow keys go through the whole list, drawn as it comes into sight; a card that is read slowly takes the focus from the one before, which has it so long', async ({ open, page }) => {
  let isSlow = false;
  const held: (() => void)[] = [];
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const host = socket.connectToServer();
    socket.onMessage((message) => (isSlow && String(message).includes('market:browse') ? held.push(() => host.send(message)) : host.send(message)));
  });
  await open();
  await page.setViewportSize({ width: 1280, height: 800 });
  await go(page, '#/market');
  const total = Number(/^\d+/.exec(await status(page).innerText())?.[0]);
  expect(await page.getByRole('main').getByRole('link', { name: /^Details of/ }).count()).toBeLessThan(total);
  await search(page).press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  const focused = () => page.evaluate(() => [document.activeElement?.closest('li')?.getAttribute('aria-posinset'), document.activeElement?.closest('li')?.getAttribute('aria-setsize')]);
  await expect.poll(focused).toEqual(['5', String(total)]);
  isSlow = true;
  await page.keyboard.press('End');
  await expect(page.locator(`[data-card="${total - 1}"][aria-busy="true"]`)).toBeInViewport();
  expect(await focused()).toEqual(['5', String(total)]);
  isSlow = false;
  for (const send of held.splice(0)) send();
  await expect.poll(focused).toEqual([String(total), String(total)]);
  await expect(page.locator(`[data-card="${total - 1}"] a`)).toBeInViewport();
  await page.keyboard.press('Home');
  await expect.poll(focused).toEqual(['1', String(total)]);
  await page.keyboard.press('Escape');
  await expect(search(page)).toBeFocused();
});

/** Empty, loading, failed and full, for eyes; axe looks at each. */
for (const [lang, theme] of [['en', 'light'], ['zh', 'dark'], ['en', 'dark'], ['zh', 'light']] as const) {
  if (process.env['GANTRY_FULL'] !== '1' && (lang === 'en') !== (theme === 'light')) continue;
  test(`J35 the market in every state, ${lang}, ${theme}`, async ({ gantry, open, page }) => {
    test.setTimeout(1_200_000);
    mkdirSync(out, { recursive: true });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await open({ lang });
    await gantry.ask('settings:set', { onboardingDone: true, theme });
    await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
    const found: string[] = [];
    const places = ['market?', 'market?q=git', 'market?q=%E6%B5%8F%E8%A7%88%E5%99%A8&sort=name', 'market?q=nothinglikethis', 'market?presence=installed', 'market/filesystem', 'market/time', 'market/linear', 'market/github-archived', 'market/environment', 'market/nosuchapp'];
    for (const [width, height] of [[1280, 800], [900, 600]] as const) {
      await page.setViewportSize({ width, height });
      for (const place of places) {
        await goAndSettle(page, place);
        await page.screenshot({ path: join(out, `${lang}-${theme}-${width}-${place.replace(/[^a-z]+/gi, '-').slice(0, 40)}.png`) });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        if (overflow > 0) found.push(`${place} at ${width}: ${overflow} px too wide`);
        if (width < 1280 && process.env['GANTRY_FULL'] !== '1') continue;
        found.push(...(await axeComplaints(page)).map((one) => `${place} at ${width}: ${one}`));
      }
    }
    expect(found).toEqual([]);
  });
}
