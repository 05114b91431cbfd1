import { LONG_RUN_TITLE } from './fixtures/full-folder/calls.ts';
import { fillFolder } from './fixtures/full-folder/fill.ts';
import { BRISK } from './fixtures/full-folder/sizes.ts';
import { expect, test } from './support/window.ts';

test('J89 RV03 a run of two thousand events draws what is in sight while it is scrolled, and tells how long the window was held', async ({ gantry, open, page }) => {
  await fillFolder(gantry.dataDir, BRISK);
  await open();
  const { runs } = await gantry.ask('runs:list', { words: LONG_RUN_TITLE, limit: 1 });
  await page.evaluate((to) => { location.hash = to; }, `#/runs/${runs[0]!.id}`);
  const spans = page.getByRole('list', { name: 'Where the time went' });
  await expect(spans.getByRole('listitem').first()).toBeVisible();
  await page.getByText('Whole run', { exact: true }).click();
  await expect(page.getByRole('list', { name: 'Evidence' }).getByRole('listitem').first()).toBeVisible();
  const tasks = await page.evaluate(async () => {
    const found: number[] = [];
    const watch = new PerformanceObserver((list) => found.push(...list.getEntries().map(({ duration }) => duration)));
    watch.observe({ type: 'longtask' });
    const main = document.getElementById('main')!;
    const own = document.querySelector('ol[aria-label="Where the time went"]')!.parentElement!;
    for (let step = 0; step < 120; step += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      (step % 2 === 0 ? main : own).scrollBy({ top: 400 });
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    watch.disconnect();
    return found.sort((a, b) => b - a);
  });
  console.log(`tasks above 50 ms while scrolling: ${tasks.length}, the longest ${Math.round(tasks[0] ?? 0)} ms`);
  // how long a task takes by the clock hangs on what else the machine does: it is told; what is drawn is what keeps it short
  expect(await spans.getByRole('listitem').count()).toBeLessThan(60);
  expect(await page.getByRole('main').getByRole('listitem').count()).toBeLessThan(260);
  expect(Number(await spans.getByRole('listitem').first().getAttribute('aria-setsize'))).toBeGreaterThan(BRISK.longRunCalls - 1);
});
