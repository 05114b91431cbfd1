import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './support/window.ts';

test('U10 S65 S66 an address is asked for by its label; what it answers is said; a changed one starts afresh', async ({ gantry, open }) => {
  const released = Promise.withResolvers<void>();
  const endpoint = createServer((request, response) => {
    if (request.url === '/wrong') {
      response.writeHead(404, { 'content-type': 'text/html' });
      response.end('<h1>Not found</h1>');
    } else void released.promise.then(() => response.writeHead(503).end());
  });
  await new Promise<void>((done) => endpoint.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  try {
    const page = await open();
    const main = page.getByRole('main');
    await page.goto(`${page.url().split('#')[0]}#/add/http`);
    await main.locator('button[type=submit]').click();
    await expect(main.getByText('Still missing or not right: Address.')).toBeVisible();
    await gantry.ask('servers:add', { serverId: 'far', name: 'Far', spec: { kind: 'http', url: `${base}/wrong` } });
    await gantry.ask('servers:connect', { serverId: 'far' });
    await page.evaluate(() => { location.hash = '#/servers/far'; });
    await expect(main.getByText('The address answers, but there is no MCP server at it.').first()).toBeVisible();
    await expect(main.getByText('It answered with: HTTP 404')).toBeVisible();
    await gantry.ask('servers:update', { serverId: 'far', url: `${base}/slow`, consent: true });
    await expect(main.getByText('there is no MCP server at it')).toHaveCount(0);
    await expect(main.getByText(/^Starting\./)).toBeVisible();
    released.resolve();
    await expect(main.getByText('HTTP 503').first()).toBeVisible();
    await page.evaluate(() => { location.hash = '#/market/filesystem'; });
    await expect(page.getByRole('navigation', { name: 'Where am I', exact: true }).getByText('Filesystem')).toBeVisible();
  } finally {
    endpoint.closeAllConnections();
    endpoint.close();
  }
});
