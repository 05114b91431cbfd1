import type { Locator, Page } from '@playwright/test';

/** Presses Tab until the element has the focus, as someone without a mouse would; fails when it cannot be reached. */
export const tabTo = async (page: Page, target: Locator, limit = 150): Promise<void> => {
  await target.first().waitFor();
  for (let presses = 0; presses <= limit; presses += 1) {
    if (await target.first().evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${String(target)}`);
};

export const press = async (page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> => {
  await tabTo(page, target);
  await page.keyboard.press(key);
};
