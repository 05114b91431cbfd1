import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { sourceReferences } from './main/shell/bundle-plugin.ts';
import { requestNames } from './shared/contract/contract.ts';
import { eventNames } from './shared/contract/event-names.ts';

const outDir = resolve(import.meta.dirname, 'dist/electron');
const builtin = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`), 'electron']);
/** JSON of a package is taken into the bundle: an import of it from outside would lose its `with { type: 'json' }`. */
const isPackage = (id: string): boolean => !/^[./\0]/.test(id) && !/^[A-Za-z]:[\\/]/.test(id) && !id.endsWith('.json');

/**
 * `vite build -c vite.electron.config.ts` makes main.mjs (an ES module with its workers; packages stay in node_modules),
 * with `--mode preload` preload.cjs: one CommonJS file that needs nothing but electron, as a sandboxed preload must.
 */
export default defineConfig(({ mode }) => ({
  plugins: mode === 'preload' ? [] : [sourceReferences(outDir, 'mjs')],
  define: mode === 'preload' ? { __REQUEST_NAMES__: JSON.stringify(requestNames), __EVENT_NAMES__: JSON.stringify(eventNames) } : {},
  publicDir: false,
  build: {
    ssr: true,
    outDir,
    emptyOutDir: false,
    target: 'node24',
    minify: false,
    sourcemap: false,
    rolldownOptions: {
      input: mode === 'preload' ? { preload: 'preload/preload.ts' } : { main: 'main/electron.ts' },
      external: mode === 'preload' ? (id: string) => builtin.has(id) : (id: string) => builtin.has(id) || isPackage(id),
      output: mode === 'preload' ? { format: 'cjs', entryFileNames: '[name].cjs' } : { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
  ssr: mode === 'preload' ? { noExternal: true, external: ['electron'] } : { noExternal: [/\.json$/] },
}));
