import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type { Gantry } from './support/gantry.ts';
import { expect as expectSoon, test } from './support/window.ts';

const expect = expectSoon.configure({ timeout: 90_000 });
const PLAYER = fileURLToPath(new URL('./fixtures/fake-server.mjs', import.meta.url));
const tool = (name: string) => ({ name, description: `tool ${name}`, inputSchema: { type: 'object', properties: { v: { type: 'string' } } } });

/** `good` has the tools a and b, both allowed to the agent; `bad` ends as soon as it is started; `slow` takes its time to start and to end. */
const prepare = async (gantry: Gantry): Promise<void> => {
  const servers = {
    good: { transport: 'stdio', tools: [tool('a'), tool('b')], script: [{ on: 'tools/call', do: [{ notify: { method: 'notifications/tools/list_changed' } }, { reply: { content: [] } }] }] },
    bad: { transport: 'stdio', script: [{ on: 'start', do: [{ exit: 1 }] }] },
    slow: { transport: 'stdio', tools: [tool('c')], readAfterStart: true, script: [{ on: 'start', do: [{ delayMs: 800 }] }, { on: 'stdin-eof', do: [{ delayMs: 800 }, { exit: 0 }] }] },
  };
  const file = join(gantry.dataDir, 'switches.json');
  writeFileSync(file, JSON.stringify([{ id: 'X', reproduction: { servers } }]));
  for (const serverId of Object.keys(servers)) {
    await gantry.ask('servers:add', { serverId, name: serverId, spec: { kind: 'command', command: process.execPath, args: [PLAYER, file, 'X', serverId] }, enabled: serverId !== 'bad' });
    if (serverId !== 'bad') await gantry.ask('servers:connect', { serverId });
  }
  for (const name of ['a', 'b']) await gantry.ask('capabilities:review', { capabilityId: `mcp:good:tool:${name}`, tier: 'read_only', admit: true });
  await gantry.ask('access:set', { principal: 'agent:default', serverId: 'good', allowed: true });
};

const at = async (page: Page, place: string): Promise<void> => {
  await page.goto(`${page.url().split('#')[0]}#${place}`);
};
const enabled = (page: Page, server: string) => page.getByRole('switch', { name: `${server}: enabled` });
const access = (page: Page, id: string) => page.getByRole('switch', { name: `${id}: Agent Access` });

test('C113 what was switched stays switched: in another window, after other changes, an update, a restart and a kill; beside the switch stands how it really is', async ({ gantry, open, page, context }) => {
  await open({ script: true });
  await prepare(gantry);
  const second = await context.newPage();
  const session = await page.evaluate(() => JSON.stringify(window.sessionStorage));
  await second.addInitScript((stored) => { for (const [key, value] of Object.entries(JSON.parse(stored) as Record<string, string>)) window.sessionStorage.setItem(key, value); }, session);
  await second.goto(page.url().replace(/#.*/, '#/servers'));
  await at(page, '/servers/good');
  await access(page, 'mcp:good:tool:b').press('Space');
  await expect(access(page, 'mcp:good:tool:b')).not.toBeChecked();
  await at(page, '/servers');
  await enabled(page, 'bad').press('Space');
  await enabled(page, 'slow').press('Space');

  const holds = async (window: Page): Promise<void> => {
    await at(window, '/servers');
    await expect(enabled(window, 'good')).toBeChecked();
    await expect(enabled(window, 'slow')).not.toBeChecked();
    await expect(enabled(window, 'bad')).toBeChecked();
    await expect(window.getByRole('row').filter({ has: enabled(window, 'bad') }).getByText(/process ended|kept ending/)).toBeVisible();
    await at(window, '/servers/good');
    await expect(access(window, 'mcp:good:tool:a')).toBeChecked();
    await expect(access(window, 'mcp:good:tool:b')).not.toBeChecked();
  };
  await holds(page);
  await holds(second);
  // an unrelated change, a list that is read anew, an update that leaves the definitions alone
  await gantry.ask('settings:set', { theme: 'dark' });
  await gantry.ask('servers:discover', { serverId: 'good' });
  const { fingerprint } = await gantry.ask('servers:update', { serverId: 'good', env: { MODE: 'x' } });
  expect(await gantry.ask('servers:connect', { serverId: 'good', consent: fingerprint })).toEqual({ state: 'ready' });
  await holds(page);
  await second.close();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await gantry.stop(signal);
    await page.goto(await gantry.start(['--lang=en', '--approvals=script']));
    await page.getByRole('main').waitFor();
    await holds(page);
  }
  // one that fails can be switched off, and a kill right after the click forgets nothing
  await at(page, '/servers');
  await enabled(page, 'bad').press('Space');
  await expect.poll(async () => (await gantry.ask('servers:get', { serverId: 'bad' })).server.enabled).toBe(false);
  await gantry.stop('SIGKILL');
  await page.goto(await gantry.start(['--lang=en', '--approvals=script']));
  await page.getByRole('main').waitFor();
  await at(page, '/servers');
  await expect(enabled(page, 'bad')).not.toBeChecked();
});

test('C113 a switch that is clicked faster than the host follows never steps back, and the last click counts', async ({ gantry, open, page }) => {
  await open({ script: true });
  await prepare(gantry);
  await at(page, '/servers');
  const slow = enabled(page, 'slow');
  await expect(slow).toBeChecked();
  // what the switch shows, noted at each change of the page
  await slow.evaluate((element) => {
    const seen: boolean[] = [];
    const note = (): void => {
      const { checked } = element as HTMLInputElement;
      if (seen.at(-1) !== checked) seen.push(checked);
      requestAnimationFrame(note);
    };
    note();
    (window as unknown as { seen: boolean[] }).seen = seen;
  });
  // each click changes what is shown at once, so an odd number of them ends switched off
  for (let n = 1; n <= 5; n++) {
    await slow.press('Space');
    await expect(slow).toBeChecked({ checked: n % 2 === 0 });
    // noted by the frame: on a busy machine two clicks may fall into one
    await expect.poll(() => page.evaluate(() => (window as unknown as { seen: boolean[] }).seen.length)).toBe(n + 1);
  }
  await expect.poll(async () => (await gantry.ask('servers:get', { serverId: 'slow' })).server.status).toMatchObject({ state: 'unavailable', code: 'disabled' });
  await expect(slow).not.toBeChecked();
  expect(await page.evaluate(() => (window as unknown as { seen: boolean[] }).seen)).toEqual([true, false, true, false, true, false]);

  const all = access(page, 'good');
  for (let n = 1; n <= 5; n++) {
    await all.press('Space');
    await expect(all).toBeChecked({ checked: n % 2 === 0 });
  }
  await expect.poll(async () => (await gantry.ask('capabilities:list', { serverId: 'good' })).capabilities.map((one) => one.grantedTo.length)).toEqual([0, 0]);
  await expect(all).not.toBeChecked();
});
