import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findChromium } from './.ci/browser.mjs';

const root = import.meta.dirname;
const chromium = findChromium();

/** Electron's binary, where its package could fetch it. */
const electronBinary = (): string | null => {
  const folder = join(root, 'node_modules', 'electron');
  const name = join(folder, 'path.txt');
  const binary = existsSync(name) ? join(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist'), readFileSync(name, 'utf8')) : '';
  return binary !== '' && existsSync(binary) ? binary : null;
};

/** Chromium asks its maker nothing: the journeys stay on 127.0.0.1. Root has no sandbox. */
const ARGS = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-default-apps', '--no-first-run', '--disable-features=OptimizationHints,MediaRouter,Translate'];

/** Journeys. `*.electron.spec.ts` run in Electron where its binary is there, all others in a browser on the loopback shell. */
export default defineConfig({
  testDir: './e2e',
  outputDir: './e2e/out/results',
  // a journey waits for its window more than it works: three keep two cores busy
  workers: 3,
  fullyParallel: true,
  retries: 0,
  // a busy machine is no failure: what hangs is found by the step's own limit
  timeout: 600_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: [['line']],
  use: { actionTimeout: 60_000, trace: 'retain-on-failure', screenshot: 'only-on-failure', timezoneId: 'UTC', locale: 'en-GB' },
  projects: [
    {
      name: 'loopback',
      testMatch: '**/*.spec.ts',
      testIgnore: ['**/*.electron.spec.ts', ...(process.env['GANTRY_FULL'] === '1' ? [] : ['**/*.full.spec.ts'])],
      use: {
        browserName: 'chromium',
        launchOptions: { ...(chromium ? { executablePath: chromium } : {}), args: [...ARGS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])] },
      },
    },
    ...(electronBinary() ? [{ name: 'electron', testMatch: '**/*.electron.spec.ts' }] : []),
  ],
});
