import { defineConfig } from 'vitest/config';

const full = process.env['GANTRY_FULL'] === '1';

export default defineConfig({
  test: {
    include: ['{shared,main,preload,renderer,e2e,bench,packaging}/**/*.test.{ts,tsx}', '.ci/*.test.mjs'],
    exclude: ['**/node_modules/**', ...(full ? [] : ['**/*.full.test.ts'])],
    pool: 'forks',
    // a good part of them wait for processes and deadlines: four keep two cores busy
    maxWorkers: 4,
    // a busy machine is no failure
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
});
