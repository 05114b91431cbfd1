import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const Side = z.number().int().min(-1_000_000).max(1_000_000);
const Length = z.number().int().min(1).max(100_000);
/** Where the window was, in screen coordinates independent of the display's density; `bounds` are those of the window that is neither maximized nor full screen. */
export const WindowPlaceSchema = z.object({ bounds: z.object({ x: Side, y: Side, width: Length, height: Length }), maximized: z.boolean(), fullScreen: z.boolean() });
export type WindowPlace = z.infer<typeof WindowPlaceSchema>;

export const SMALLEST = { width: 720, height: 480 } as const;
const USUAL = { width: 1320, height: 880 } as const;
/** So much of the window has to lie on a display, or it cannot be taken hold of. */
const GRIP = 80;

const overlap = (a: Rectangle, b: Rectangle): number =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) * Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));
const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, Math.max(least, most)));

/**
 * Where the window opens: as it was left, moved and cut so that it lies on a display that is there now (work areas, the primary one first);
 * in the middle of the primary display at its usual size where nothing is remembered.
 */
export const placeWindow = (remembered: WindowPlace | null, workAreas: readonly [Rectangle, ...Rectangle[]]): WindowPlace => {
  const [primary] = workAreas;
  const fit = (area: Rectangle, wanted: { readonly width: number; readonly height: number }) => ({
    width: Math.min(Math.max(wanted.width, SMALLEST.width), Math.max(area.width, 1)),
    height: Math.min(Math.max(wanted.height, SMALLEST.height), Math.max(area.height, 1)),
  });
  if (!remembered) {
    const size = fit(primary, USUAL);
    const bounds = { x: primary.x + Math.floor((primary.width - size.width) / 2), y: primary.y + Math.floor((primary.height - size.height) / 2), ...size };
    return { bounds, maximized: false, fullScreen: false };
  }
  const area = workAreas.reduce((best, one) => (overlap(remembered.bounds, one) > overlap(remembered.bounds, best) ? one : best), primary);
  const size = fit(area, remembered.bounds);
  // a title bar above the work area cannot be reached; at the sides a grip is enough
  const lies = overlap(remembered.bounds, area) > 0;
  const x = lies ? within(remembered.bounds.x, area.x - size.width + GRIP, area.x + area.width - GRIP) : area.x + Math.floor((area.width - size.width) / 2);
  const y = lies ? within(remembered.bounds.y, area.y, area.y + area.height - GRIP) : area.y + Math.floor((area.height - size.height) / 2);
  return { bounds: { x, y, ...size }, maximized: remembered.maximized, fullScreen: remembered.fullScreen };
};

/** Null where nothing is remembered, or what is there is not a place. */
export const readWindowPlace = (path: string): WindowPlace | null => {
  try {
    return WindowPlaceSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
};

/** Losing the place of a window is no failure that anybody has to hear of. */
export const writeWindowPlace = (path: string, place: WindowPlace): void => {
  try {
    // beside it and renamed: a crash leaves the former place
    const half = `${path}.${process.pid}`;
    writeFileSync(half, `${JSON.stringify(place)}\n`, { mode: 0o600 });
    renameSync(half, path);
  } catch {
    // a full disk, a folder that went away
  }
};
