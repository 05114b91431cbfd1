import { defineConfig } from 'vitest/config';

const full = process.env['GANTRY_FULL'] === '1';

export default defineConfig({
  test: {
    include: full ? ['{shared,main,preload,renderer,e2e,bench}/**/*.test.{ts,tsx}'] : ['{shared,main,preload,renderer}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', ...(full ? [] : ['**/*.full.test.ts'])],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
