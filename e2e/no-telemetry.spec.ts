import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LocalRegistry } from './fixtures/local-registry.ts';
import { publishApp } from './fixtures/published-app.ts';
import { RemoteApp } from './fixtures/remote-app.ts';
import { expect, test } from './support/window.ts';

const recorder = fileURLToPath(new URL('./fixtures/record-connections.mjs', import.meta.url));

test('NW22 NW20 an idle Gantry contacts nobody; through the main job the host contacts what was named, and the window its host alone', async ({ gantry, open, page, context }) => {
  const registry = await LocalRegistry.start();
  const remote = await RemoteApp.start();
  const log = join(gantry.dataDir, 'connections.txt');
  const outward = (): readonly string[] => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('pipe ')) : []);
  const asked: string[] = [];
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  cdp.on('Network.requestWillBeSent', ({ request }) => asked.push(request.url));
  cdp.on('Network.webSocketCreated', ({ url }) => asked.push(url));
  try {
    publishApp(registry, 'near-app', '1.0.0');
    await open({ script: true, env: { NODE_OPTIONS: `--import=${recorder}`, GANTRY_TEST_CONNECTIONS: log, npm_config_userconfig: join(gantry.dataDir, 'none'), npm_config_fetch_retries: '0' } });
    const host = new URL(page.url()).host;

    // built-in data, every page, a built-in app with a call of its own
    for (const place of ['guide', 'market', 'market/filesystem', 'servers', 'capabilities', 'approvals', 'runs', 'import', 'settings']) {
      await page.evaluate((hash) => { location.hash = `#/${hash}`; }, place);
      await expect(page.getByRole('main')).toBeVisible();
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    }
    await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
    expect(await gantry.ask('servers:connect', { serverId: 'environment' })).toMatchObject({ state: 'ready' });
    expect(await gantry.ask('calls:try', { capabilityId: 'mcp:environment:tool:get_versions', input: {}, wait: true })).toMatchObject({ class: 'ok' });
    expect(outward()).toEqual([]);
    expect((await gantry.ask('network:addresses', {})).contacted).toEqual([]);

    // an installation: the registry that was named, from the thread that installs
    await gantry.ask('settings:set', { npmRegistry: registry.url });
    await gantry.ask('servers:add', { serverId: 'near', spec: { kind: 'npm', package: 'near-app', version: '1.0.0' } });
    expect(await gantry.ask('servers:connect', { serverId: 'near' })).toMatchObject({ state: 'ready' });
    expect(new Set(outward())).toEqual(new Set([`connect 127.0.0.1:${registry.port}`]));

    // a remote server: its address besides
    await gantry.ask('servers:add', { serverId: 'far', spec: { kind: 'http', url: `http://127.0.0.1:${remote.port}/mcp` } });
    expect(await gantry.ask('servers:connect', { serverId: 'far' })).toMatchObject({ state: 'ready' });
    await gantry.ask('capabilities:review', { capabilityId: 'mcp:far:tool:look', tier: 'read_only', admit: true });
    const called = await gantry.ask('calls:try', { capabilityId: 'mcp:far:tool:look', input: {}, wait: true });
    expect(called).toMatchObject({ class: 'ok' });
    expect(await gantry.ask('runs:verify', { runId: called.runId })).toMatchObject({ ok: true });
    expect(new Set(outward())).toEqual(new Set([`connect 127.0.0.1:${registry.port}`, `connect 127.0.0.1:${remote.port}`]));

    // what the settings say was contacted is what the system saw
    const { contacted } = await gantry.ask('network:addresses', {});
    expect(new Set(contacted.map((one) => `connect ${one.host}:${one.port}`))).toEqual(new Set(outward()));
    expect(new Set(contacted.map(({ purpose }) => purpose))).toEqual(new Set(['npm', 'remote_server']));
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter((url) => !/^(?:data|blob|about):/.test(url) && new URL(url).host !== host)).toEqual([]);
  } finally {
    await Promise.all([registry.close(), remote.close()]);
  }
});
