import { expect, type Locator, type Page } from '@playwright/test';

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

/** Opens the search over everything and writes in it: its program may still be on its way when the key is pressed. */
export const searchFor = async (page: Page, words: string): Promise<void> => {
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.type(words);
};

/** Goes to a page by two letters; on a busy machine the second may come too late to belong to the first. */
export const goByLetters = (page: Page, second: string, hash: string): Promise<void> =>
  expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press(second);
    await expect.poll(() => page.evaluate(() => location.hash.split('?')[0]), { timeout: 2_000 }).toBe(hash);
  }).toPass();
