import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processesWith } from './support/census.ts';
import { expect, test } from './support/window.ts';

test('J03 server-everything is installed from npm, connected, reviewed, granted and called in the window', async ({ gantry, open, page }) => {
  await open();
  await page.getByRole('link', { name: 'Market', exact: true }).click();
  await page.getByRole('searchbox').or(page.getByLabel('Search the market')).first().fill('everything');
  await page.getByRole('link', { name: /Details of Everything/i }).click();
  await page.getByRole('link', { name: 'Add', exact: true }).or(page.getByRole('button', { name: 'Add', exact: true })).first().click();
  await page.getByRole('button', { name: 'Show what will run' }).click();
  await expect(page.getByText('@modelcontextprotocol/server-everything').first()).toBeVisible();
  await page.getByRole('button', { name: 'Agree and install' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click({ timeout: 120_000 });
  await expect(page.getByText('mcp:everything:tool:echo')).toBeVisible();
  const { server } = await gantry.ask('servers:get', { serverId: 'everything' });
  expect(server.installation?.integrity).toMatch(/^sha512-/);
  expect(server.launch.kind === 'stdio' && server.launch.command).toBe(process.execPath);

  await page.getByRole('link', { name: /mcp:everything:tool:echo/ }).click();
  await page.getByRole('main').getByRole('textbox', { name: /message/i }).fill('hello there');
  await page.getByRole('button', { name: 'Try it', exact: true }).click();
  await expect(page.getByText(/hello there/).last()).toBeVisible();

  await gantry.ask('servers:remove', { serverId: 'everything' });
  expect(existsSync(join(gantry.dataDir, 'apps', 'everything'))).toBe(false);
  expect(processesWith(join(gantry.dataDir, 'apps'))).toEqual([]);
});

test('J03 server-filesystem writes a file only after its approval', async ({ gantry, open, page }) => {
  await open();
  const files = join(gantry.dataDir, 'shared-files');
  mkdirSync(files);
  await gantry.ask('servers:add', { serverId: 'files', name: 'Files', spec: { kind: 'npm', package: '@modelcontextprotocol/server-filesystem', version: '2026.8.31', args: [files] } });
  expect(await gantry.ask('servers:connect', { serverId: 'files' })).toMatchObject({ state: 'ready' });
  await page.evaluate(() => { window.location.hash = `#/capabilities/${encodeURIComponent('mcp:files:tool:write_file')}`; });
  await page.getByRole('main').getByRole('textbox', { name: /^path/i }).fill(join(files, 'note.txt'));
  await page.getByRole('main').getByRole('textbox', { name: /^content/i }).fill('written once');
  await page.getByRole('button', { name: 'Try it', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await expect(dialog.getByText('high write')).toBeVisible();
  expect(existsSync(join(files, 'note.txt'))).toBe(false);
  const approve = dialog.getByRole('button', { name: 'Approve once' });
  await expect(approve).toBeEnabled();
  await approve.click();
  await expect.poll(() => existsSync(join(files, 'note.txt')) && readFileSync(join(files, 'note.txt'), 'utf8')).toBe('written once');
});
