import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeWindow, readWindowPlace, writeWindowPlace, type Rectangle, type WindowPlace } from './window-place.ts';

const desk: Rectangle = { x: 0, y: 0, width: 1920, height: 1040 };
const left: Rectangle = { x: -1280, y: 200, width: 1280, height: 720 };
const at = (x: number, y: number, width = 1000, height = 700): WindowPlace => ({ bounds: { x, y, width, height }, maximized: false, fullScreen: false });

test('W13 a place on a display that is there is kept, with its state', () => {
  expect(placeWindow({ ...at(100, 50), maximized: true }, [desk])).toEqual({ ...at(100, 50), maximized: true });
  expect(placeWindow(at(-1200, 210), [desk, left])).toEqual(at(-1200, 210));
});

test('W13 a place on a display that is gone comes to the primary one, whole', () => {
  expect(placeWindow(at(-1200, 210), [desk])).toEqual(at(460, 170));
  expect(placeWindow(at(90_000, 90_000), [desk]).bounds).toEqual({ x: 460, y: 170, width: 1000, height: 700 });
  expect(placeWindow(at(100, -500, 1000, 700), [desk]).bounds.y).toBe(0);
});

test('W13 nothing remembered opens in the middle; a small display cuts the size', () => {
  expect(placeWindow(null, [desk]).bounds).toEqual({ x: 300, y: 80, width: 1320, height: 880 });
  expect(placeWindow(null, [{ x: 0, y: 25, width: 1024, height: 600 }]).bounds).toEqual({ x: 0, y: 25, width: 1024, height: 600 });
});

test('W13 wherever it was left, the window can be taken hold of', () => {
  const side = fc.integer({ min: -20_000, max: 20_000 });
  const area = fc.record({ x: side, y: side, width: fc.integer({ min: 800, max: 8000 }), height: fc.integer({ min: 500, max: 5000 }) });
  fc.assert(
    fc.property(fc.array(area, { minLength: 1, maxLength: 4 }), side, side, fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 20_000 }), (areas, x, y, width, height) => {
      const { bounds } = placeWindow(at(x, y, width, height), areas as [Rectangle, ...Rectangle[]]);
      const held = areas.some((one) => bounds.y >= one.y && bounds.y <= one.y + one.height - 80 && Math.min(bounds.x + bounds.width, one.x + one.width) - Math.max(bounds.x, one.x) >= 80);
      expect(held).toBe(true);
    }),
  );
});

test('W13 what is written is read back, by its owner alone; what is no place is none', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'gantry-place-')), 'window.json');
  expect(readWindowPlace(path)).toBeNull();
  writeWindowPlace(path, at(1, 2));
  expect(readWindowPlace(path)).toEqual(at(1, 2));
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  for (const text of ['', '{', '{"bounds":{"x":1e99,"y":0,"width":1,"height":1},"maximized":false,"fullScreen":false}', '{"bounds":{"x":"1"}}', 'null']) {
    writeFileSync(path, text);
    expect([text, readWindowPlace(path)]).toEqual([text, null]);
  }
  writeWindowPlace(join(path, 'not a folder'), at(1, 2));
  expect(readFileSync(path, 'utf8')).toBe('null');
});
