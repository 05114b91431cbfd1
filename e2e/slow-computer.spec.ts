import { expect, test } from './support/window.ts';

test('U162 on a slow computer a page that is fetched late is drawn, whatever else of the window moves meanwhile', async ({ open, page }) => {
  await open();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 8 });
  await page.evaluate(() => { location.hash = '#/settings'; });
  await expect(page.getByRole('region', { name: 'Licences' })).toBeVisible({ timeout: 180_000 });
});
