/** A reload closes and opens its socket within this time. */
const GRACE_MS = 3_000;

/**
 * Closing the app's window closes the app: when the browser that Gantry opened has ended and no window is connected any more.
 * A browser that hands over to one already running ends at once; its window's socket then keeps the app alive.
 */
export const quitWhenWindowless = (deps: { readonly windowCount: () => number; readonly browserRunning: () => boolean; readonly quit: () => void; readonly graceMs?: number }): { look(): void } => {
  let timer: NodeJS.Timeout | null = null;
  const isWindowless = (): boolean => deps.windowCount() === 0 && !deps.browserRunning();
  return {
    look() {
      if (timer || !isWindowless()) return;
      timer = setTimeout(() => {
        timer = null;
        if (isWindowless()) deps.quit();
      }, deps.graceMs ?? GRACE_MS);
    },
  };
};
