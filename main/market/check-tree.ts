import { lstatSync } from 'node:fs';
import { compareWithManifest } from './file-manifest.ts';
import { openSeal } from './seal.ts';

export interface CheckJob {
  readonly dir: string;
  readonly lockSha256: string;
}

export interface Checked {
  readonly clean: boolean;
  readonly data: readonly string[];
}

/**
 * Whether an installed folder is byte for byte what was installed, apart from plain data the app wrote there. This is what stands before every start,
 * so it loads nothing but Node's own modules. Throws I/O errors.
 */
export const checkTree = ({ dir, lockSha256 }: CheckJob): Checked => {
  if (!lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()) return { clean: false, data: [] };
  const seal = openSeal(dir, lockSha256);
  if ('damaged' in seal) return { clean: false, data: [] };
  const { changed, foreign, data } = compareWithManifest(dir, seal.manifest);
  return { clean: changed.length + foreign.length === 0, data };
};
