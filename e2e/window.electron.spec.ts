import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, expect, test, type ElectronApplication } from '@playwright/test';
import { requestNames } from '../shared/contract/contract.ts';

// The project that runs this file exists only where Electron's binary is there (playwright.config.ts).
let app: ElectronApplication;

test.beforeEach(async () => {
  const asRoot = process.getuid?.() === 0;
  app = await _electron.launch({ args: [...(asRoot ? ['--no-sandbox'] : []), join(import.meta.dirname, '..'), '--', '--data-dir', mkdtempSync(join(tmpdir(), 'gantry-electron-'))] });
});
test.afterEach(() => app.close());

test('I25 the real window shows Gantry, isolated, without Node and under its content policy', async () => {
  const page = await app.firstWindow();
  await expect(page).toHaveTitle(/Gantry/);
  await expect(page.locator('#root > *').first()).toBeVisible();
  expect(await page.evaluate(() => [typeof (globalThis as { require?: unknown }).require, typeof (globalThis as { process?: unknown }).process])).toEqual(['undefined', 'undefined']);
  // run by the page itself, later: what the debugger evaluates is not under the page's policy
  await page.evaluate(() => {
    setTimeout('document.documentElement.dataset.evaluated = "yes"', 0);
    document.head.append(Object.assign(document.createElement('script'), { textContent: 'document.documentElement.dataset.inline = "yes"' }));
  });
  await page.waitForTimeout(200);
  expect(await page.evaluate(() => ({ ...document.documentElement.dataset }))).not.toMatchObject({ evaluated: 'yes' });
  expect(await page.evaluate(() => ({ ...document.documentElement.dataset }))).not.toMatchObject({ inline: 'yes' });
});

test('I28 the real preload exposes exactly the contract', async () => {
  const page = await app.firstWindow();
  const names = await page.evaluate(() => Object.keys((globalThis as unknown as { gantry: { request: object } }).gantry.request));
  expect([...names].sort()).toEqual([...requestNames].sort());
});

test('A19 a script in the real page cannot decide an approval', async () => {
  const page = await app.firstWindow();
  const answer = await page.evaluate(() =>
    (globalThis as unknown as { gantry: { request: Record<string, (input: object) => Promise<unknown>> } }).gantry.request['approvals:decide']?.({ approvalId: 'none', decision: 'approve' }),
  );
  expect(answer).toMatchObject({ ok: false, error: { code: 'forbidden' } });
});

test('I27 the real page can neither navigate away nor open a window', async () => {
  const page = await app.firstWindow();
  await page.evaluate(() => {
    location.href = 'https://example.org/';
    window.open('https://example.org/');
  });
  await page.waitForTimeout(500);
  expect(page.url()).toBe('app://gantry/index.html');
  expect(app.windows()).toHaveLength(1);
});
