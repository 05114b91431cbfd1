import { fileURLToPath } from 'node:url';
import { goAndSettle } from './support/go.ts';
import { expect, test } from './support/window.ts';

const fixture = fileURLToPath(new URL('./fixtures/hostile-text-server.mjs', import.meta.url));

test('J06 whatever a server says stays text: no markup, no request, no active link, hidden characters shown', async ({ gantry, open, page }) => {
  await open();
  const foreign: string[] = [];
  const own = new URL(page.url()).origin;
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== own && !['data:', 'blob:'].includes(url.protocol)) foreign.push(request.url());
  });
  await gantry.ask('servers:add', { serverId: 'bad', spec: { kind: 'command', command: process.execPath, args: [fixture] } });
  expect(await gantry.ask('servers:connect', { serverId: 'bad' })).toMatchObject({ state: 'ready' });
  await gantry.ask('capabilities:review', { capabilityId: 'mcp:bad:tool:plain', tier: 'read_only', admit: true });
  const call = await gantry.ask('calls:try', { capabilityId: 'mcp:bad:tool:plain', input: {}, wait: true });
  const asked = await gantry.ask('calls:try', { capabilityId: 'mcp:bad:tool:pl\u0430in', input: {}, wait: false });
  for (const place of ['servers', 'servers/bad', 'capabilities', `capabilities/${encodeURIComponent('mcp:bad:tool:plain')}`, `runs/${call.runId}`, `approvals/${asked.approvalId}`]) {
    await goAndSettle(page, place);
    const text = await page.locator('body').innerText();
    // eslint-disable-next-line no-control-regex
    expect(text, place).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u001b]|[\u{e0000}-\u{e007f}]/u);
    expect(await page.title(), place).not.toContain('owned');
    expect(await page.locator('a[href^="javascript:"], a[href^="file:"], img[src^="http"], script:not([src])').count(), place).toBe(0);
  }
  expect(foreign).toEqual([]);
});
