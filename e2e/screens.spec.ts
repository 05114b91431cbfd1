import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { axeComplaints } from './support/axe.ts';
import type { Gantry } from './support/gantry.ts';
import { goAndSettle } from './support/go.ts';
import { searchFor } from './support/keyboard.ts';
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
    `capabilities/${encodeURIComponent('mcp:rec:tool:note')}`, 'approvals', 'runs', `runs/${good.runId}`, `runs/${waiting.runId}`, 'settings', 'guide', 'help/facts', 'nowhere', `approvals/${waiting.approvalId}`,
  ];
};

const EMPTY = ['guide', 'market', 'servers', 'capabilities', 'approvals', 'questions', 'runs', 'settings'];

/** What opens over a screen: where, and by which presses. Escape has to shut it. */
interface Overlay {
  readonly name: string;
  readonly place: string;
  readonly open: (page: Page) => Promise<void>;
}

const press = (page: Page, name: RegExp): Promise<void> => page.getByRole('main').getByRole('button', { name }).first().click();

const OVERLAYS: readonly Overlay[] = [
  { name: 'search', place: 'market', open: (page) => searchFor(page, 'env') },
  { name: 'add-menu', place: 'servers', open: (page) => press(page, /^(Add a server|添加服务器)$/) },
  { name: 'more-menu', place: 'servers/everything', open: (page) => press(page, /^(More actions|更多操作)$/) },
  { name: 'logs', place: 'servers/everything', open: (page) => press(page, /^(Logs|日志)$/) },
  { name: 'quarantine', place: 'servers/everything', open: (page) => press(page, /^(Quarantine|隔离)$/) },
  { name: 'remove', place: 'servers/everything', open: async (page) => { await press(page, /^(More actions|更多操作)$/); await page.getByRole('menuitem', { name: /^(Remove|移除)$/ }).click(); } },
  { name: 'choice', place: 'capabilities', open: (page) => page.getByRole('combobox', { name: /^(Any tier|任意风险)$/ }).click() },
];

/** Sentences in Latin letters that are neither a server's words, nor code, nor the host's small print: not translated. */
const untranslated = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      if (/[a-z]{2,} [a-z]{2,} [a-z]{2,}/i.test(text) && !node.parentElement?.closest('bdi, code, pre, script, style, [lang="en"]')) found.push(text.trim().slice(0, 80));
    }
    return found;
  });

const look = async (page: Page, places: readonly string[], overlays: readonly Overlay[], name: string): Promise<void> => {
  mkdirSync(out, { recursive: true });
  const found: string[] = [];
  const judge = async (what: string, width: number): Promise<void> => {
    await page.screenshot({ path: join(out, `${name}-${width}-${what.replace(/%3A/g, '-').replace(/[^a-z0-9-]+/gi, '-').slice(0, 40)}.png`) });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (overflow > 0) found.push(`${what} at ${width}: ${overflow} px too wide`);
    if (name.startsWith('zh')) found.push(...(await untranslated(page)).map((text) => `${what}: not translated: ${text}`));
    if (width < 1280 && process.env['GANTRY_FULL'] !== '1') return;
    found.push(...(await axeComplaints(page)).map((one) => `${what} at ${width}: ${one}`));
  };
  const goTo = async (place: string): Promise<void> => {
    await goAndSettle(page, place);
  };
  for (const [width, height] of [[1280, 800], [900, 600]] as const) {
    await page.setViewportSize({ width, height });
    for (const place of places) {
      await goTo(place);
      await judge(place, width);
    }
    for (const overlay of overlays) {
      await goTo(overlay.place);
      await overlay.open(page);
      const shown = page.locator(['dialog', 'menu', 'listbox'].map((role) => `[role="${role}"]:visible`).join(', '));
      await expect(shown).not.toHaveCount(0);
      await judge(overlay.name, width);
      await page.keyboard.press('Escape');
      await expect(shown).toHaveCount(0);
    }
  }
  expect(found).toEqual([]);
};

/** Every run looks at both languages and both themes once; the full run at every pair. */
const everyRun = new Set(['en light', 'zh dark']);

for (const lang of ['en', 'zh'] as const) {
  for (const theme of ['light', 'dark'] as const) {
    if (!everyRun.has(`${lang} ${theme}`) && process.env['GANTRY_FULL'] !== '1') continue;
    test(`J05 every screen, ${lang}, ${theme}`, async ({ gantry, open, page }) => {
      test.setTimeout(1_200_000);
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await open({ lang });
      await look(page, EMPTY, [], `${lang}-${theme}-empty`);
      const places = await fill(gantry);
      await gantry.ask('settings:set', { onboardingDone: true, theme });
      await look(page, places, OVERLAYS, `${lang}-${theme}`);
    });
  }
}
