import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type { Gantry } from './support/gantry.ts';
import { expect as expectSoon, test } from './support/window.ts';

const expect = expectSoon.configure({ timeout: 90_000 });
const PLAYER = fileURLToPath(new URL('./fixtures/fake-server.mjs', import.meta.url));
const HEARTBEATS = 50_000;
const echo = { name: 'echo', description: 'fixture echo tool', inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } };

const residentMiB = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

/** A server that says how it started, floods, fails once in the middle of the flood, and repeats one line at its end. */
const addFlood = async (gantry: Gantry): Promise<void> => {
  const beat = { repeat: HEARTBEATS / 2, do: [{ stderr: '2026-01-01 INFO heartbeat {{n}} {{fill:x:80}}\n' }] };
  const script = [{ on: 'tools/call', match: { params: { arguments: { text: 'flood' } } }, do: [beat, { stderr: 'TypeError: the cause of it all\n' }, beat, { repeat: 500, do: [{ stderr: 'still here\n' }] }, { reply: { content: [{ type: 'text', text: 'over' }] } }] }, { on: 'start', do: [{ stderr: 'Flood server listening\n' }] }];
  const file = join(gantry.dataDir, 'flood.json');
  writeFileSync(file, JSON.stringify([{ id: 'X', reproduction: { servers: { srv: { transport: 'stdio', tools: [echo], script } } } }]));
  await gantry.ask('servers:add', { serverId: 'flood', spec: { kind: 'command', command: process.execPath, args: [PLAYER, file, 'X', 'srv'] } });
  await gantry.ask('servers:connect', { serverId: 'flood' });
  await gantry.ask('capabilities:review', { capabilityId: 'mcp:flood:tool:echo', tier: 'read_only', admit: true, callClass: 'slow_read' });
};

const openLogs = async (page: Page) => {
  await page.goto(`${page.url().split('#')[0]}#/servers/flood`);
  await page.getByRole('button', { name: 'Logs' }).first().click();
  const logs = page.getByRole('dialog', { name: /Logs of/ });
  await logs.getByRole('region', { name: 'Log lines' }).waitFor();
  return logs;
};

test('C115 a flood of log lines leaves the window usable, loses neither the start nor the failure, and costs the host no memory', async ({ gantry, open, page }) => {
  await open({ script: true });
  await addFlood(gantry);
  const logs = await openLogs(page);
  const find = logs.getByRole('textbox', { name: 'Find in these lines' });
  // a warm host: what it needs anyway is there before the flood
  await gantry.ask('calls:try', { capabilityId: 'mcp:flood:tool:echo', input: { text: 'hi' }, wait: true });
  const before = process.platform === 'linux' ? residentMiB(gantry.pid) : 0;
  let over = false;
  const flood = gantry.ask('calls:try', { capabilityId: 'mcp:flood:tool:echo', input: { text: 'flood' }, wait: true }).finally(() => (over = true));
  // everything typed while it floods arrives, and the list is drawn from a few rows
  let typed = 0;
  let most = 0;
  while (!over) {
    await find.fill(`heartbeat ${typed}`);
    expect(await find.inputValue()).toBe(`heartbeat ${typed}`);
    await find.fill('');
    most = Math.max(most, await logs.locator('[data-source]').count());
    typed++;
  }
  expect(await flood).toMatchObject({ state: 'completed', class: 'ok' });
  expect(typed).toBeGreaterThan(0);
  expect(most).toBeLessThan(200);
  await expect(logs.getByText('500 times', { exact: true })).toBeVisible();
  await expect(logs.getByText(/older lines were dropped/)).toBeVisible();

  const held = await gantry.ask('servers:logs', { serverId: 'flood' });
  expect(held.lines.length).toBeLessThanOrEqual(2200);
  expect(held.lines.reduce((sum, line) => sum + line.text.length, 0)).toBeLessThanOrEqual(608 * 1024);
  expect(held.droppedLines + held.lines.reduce((sum, line) => sum + (line.count ?? 1), 0)).toBe(HEARTBEATS + 502);
  if (process.platform === 'linux') expect(residentMiB(gantry.pid) - before).toBeLessThan(50);

  // what a person looks for is found, in this window and in one that is opened afterwards
  for (const again of [false, true]) {
    if (again) await page.reload();
    const now = again ? await openLogs(page) : logs;
    for (const words of ['Flood server listening', 'TypeError: the cause of it all']) {
      await now.getByRole('textbox', { name: 'Find in these lines' }).fill(words.slice(0, 18).toUpperCase());
      await expect(now.getByText(words)).toBeVisible();
    }
    await now.getByRole('textbox', { name: 'Find in these lines' }).fill('nowhere at all');
    await expect(now.getByText('No line holds that.')).toBeVisible();
  }
  const report = await gantry.ask('report:make', {});
  for (const words of ['Flood server listening', '(500 times)']) expect(report.text).toContain(words);
});
