import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import { LocalRegistry } from './fixtures/local-registry.ts';
import { expect, test } from './support/window.ts';

const fixture = fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url));
const PASSPHRASE = 'a long passphrase for tests';
// each request of the command is a process of its own

test('J20 a secret argument is written into its field, shown sealed before anything runs, and kept when other arguments change', async ({ gantry, open, page }) => {
  await open({ env: { GANTRY_PASSPHRASE: PASSPHRASE } });
  await page.evaluate(() => { location.hash = '#/add/command'; });
  await page.getByLabel(/^Command/).fill(process.execPath);
  await page.getByLabel('Arguments').fill(`${fixture}\n--token`);
  await page.getByRole('button', { name: 'Add a secret argument' }).click();
  await page.getByLabel('Argument 3', { exact: true }).fill('kanarienvogel-3');
  await page.getByRole('button', { name: 'Add a variable' }).click();
  await page.getByLabel('Name, row 1').fill('RECORD_FILE');
  await page.getByLabel('Value of RECORD_FILE').fill(join(gantry.dataDir, 'record'));
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Recorder');
  await page.getByRole('button', { name: 'Show what will run' }).click();
  await expect(page.getByText('secret, sealed as arg.--token')).toBeVisible();
  await expect(page.getByText('A secret stands in its arguments: other programs on this computer can see it while it runs.')).toBeVisible();
  await expect(page.getByText('kanarienvogel')).toHaveCount(0);
  await page.getByRole('button', { name: /^Agree/ }).click();
  await page.getByRole('heading', { name: 'Recorder' }).waitFor();
  const { servers } = await gantry.ask('servers:list', {});
  const before = (await gantry.ask('servers:get', { serverId: servers[0]!.id })).server;
  expect(before.launch).toMatchObject({ args: [fixture, '--token', { secretRef: expect.any(String) }] });

  await page.evaluate((id) => { location.hash = `#/servers/${id}/configure`; }, before.id);
  await expect(page.getByText('sealed, not shown')).toBeVisible();
  await page.getByRole('button', { name: 'Add an argument' }).click();
  await page.getByLabel('Argument 4', { exact: true }).fill('-v');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Recorder' }).waitFor();
  const { server } = await gantry.ask('servers:get', { serverId: before.id });
  expect(server.launch).toMatchObject({ args: [...(before.launch.kind === 'stdio' ? before.launch.args : []), '-v'] });
});

test('J21 the picture of a server is shown as the host made it, and the first letter where there is none', async ({ gantry, open, page }) => {
  await open();
  const png = PNG.sync.write(new PNG({ width: 90, height: 90 })).toString('base64');
  const add = (serverId: string, name: string, icons: string) =>
    gantry.ask('servers:add', { serverId, name, spec: { kind: 'command', command: process.execPath, args: [fixture] }, env: { RECORD_FILE: join(gantry.dataDir, serverId), ICONS: icons } });
  await add('pictured', 'Pictured', JSON.stringify([{ src: `data:image/png;base64,${png}` }]));
  await add('plain', 'plain one', '[]');
  for (const serverId of ['pictured', 'plain']) await gantry.ask('servers:connect', { serverId });
  await page.evaluate(() => { location.hash = '#/servers'; });
  const picture = page.getByRole('row', { name: /Pictured/ }).locator('img');
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image: HTMLImageElement) => [image.complete, image.naturalWidth, image.src.slice(0, 22)])).toEqual([true, 64, 'data:image/png;base64,']);
  await expect(page.getByRole('row', { name: /plain one/ }).getByText('P', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Pictured' }).click();
  await expect(page.getByRole('main').locator('header img')).toBeVisible();
});

test('J22 another version is installed from its page: what would run is set beside what was agreed to', async ({ gantry, open, page }) => {
  const registry = await LocalRegistry.start();
  const publish = (version: string): string => registry.publish({ name: 'app', version, manifest: { bin: 'cli.js' }, files: { 'cli.js': { text: '#!/usr/bin/env node\nprocess.stdin.on("end", () => process.exit(0)).resume();\n', executable: true } } });
  publish('1.0.0');
  await open({ env: { npm_config_registry: registry.url, npm_config_fetch_retries: '0' } });
  await gantry.ask('servers:add', { serverId: 'app', name: 'An app', spec: { kind: 'npm', package: 'app', version: '1.0.0' } });
  publish('2.0.0');
  await page.evaluate(() => { location.hash = '#/servers/app/configure'; });
  await expect(page.getByText('Installed is version 1.0.0.')).toBeVisible();
  await page.getByLabel('Another version').fill('9.9.9');
  await page.getByRole('button', { name: 'Install this version' }).click();
  await expect(page.getByText('Version 1.0.0 is as it was.')).toBeVisible();
  await page.getByLabel('Another version').fill('2.0.0');
  await page.getByRole('button', { name: 'Install this version' }).click();
  await expect(page.getByRole('heading', { name: 'An app' })).toBeVisible();
  await expect(page.getByText('app 2.0.0', { exact: true })).toBeVisible();
  await expect(page.getByText('app 1.0.0', { exact: true })).toBeVisible();
  await registry.close();
});
