import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { trayIcon } from '../main/shell/electron/tray.ts';
import { iconSource, makeIcons } from './icons.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const icons = makeIcons(iconSource());
const sizeOf = (path: string): readonly [number, number] => {
  const image = PNG.sync.read(readFileSync(join(root, path)));
  return [image.width, image.height];
};

test('B07 what is committed is what the one drawing gives', () => {
  expect(icons.size).toBeGreaterThan(15);
  for (const [path, bytes] of icons) expect([path, readFileSync(join(root, path)).equals(bytes)]).toEqual([path, true]);
});

test('B07 each system gets its sizes', () => {
  for (const size of [16, 32, 48, 256, 512]) expect(sizeOf(`packaging/icons/${size}x${size}.png`)).toEqual([size, size]);
  const ico = readFileSync(join(root, 'packaging/icons/icon.ico'));
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2)]).toEqual([0, 1]);
  const widths = Array.from({ length: ico.readUInt16LE(4) }, (_, at) => ico[6 + 16 * at] || 256);
  expect(widths).toEqual(expect.arrayContaining([16, 32, 48, 256]));
  const icns = readFileSync(join(root, 'packaging/icons/icon.icns'));
  expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length]);
  const kinds: string[] = [];
  for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) kinds.push(icns.toString('latin1', at, at + 4));
  // 256, 512 and 1024 pixels
  expect(kinds).toEqual(expect.arrayContaining(['ic08', 'ic09', 'ic10']));
});

test('B07 every picture that the tray asks for is there, twice as fine beside it; a template has no colour', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    for (const dark of [true, false]) {
      for (const waiting of [true, false]) {
        const path = `assets/icons/${trayIcon(platform, dark, waiting)}`;
        expect([path, sizeOf(path), sizeOf(path.replace('.png', '@2x.png'))]).toEqual([path, [16, 16], [32, 32]]);
      }
    }
  }
  const { data } = PNG.sync.read(readFileSync(join(root, 'assets/icons/tray-waitingTemplate@2x.png')));
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] !== 0) expect([...data.subarray(at, at + 3)]).toEqual([0, 0, 0]);
});

test('B07 a drawing without its crane is refused', () => {
  expect(() => makeIcons('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')).toThrow(/crane/);
});
