import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from './support/window.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const cases = join(process.env['GANTRY_SHARED'] ?? resolve(root, '../shared'), 'cases/cases.json');

/** The full run watches the whole minute; the bound of ten is the host's own test's too (long-start.full.test.ts). */
const WATCHED_MS = process.env['GANTRY_FULL'] === '1' ? 60_000 : 8_000;

interface Event {
  readonly t: number;
  readonly msg?: { readonly method?: string };
}

test('C028 a storm of change notices costs three readings, ten in a minute, no pop-up, and the window stays usable', async ({ gantry, open }) => {
  test.skip(!existsSync(cases), '../shared/cases is absent');
  const page = await open({ script: true });
  const record = join(gantry.dataDir, 'storm.record');
  const lists = (): number[] => readFileSync(record, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Event).flatMap((event) => (event.msg?.method === 'tools/list' ? [event.t] : []));
  await gantry.ask('servers:add', { serverId: 'srv', name: 'srv', spec: { kind: 'command', command: process.execPath, args: [join(root, 'e2e/fixtures/fake-server.mjs'), cases, 'C028', 'srv'] }, env: { FAKE_MCP_RECORD: record } });
  expect(await gantry.ask('servers:connect', { serverId: 'srv' })).toEqual({ state: 'ready' });
  await gantry.ask('capabilities:review', { capabilityId: 'mcp:srv:tool:echo', tier: 'read_only', admit: true });
  await page.evaluate(() => { location.hash = '#/servers/srv'; });
  await expect(page.getByRole('heading', { name: 'srv', level: 1 })).toBeVisible();
  const popUps = page.locator('[role=dialog], [role=alert], [role=alertdialog], [data-mantine-notification], .mantine-Notification-root');
  const began = lists().length;
  const calledAt = Date.now();
  expect(await gantry.ask('calls:try', { capabilityId: 'mcp:srv:tool:echo', input: { text: 'hi' }, wait: true })).toMatchObject({ state: 'completed' });
  const seen: number[] = [];
  while (Date.now() - calledAt < WATCHED_MS) {
    seen.push(await popUps.count());
    // a person turns to another page and back
    await page.evaluate(() => { location.hash = '#/servers'; });
    await expect(page.getByRole('link', { name: 'srv' })).toBeVisible();
    await page.evaluate(() => { location.hash = '#/servers/srv'; });
    await expect(page.getByRole('heading', { name: 'srv', level: 1 })).toBeVisible();
    await page.waitForTimeout(1000);
  }
  expect(Math.max(...seen)).toBe(0);
  const after = lists().slice(began).map((t) => t - calledAt);
  // the call waits for what was announced before it (S63); then the burst
  expect(after.filter((ms) => ms < 5000).length).toBeLessThanOrEqual(3);
  expect(after.filter((ms) => ms < 60_000).length).toBeLessThanOrEqual(10);
});
