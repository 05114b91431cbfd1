import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { Gantry } from './support/gantry.ts';
import { expect, test } from './support/window.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const recording = fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url));
const out = fileURLToPath(new URL('./out/screens', import.meta.url));

/** A folder with one of each: a ready app, one that failed, calls that ended well and badly, one that waits. */
const fill = async (gantry: Gantry): Promise<readonly string[]> => {
  await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('servers:connect', { serverId: 'environment' });
  await gantry.ask('access:set', { principal: 'agent:default', serverId: 'environment', allowed: true });
  await gantry.ask('servers:add', { serverId: 'everything', name: 'Everything', spec: { kind: 'command', command: process.execPath, args: [everything, 'stdio'] } });
  await gantry.ask('servers:connect', { serverId: 'everything' });
  await gantry.ask('servers:add', { serverId: 'rec', name: 'Recorder', spec: { kind: 'command', command: process.execPath, args: [recording] }, env: { RECORD_FILE: join(gantry.dataDir, 'r.jsonl') } });
  await gantry.ask('servers:connect', { serverId: 'rec' });
  await gantry.ask('servers:add', { serverId: 'missing', name: 'Missing', spec: { kind: 'command', command: 'no-such-command-here' } });
  await gantry.ask('servers:connect', { serverId: 'missing' });
  const good = await gantry.ask('calls:try', { capabilityId: 'mcp:environment:tool:get_versions', input: {}, wait: true });
  await gantry.ask('calls:try', { capabilityId: 'mcp:environment:tool:get_environment_fact', input: { name: 'nothing such' }, wait: true });
  const waiting = await gantry.ask('calls:try', { capabilityId: 'mcp:rec:tool:note', input: { text: 'Q3 notes\n\nRevenue grew in two of three regions; the third waits for the audit.' }, wait: false });
  return [
    'market', 'market/filesystem', 'add/npm', 'servers', 'servers/environment', 'servers/missing', 'servers/everything/configure', 'capabilities',
    `capabilities/${encodeURIComponent('mcp:rec:tool:note')}`, 'approvals', 'runs', `runs/${good.runId}`, `runs/${waiting.runId}`, 'settings', 'guide', 'nowhere', `approvals/${waiting.approvalId}`,
  ];
};

const EMPTY = ['guide', 'market', 'servers', 'capabilities', 'approvals', 'runs', 'settings'];

const look = async (page: Page, places: readonly string[], name: string): Promise<void> => {
  mkdirSync(out, { recursive: true });
  const found: string[] = [];
  for (const [width, height] of [[1280, 800], [900, 600]] as const) {
    await page.setViewportSize({ width, height });
    // an open approval stays until it is decided or put off
    await page.getByRole('dialog').getByRole('button', { name: /Decide later|稍后/ }).click({ timeout: 1000 }).catch(() => undefined);
    for (const place of places) {
      await page.evaluate((hash) => { window.location.hash = `#/${hash}`; }, place);
      await page.waitForTimeout(400);
      const file = place.replace(/%3A/g, '-').replace(/[^a-z0-9-]+/gi, '-').slice(0, 40);
      await page.screenshot({ path: join(out, `${name}-${width}-${file}.png`) });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (overflow > 0) found.push(`${place} at ${width}: ${overflow} px too wide`);
      if (width !== 1280) continue;
      const { violations } = await new AxeBuilder({ page }).analyze();
      found.push(...violations.map((v) => `${place}: ${v.id} (${v.nodes.length}) ${v.nodes[0]?.target.join(' ')}`));
    }
  }
  expect(found).toEqual([]);
};

for (const lang of ['en', 'zh'] as const) {
  for (const theme of ['light', 'dark'] as const) {
    test(`J05 every screen, ${lang}, ${theme}`, async ({ gantry, open, page }) => {
      test.setTimeout(300_000);
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await open({ lang });
      await look(page, EMPTY, `${lang}-${theme}-empty`);
      const places = await fill(gantry);
      await gantry.ask('settings:set', { onboardingDone: true, theme });
      await look(page, places, `${lang}-${theme}`);
    });
  }
}
