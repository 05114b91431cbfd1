import { mkdirSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { resources } from '../../renderer/i18n/resources.ts';
import type { Gantry } from './gantry.ts';
import { GUIDE_PICTURES, type GuidePicture } from './guide-pictures.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const TOOL = 'mcp:environment:tool:get_versions';

/** The main job as the guide tells it; each picture goes to `folder`. What is of the machine it runs on (paths, the system's version) is shown as an installed Gantry would. */
export const walkForPictures = async (page: Page, gantry: Gantry, language: 'en' | 'zh', folder: string): Promise<readonly GuidePicture[]> => {
  const words = resources[language];
  const taken: GuidePicture[] = [];
  const cdp = await page.context().newCDPSession(page);
  mkdirSync(folder, { recursive: true });
  const goTo = async (hash: string): Promise<void> => {
    await page.evaluate((to) => { window.location.hash = to; }, hash);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  };
  const button = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).first().click();
  const take = async (name: GuidePicture): Promise<void> => {
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await page.mouse.move(640, 795);
    await page.waitForTimeout(400);
    await page.evaluate((places) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.textContent ?? '';
        const shown = places.reduce((now, [from, to]) => now.replaceAll(from!, to!), text);
        if (shown !== text) node.textContent = shown;
      }
    }, [[release(), '6.8.0'], [process.execPath, '/opt/Gantry/node'], [root, '/opt/Gantry'], [gantry.dataDir, '/home/ann/.local/share/gantry']]);
    const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
    writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
    taken.push(name);
  };

  await page.setViewportSize({ width: 1280, height: 800 });
  await goTo('#/guide');
  await take('first-steps');
  await gantry.ask('settings:set', { onboardingDone: true, theme: 'light', proxyMode: 'manual', proxyAddress: 'http://proxy.example:3128', npmRegistry: 'https://npm.example/' });
  await goTo('#/market');
  await expect(page.locator('[data-card]').first()).toBeVisible();
  await take('market');
  await goTo('#/import');
  await take('import');
  await goTo('#/settings/network');
  await page.locator('[data-section="network"]').scrollIntoViewIfNeeded();
  await take('network');

  await goTo('#/add/market/environment');
  await button(words.servers.add.next);
  await page.getByText('server.mjs').first().waitFor();
  await take('consent');
  await button(words.servers.consent.agree);
  await button(words.servers.next.connect);
  const access = page.getByRole('switch', { name: words.servers.capabilities.accessOf.replace('{{id}}', TOOL) });
  await access.click({ force: true, timeout: 60_000 });
  await expect(access).toBeChecked();
  await take('server');

  await goTo(`#/capabilities/${encodeURIComponent(TOOL)}`);
  await button(words.tryout.run);
  await page.getByText(words.parts.result.class.ok).waitFor();
  await page.getByRole('link', { name: words.tryout.evidence }).scrollIntoViewIfNeeded();
  await take('try');

  // a rule makes this read-only tool ask, so that the dialog is seen
  await goTo('#/guide');
  await button(words.guide.ask.do.replace('{{name}}', 'get_versions'));
  await page.getByText(words.guide.ask.asks.replace('{{name}}', 'get_versions')).waitFor();
  await goTo(`#/capabilities/${encodeURIComponent(TOOL)}`);
  await button(words.tryout.run);
  await expect(page.getByRole('dialog').getByRole('button', { name: words.approvals.approve_once })).toBeEnabled();
  await take('approval');
  await page.getByRole('dialog').getByRole('button', { name: words.approvals.approve_once }).click();
  await page.getByRole('link', { name: words.tryout.evidence }).click();
  await page.getByRole('button', { name: words.runs.chain.again }).waitFor();
  await take('run');
  expect(taken).toEqual([...GUIDE_PICTURES]);
  return taken;
};
