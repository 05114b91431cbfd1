import { existsSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';

const REFERENCE = /new URL\(\s*(['"])(\.{1,2}\/[^'"]*)\1\s*,\s*import\.meta\.url\s*\)/g;

/**
 * The host names files beside its sources as `new URL('<relative>', import.meta.url)`. In the bundle all modules lie in one folder, so
 * a reference to a TypeScript file (a worker) becomes a chunk of its own, and one to anything else (assets) keeps pointing at the file in the package.
 */
export const sourceReferences = (outDir: string, extension: 'mjs' | 'cjs'): Plugin => ({
  name: 'gantry-source-references',
  // before vite's own handling of workers, which is for browsers
  enforce: 'pre',
  transform(code, id) {
    if (!/\.[mc]?ts$/.test(id) || !code.includes('import.meta.url')) return null;
    const replaced = code.replace(REFERENCE, (_whole, _quote: string, path: string) => {
      const target = resolve(dirname(id), path);
      if (target.endsWith('.ts') && existsSync(target)) {
        const fileName = `${basename(target, '.ts')}.${extension}`;
        this.emitFile({ type: 'chunk', id: target, fileName });
        return `new URL('./${fileName}', import.meta.url)`;
      }
      const trailing = path.endsWith('/') ? '/' : '';
      return `new URL(${JSON.stringify(relative(outDir, target).split(sep).join('/') + trailing)}, import.meta.url)`;
    });
    return replaced === code ? null : { code: replaced, map: null };
  },
});
