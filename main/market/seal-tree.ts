import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import cacache from 'cacache';
import { LOCK_FILE, MANIFEST_FILE, makeManifest } from './file-manifest.ts';
import { sha256 } from './seal.ts';

export interface SealJob {
  readonly dir: string;
  readonly cacheDir: string;
}

export interface Sealed {
  readonly lockSha256: string;
  readonly sizeBytes: number;
  readonly fileCount: number;
}

/** The Subresource Integrity form of a SHA-256 in hex, as the download cache wants it. */
export const sriOf = (sha256Hex: string): string => `sha256-${Buffer.from(sha256Hex, 'hex').toString('base64')}`;

/**
 * Writes the manifest of all files, puts its hash into the lock, and gives the lock's hash: that one number, kept in the store,
 * covers every dependency's integrity and every byte of the folder. Copies of both go into the download cache under their hash,
 * so that a damaged one can be put back. Throws I/O errors.
 */
export const sealTree = async ({ dir, cacheDir }: SealJob): Promise<Sealed> => {
  const manifest = makeManifest(dir);
  const manifestText = JSON.stringify(manifest);
  const lock = JSON.parse(readFileSync(join(dir, LOCK_FILE), 'utf8')) as object;
  const lockText = `${JSON.stringify({ ...lock, gantry: { filesSha256: sha256(manifestText) } }, null, 2)}\n`;
  writeFileSync(join(dir, MANIFEST_FILE), manifestText);
  writeFileSync(join(dir, LOCK_FILE), lockText);
  for (const text of [manifestText, lockText]) await cacache.put(cacheDir, `gantry-seal:${sha256(text)}`, text, { algorithms: ['sha256'] });
  const facts = Object.values(manifest.files);
  return { lockSha256: sha256(lockText), sizeBytes: facts.reduce((sum, [, size]) => sum + size, 0), fileCount: facts.length };
};
