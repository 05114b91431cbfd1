import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { NONCE_MARK } from './main/shell/renderer-files.ts';

/** The window, for both shells: external scripts only, and a mark that the shell replaces by a nonce of its own for each page it serves. */
export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react()],
  html: { cspNonce: NONCE_MARK },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // a data: address would be a script or font that the content policy refuses
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
  },
});
