import type { WebContents } from 'electron';

/** A click or key press this long ago still counts as the person's act. */
const GESTURE_LASTS_MS = 5_000;
const ACTS: ReadonlySet<string> = new Set(['mouseDown', 'rawKeyDown', 'keyDown', 'touchStart', 'gestureTap', 'pointerDown']);

export interface UserGesture {
  /** The window had real input a moment ago. */
  recent(): boolean;
}

/**
 * Input that reached the window from outside. A script in the page cannot make it (dispatchEvent does not come through here),
 * so a compromised page alone cannot decide an approval (A19). `now` is monotonic, in ms.
 */
export const watchGestures = (contents: Pick<WebContents, 'on'>, now: () => number): UserGesture => {
  let last = Number.NEGATIVE_INFINITY;
  contents.on('input-event', (_event, input) => {
    if (ACTS.has(input.type)) last = now();
  });
  return { recent: () => now() - last <= GESTURE_LASTS_MS };
};
