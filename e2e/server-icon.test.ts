import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Gantry } from './support/gantry.ts';

const fixture = fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url));

let gantry: Gantry;
let folder: string;
beforeEach(() => {
  gantry = new Gantry();
  folder = mkdtempSync(join(tmpdir(), 'gantry-icon-'));
});
afterEach(async () => {
  await gantry.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const add = async (serverId: string, icons: unknown) => {
  await gantry.ask('servers:add', { serverId, spec: { kind: 'command', command: process.execPath, args: [fixture] }, env: { RECORD_FILE: join(folder, serverId), ICONS: JSON.stringify(icons) } });
  return gantry.ask('servers:connect', { serverId });
};

test('M55 a server that is ready shows its picture, re-encoded by the host; a remote tracking pixel of a process is never asked for', async () => {
  await gantry.start();
  let asked = 0;
  const tracker = createServer((_request, response) => {
    asked += 1;
    response.end();
  });
  await new Promise<void>((done) => tracker.listen(0, '127.0.0.1', done));
  const png = PNG.sync.write(new PNG({ width: 100, height: 100 }));
  expect(await add('good', [{ src: `data:image/png;base64,${png.toString('base64')}`, mimeType: 'image/png', sizes: ['100x100'] }])).toMatchObject({ state: 'ready' });
  expect(await add('tracks', [{ src: `http://127.0.0.1:${(tracker.address() as AddressInfo).port}/pixel.png` }, { src: 'data:image/svg+xml,<svg/>' }])).toMatchObject({ state: 'ready' });
  await vi.waitFor(async () => expect((await gantry.ask('servers:icon', { serverId: 'good' })).png).not.toBeNull(), { timeout: 90_000, interval: 500 });
  const icon = await gantry.ask('servers:icon', { serverId: 'good' });
  expect(PNG.sync.read(Buffer.from(icon.png!, 'base64'))).toMatchObject({ width: 64, height: 64 });
  expect((await gantry.ask('servers:list', {})).servers.map((server) => [server.id, typeof server.icon])).toEqual([['good', 'string'], ['tracks', 'undefined']]);
  expect(asked).toBe(0);
  tracker.close();
});

test('M55 what is no list of icons costs a server its picture, not its tools', async () => {
  await gantry.start();
  expect(await add('odd', 'not a list')).toMatchObject({ state: 'ready' });
  expect(await add('odder', [{ sizes: 7 }, null])).toMatchObject({ state: 'ready' });
  expect(await gantry.ask('servers:icon', { serverId: 'odd' })).toEqual({ png: null });
  expect(await gantry.rpc('servers:icon', { serverId: 'nobody' })).toMatchObject({ ok: false, error: { code: 'not_found' } });
});
