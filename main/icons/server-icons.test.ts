import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../log.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { readServerIcon } from '../store/server-icons.ts';
import { deleteServer, insertServer } from '../store/servers.ts';
import { readImageHeader } from './image-header.ts';
import { renderIcon } from './render-icon.ts';
import { ServerIcons } from './server-icons.ts';
import { plainOutbound } from '../network/plain-network.fixture.ts';

// each picture costs the start of a thread

const picture = (width: number, height: number): PNG => {
  const png = new PNG({ width, height });
  for (let at = 0; at < width * height; at += 1) png.data.set([200, 40, 10, at % width < width / 2 ? 255 : 0], at * 4);
  return png;
};
const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  let crc = 0xffffffff;
  for (const byte of body) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  const check = Buffer.alloc(4);
  check.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return Buffer.concat([length, body, check]);
};
/** A PNG of its own making: header as given, pixel data as given. */
const rawPng = (width: number, height: number, pixels: Buffer, interlaced = 0, extra: Buffer = Buffer.alloc(0)): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, interlaced], 8);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), extra, chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]);
};

describe('what a picture may be', () => {
  test('M08 a PNG and a JPEG are decoded, scaled to 64 pixels and encoded anew, without anything else they held', async () => {
    const hidden = chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
    const source = PNG.sync.write(picture(300, 150));
    const png = await renderIcon(Buffer.concat([source.subarray(0, 33), hidden, source.subarray(33)]));
    if (!png.ok) throw new Error(png.error);
    expect(png.value.includes('script')).toBe(false);
    const small = PNG.sync.read(png.value);
    expect([small.width, small.height]).toEqual([64, 32]);
    expect([...small.data.subarray(0, 4)]).toEqual([200, 40, 10, 255]);
    expect(small.data[63 * 4 + 3]).toBe(0);

    const photo = jpeg.encode({ width: 80, height: 200, data: Buffer.alloc(80 * 200 * 4, 128) }, 90);
    const fromJpeg = await renderIcon(photo.data);
    expect(fromJpeg.ok && PNG.sync.read(fromJpeg.value)).toMatchObject({ width: 26, height: 64 });
    const tiny = await renderIcon(PNG.sync.write(picture(3, 2)));
    expect(tiny.ok && PNG.sync.read(tiny.value)).toMatchObject({ width: 3, height: 2 });
  });

  test('M08 a header of 50,000 x 50,000 pixels is refused before anything is decoded, in PNG and in JPEG', async () => {
    expect(readImageHeader(rawPng(50_000, 50_000, Buffer.alloc(64)))).toEqual({ ok: false, error: 'too_many_pixels' });
    const photo = jpeg.encode({ width: 16, height: 16, data: Buffer.alloc(16 * 16 * 4, 9) }, 90).data;
    const frame = photo.indexOf(Buffer.from([0xff, 0xc0]));
    photo.writeUInt16BE(50_000, frame + 5);
    photo.writeUInt16BE(50_000, frame + 7);
    expect(readImageHeader(photo)).toEqual({ ok: false, error: 'too_many_pixels' });
  });

  test('M08 a second header that contradicts the first is refused', () => {
    const second = rawPng(50_000, 50_000, Buffer.alloc(0)).subarray(8, 33);
    expect(readImageHeader(rawPng(8, 8, Buffer.alloc(8 * 33), 0, second))).toEqual({ ok: false, error: 'not_decoded' });
  });

  test('M08 data that unpacks to more than its pixels is a bomb, also where rows are interlaced', async () => {
    for (const interlaced of [0, 1]) {
      const bomb = rawPng(8, 8, Buffer.alloc(200 * 1024 * 1024), interlaced);
      expect(bomb.length).toBeLessThan(256 * 1024);
      expect(await renderIcon(bomb)).toEqual({ ok: false, error: 'not_decoded' });
    }
  });

  test('M08 SVG, GIF, WebP, HTML and cut-off pictures are no icons, whatever they are called', async () => {
    const other = ['<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 'GIF89a\x01\x00\x01\x00', 'RIFF\x10\x00\x00\x00WEBPVP8 ', '<!doctype html>', ''];
    for (const text of other) expect([text, await renderIcon(Buffer.from(text, 'latin1'))]).toEqual([text, { ok: false, error: 'not_png_or_jpeg' }]);
    expect(await renderIcon(PNG.sync.write(picture(40, 40)).subarray(0, 60))).toEqual({ ok: false, error: 'not_decoded' });
  });

  test('M08 decoding has a time limit', async () => {
    expect(await renderIcon(PNG.sync.write(picture(64, 64)), 1)).toEqual({ ok: false, error: 'took_too_long' });
  });
});

const withServer = () => {
  const store = openTestStore();
  let now = 1_000_000;
  const changed: string[] = [];
  const clock = { now: () => now, monotonic: () => now };
  const icons = new ServerIcons({ store, clock, log: silentLog, outbound: plainOutbound(), onChanged: (serverId) => changed.push(serverId) });
  store.write((db) => insertServer(db, { id: 'srv', name: 'Srv', spec: { kind: 'command', command: 'x' }, args: [], env: {}, headers: {}, placeholders: null, home: 'user', enabled: true, required: false, era: null, eraAt: null, marketEntryId: null, quarantinedAt: null, consentedFingerprint: null, createdAt: 1 }));
  const offer = async (named: unknown, url: string | null = null): Promise<void> => {
    icons.offered('srv', named, url);
    await icons.settled();
  };
  return { store, icons, changed, offer, later: (ms: number) => (now += ms) };
};
const asData = (png: PNG): string => `data:image/png;base64,${PNG.sync.write(png).toString('base64')}`;

describe('the icon of a server', () => {
  test('M55 the first picture that is good is kept; a window is told once, and gets PNG alone', async () => {
    const { icons, changed, offer } = withServer();
    expect(icons.png('srv')).toBeNull();
    const named = [{ src: 'data:image/png;base64,AAAA', sizes: ['64x64'] }, { src: asData(picture(128, 128)), sizes: ['128x128'] }];
    await offer(named);
    expect(PNG.sync.read(Buffer.from(icons.png('srv')!, 'base64'))).toMatchObject({ width: 64, height: 64 });
    await offer(named);
    expect(changed).toEqual(['srv']);
    await offer(undefined);
    expect([icons.png('srv'), changed]).toEqual([null, ['srv', 'srv']]);
  });

  test('M55 an icon is not asked for again at each start; what was refused is tried again after a day', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end(asked === 1 ? '<svg/>' : PNG.sync.write(picture(20, 20)));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { store, icons, offer, later } = withServer();
    const named = [{ src: `${origin}/icon` }];
    await offer(named, origin);
    await offer(named, origin);
    expect([asked, icons.png('srv'), store.read((db) => readServerIcon(db, 'srv'))!.refusal]).toEqual([1, null, 'not_png_or_jpeg']);
    later(25 * 3600 * 1000);
    await offer(named, origin);
    expect(icons.png('srv')).not.toBeNull();
    later(25 * 3600 * 1000);
    await offer(named, origin);
    expect(asked).toBe(2);
    server.close();
  });

  test('M55 it goes with its server', async () => {
    const { store, icons, offer } = withServer();
    await offer([{ src: asData(picture(10, 10)) }]);
    store.write((db) => deleteServer(db, 'srv'));
    expect(icons.png('srv')).toBeNull();
    await offer([{ src: asData(picture(10, 10)) }]);
    expect(icons.png('srv')).toBeNull();
  });
});
