import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { sourceReferences } from './main/shell/bundle-plugin.ts';

const outDir = resolve(import.meta.dirname, 'dist/host');

/**
 * `vite build -c vite.host.config.ts` makes the loopback shell and its host for `npm start`: the same sources, with the packages they use, in a few files.
 * CommonJS, because an ES module that imports one name of node:http has Node load all of it, its own copy of undici included.
 * What has native parts, or is loaded only by an installation, stays in node_modules.
 */
export default defineConfig({
  plugins: [sourceReferences(outDir, 'cjs')],
  publicDir: false,
  ssr: { noExternal: true, external: ['better-sqlite3', '@napi-rs/keyring', '@npmcli/arborist', 'pacote', 'cacache'] },
  build: {
    ssr: true,
    outDir,
    emptyOutDir: false,
    target: 'node24',
    minify: false,
    sourcemap: false,
    rolldownOptions: {
      input: { serve: 'main/serve.ts' },
      output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' },
    },
  },
});
