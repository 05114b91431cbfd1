import type { Page } from '@playwright/test';
import { expect } from './window.ts';

/** Goes to a place of the window and comes back when its page is drawn and nothing on it is still being read. */
export const goAndSettle = async (page: Page, place: string): Promise<void> => {
  await page.evaluate(async (to) => {
    if (location.hash !== to) {
      // the window's own listener came before this one
      const heard = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
      location.hash = to;
      await heard;
    }
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  }, `#/${place.replace(/^#?\//, '')}`);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
};
