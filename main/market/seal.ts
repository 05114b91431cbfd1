import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCK_FILE, MANIFEST_FILE, parseManifest } from './file-manifest.ts';
import type { FileManifest } from './file-manifest.ts';

/** The parts of an npm lock (version 3) that Gantry reads, and the hash of the file manifest, which Gantry adds. */
export interface Lock {
  readonly packages: Readonly<Record<string, { readonly name?: string; readonly version?: string; readonly resolved?: string; readonly integrity?: string; readonly inBundle?: boolean }>>;
  readonly gantry?: { readonly filesSha256: string };
}

export const sha256 = (text: string | Uint8Array): string => hash('sha256', text, 'hex');

/** Null for anything but an npm lock with packages. */
export const parseLock = (text: string): Lock | null => {
  try {
    const lock = JSON.parse(text) as { packages?: unknown; gantry?: { filesSha256?: unknown } } | null;
    if (typeof lock?.packages !== 'object' || lock.packages === null) return null;
    if (lock.gantry !== undefined && typeof lock.gantry.filesSha256 !== 'string') return null;
    return Object.values(lock.packages).every((entry) => typeof entry === 'object' && entry !== null) ? (lock as Lock) : null;
  } catch {
    return null;
  }
};

const readTrusted = (path: string, expected: string): string | null => {
  try {
    const bytes = readFileSync(path);
    return sha256(bytes) === expected ? bytes.toString('utf8') : null;
  } catch {
    return null;
  }
};

export interface OpenedSeal {
  readonly lock: Lock;
  readonly manifest: FileManifest;
}

/**
 * Lock and manifest of an installed folder, trusting nothing but `lockSha256`, which the store keeps: the lock holds every dependency's
 * integrity and the hash of the manifest, the manifest the hash of every file. Else the name of the damaged one, with the hash it must have.
 */
export const openSeal = (dir: string, lockSha256: string): OpenedSeal | { readonly damaged: string; readonly expectedSha256: string } => {
  const lockText = readTrusted(join(dir, LOCK_FILE), lockSha256);
  const lock = lockText === null ? null : parseLock(lockText);
  if (lock?.gantry === undefined) return { damaged: LOCK_FILE, expectedSha256: lockSha256 };
  const manifestText = readTrusted(join(dir, MANIFEST_FILE), lock.gantry.filesSha256);
  const manifest = manifestText === null ? null : parseManifest(manifestText);
  return manifest === null ? { damaged: MANIFEST_FILE, expectedSha256: lock.gantry.filesSha256 } : { lock, manifest };
};
