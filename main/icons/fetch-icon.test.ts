import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { fetchIcon, ICON_LIMITS } from './fetch-icon.ts';
import { iconSources } from './icon-sources.ts';
import { namesLeadTo, plainOutbound } from '../network/plain-network.fixture.ts';

const outbound = plainOutbound();

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});
const serve = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const png = Buffer.from('89504e470d0a1a0a', 'hex');

describe('where a picture may come from', () => {
  test('M08 a server on this computer may name a picture of its own origin; it is asked for without credentials', async () => {
    const asked: unknown[] = [];
    const origin = await serve((request, response) => {
      asked.push(request.headers);
      response.setHeader('set-cookie', 'a=b').end(png);
    });
    expect(await fetchIcon({ outbound, src: `${origin}/icon.png`, serverUrl: `${origin}/mcp` })).toEqual({ ok: true, value: png });
    expect(Object.keys(asked[0] as object).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host']);
  });

  test('M08 http, other schemes, user names and other origins of this computer are refused before anything is asked', async () => {
    let asked = 0;
    const origin = await serve((_request, response) => {
      asked += 1;
      response.end(png);
    });
    const refused = async (src: string, serverUrl: string | null = 'https://mcp.example/mcp') => fetchIcon({ outbound, src, serverUrl });
    for (const src of [`${origin}/i.png`, 'http://icons.example/i.png', 'file:///etc/passwd', 'javascript:alert(1)', 'icon.png', 'https://user:pass@icons.example/i.png', 'data:image/svg+xml;base64,PHN2Zy8+', 'data:text/html,x', 'data:image/png,raw']) {
      expect([src, await refused(src)]).toEqual([src, { ok: false, error: 'address_not_allowed' }]);
    }
    expect(await refused(`${origin}/i.png`, null)).toMatchObject({ error: 'address_not_allowed' });
    expect(await refused(`${origin}/i.png`, 'http://127.0.0.1:1/mcp')).toMatchObject({ error: 'address_not_allowed' });
    expect(asked).toBe(0);
  });

  test('M08 addresses that are not public are refused, as literals and when a name leads to them', async () => {
    for (const host of ['127.0.0.1', '[::1]', '10.1.2.3', '192.168.1.1', '169.254.169.254', '100.64.0.1', '[fd00::1]', '[::ffff:127.0.0.1]', '2130706433', '0.0.0.0']) {
      expect([host, await fetchIcon({ outbound, src: `https://${host}/i.png`, serverUrl: null })]).toEqual([host, { ok: false, error: 'address_not_public' }]);
    }
    expect(await fetchIcon({ outbound, src: 'https://localhost/i.png', serverUrl: null })).toMatchObject({ error: 'address_not_public' });
    // the name is judged by the address that the connection would use, whatever it led to before; one bad address refuses all
    const leadsTo = (...addresses: string[]) => fetchIcon({ outbound: plainOutbound(namesLeadTo(...addresses)), src: 'https://icons.example/i.png', serverUrl: null });
    expect(await leadsTo('10.0.0.5')).toMatchObject({ error: 'address_not_public' });
    expect(await leadsTo('93.184.215.14', '127.0.0.1')).toMatchObject({ error: 'address_not_public' });
  });

  test('M08 a redirect stays in its origin; one that leaves it is not followed', async () => {
    let elsewhere = 0;
    const other = await serve((_request, response) => {
      elsewhere += 1;
      response.end(png);
    });
    const origin = await serve((request, response) => {
      const to = { '/a': '/b', '/out': `${other}/i.png`, '/loop': '/loop' }[request.url!];
      if (to) response.writeHead(302, { location: to }).end();
      else response.end(png);
    });
    const get = (path: string) => fetchIcon({ outbound, src: origin + path, serverUrl: origin });
    expect(await get('/a')).toEqual({ ok: true, value: png });
    expect(await get('/out')).toEqual({ ok: false, error: 'redirected_elsewhere' });
    expect(await get('/loop')).toEqual({ ok: false, error: 'not_fetched' });
    expect(elsewhere).toBe(0);
  });

  test('M08 more bytes or more time than an icon needs ends the reading', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/slow') return void response.write(png);
      if (request.url === '/claims') response.setHeader('content-length', ICON_LIMITS.fetchedBytes + 1);
      if (request.url === '/missing') response.statusCode = 404;
      response.end(Buffer.alloc(ICON_LIMITS.fetchedBytes + 1));
    });
    const get = (path: string) => fetchIcon({ outbound, src: origin + path, serverUrl: origin, timeMs: 500 });
    expect(await get('/claims')).toMatchObject({ error: 'too_large' });
    expect(await get('/streams')).toMatchObject({ error: 'too_large' });
    expect(await get('/missing')).toMatchObject({ error: 'not_fetched' });
    expect(await get('/slow')).toMatchObject({ error: 'took_too_long' });
    expect(await fetchIcon({ outbound, src: `data:image/png;base64,${Buffer.alloc(ICON_LIMITS.dataBytes + 1).toString('base64')}`, serverUrl: null })).toMatchObject({ error: 'too_large' });
    expect(await fetchIcon({ outbound, src: `data:image/png;base64,${png.toString('base64')}`, serverUrl: null })).toEqual({ ok: true, value: png });
  });

  test('M08 the few addresses tried are chosen by type and size; malformed entries are left out', () => {
    const icons = [{ src: 'a.svg', mimeType: 'image/svg+xml' }, { src: 'b16', mimeType: 'image/png', sizes: ['16x16'] }, { src: 'c256', sizes: ['256x256'] }, { src: 'd64', mimeType: 'image/jpeg', sizes: ['64x64'] }, { src: 'dark', theme: 'dark', sizes: ['64x64'] }, { nothing: 1 }, 7, { src: 'e' }];
    expect(iconSources(icons)).toEqual(['d64', 'c256', 'e']);
    expect([iconSources('x'), iconSources(undefined), iconSources([{ src: 'g', mimeType: 'image/gif' }])]).toEqual([[], [], []]);
  });
});
