import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { axeComplaints } from './support/axe.ts';
import { goByLetters, searchFor } from './support/keyboard.ts';
import { walkForPictures } from './support/guide-walk.ts';
import { expect, test } from './support/window.ts';

const pictures = fileURLToPath(new URL('../docs/guide', import.meta.url));
/** Taken on purpose only; whether each picture is there is checked without a browser (U131). */
const PICTURED = process.env['GANTRY_GUIDE'] === 'write' ? (['en', 'zh'] as const) : [];

test('J50 the guide is read in the window: by a key, by its links, in the other language at the same place, and found by the search', async ({ open, page, gantry }) => {
  await open();
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  await goByLetters(page, 'h', '#/help');
  await expect(page.getByRole('heading', { level: 1, name: 'Start here' })).toBeVisible();
  await page.getByRole('article').getByRole('link', { name: 'The main job' }).first().click();
  // its own pictures, not those of the page before
  await expect(page.getByRole('heading', { level: 1, name: 'The main job' })).toBeVisible();
  const images = page.getByRole('article').getByRole('img');
  await expect.poll(() => images.count()).toBeGreaterThan(3);
  for (const image of await images.all()) {
    await image.scrollIntoViewIfNeeded();
    await expect.poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(1280);
  }
  await page.getByRole('link', { name: 'what evidence can show' }).click();
  await expect(page.getByRole('heading', { name: 'The record itself' })).toBeFocused();
  expect(await axeComplaints(page)).toEqual([]);

  await gantry.ask('settings:set', { language: 'zh', theme: 'dark' });
  await expect(page.getByRole('heading', { name: '记录本身' })).toBeVisible();
  expect(await axeComplaints(page)).toEqual([]);

  await searchFor(page, '漏斗');
  await page.getByRole('option', { name: /漏斗/ }).first().click();
  await expect(page.getByRole('heading', { name: '漏斗' })).toBeFocused();
  // a page of many tables
  expect(await axeComplaints(page)).toEqual([]);
  await page.goto(`${page.url().split('#')[0]}#/help/nothing`);
  await expect(page.getByRole('heading', { name: '指南中没有这一页' })).toBeVisible();
});

for (const lang of PICTURED) {
  test(`J51 the pictures of the guide are those of its journey, ${lang}`, async ({ page, gantry }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    // a plain environment: the pictures show which of its variables an app is given
    const { PATH = '', HOME = '' } = process.env;
    await page.goto(await gantry.start([`--lang=${lang}`], {}, { PATH, HOME, LANG: 'en_GB.UTF-8' }));
    await page.getByRole('main').waitFor();
    await walkForPictures(page, gantry, lang, join(pictures, lang, 'images'));
  });
}
