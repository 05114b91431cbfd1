import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { NONCE_MARK } from './main/shell/renderer-files.ts';
import { licenceFile } from './packaging/licences.ts';

/** What ships with the window, and under which terms, lies beside it. */
const licences: Plugin = {
  name: 'gantry-licences',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'licences.json', source: licenceFile(fileURLToPath(new URL('.', import.meta.url))) });
  },
};

/** The window, for both shells: external scripts only, and a mark that the shell replaces by a nonce of its own for each page it serves. */
export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react(), licences],
  // the form library's test set-up names a validator that compiles with eval; ours lets the host judge
  resolve: { alias: { '@rjsf/validator-ajv8': fileURLToPath(new URL('renderer/parts/host-judges-validator.ts', import.meta.url)) } },
  html: { cspNonce: NONCE_MARK },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // a data: address would be a script or font that the content policy refuses
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    // what the start needs is one script and one sheet: on loopback a further request costs more than the bytes in it
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'window', tags: ['$initial'] }] } } },
  },
});
