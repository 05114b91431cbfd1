import { goAndSettle } from './support/go.ts';
import { expect, test } from './support/window.ts';

for (const [lang, width, height] of [['en', 1280, 800], ['en', 900, 600], ['zh', 900, 600]] as const) {
  test(`U99 no button's words are cut and the window itself does not scroll, ${lang}, ${width}`, async ({ open, page }) => {
    await page.setViewportSize({ width, height });
    await open({ lang });
    const cut = (): Promise<string[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('#main button, #main a[class*="Button"]')]
          .flatMap((button) => [button, ...button.querySelectorAll<HTMLElement>('span')])
          .filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1)
          .map((part) => part.innerText),
      );
    const longer = (): Promise<number> => page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight);
    for (const place of ['/market?q=zzzqqq', '/guide', '/servers', '/settings', '/import']) {
      await goAndSettle(page, place);
      await page.locator('#main h1').first().waitFor();
      if (place.startsWith('/market')) await expect(page.locator('#main button, #main a[class*="Button"]')).not.toHaveCount(0);
      if (place === '/settings') await page.locator('#main section').nth(8).waitFor();
      expect(await cut(), place).toEqual([]);
      expect(await longer(), place).toBe(0);
    }
  });
}
