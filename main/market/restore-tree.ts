import { copyFileSync, mkdirSync, mkdtempSync, chmodSync, lstatSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import cacache from 'cacache';
import npmFetch from 'npm-registry-fetch';
import pacote from 'pacote';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import { rootPackageJson } from './build-tree.ts';
import { fetchOptions } from './fetch-options.ts';
import { LOCK_FILE, compareWithManifest, hashFile } from './file-manifest.ts';
import type { FileFacts, FileManifest } from './file-manifest.ts';
import type { ContactNote } from '../network/outbound.ts';
import type { OutboundConfig } from '../network/proxy-route.ts';
import type { RegistryOptions } from './npm-config.ts';
import type { PackageRequest } from './package-request.ts';
import { registryFault } from './registry-fault.ts';
import { openSeal } from './seal.ts';
import type { Lock, OpenedSeal } from './seal.ts';
import { sriOf } from './seal-tree.ts';

export interface RestoreJob {
  readonly dir: string;
  readonly cacheDir: string;
  readonly lockSha256: string;
  readonly request: PackageRequest;
  /** of the app itself, as the person was told it */
  readonly integrity: string;
  readonly registry: RegistryOptions;
  readonly network: OutboundConfig;
  /** where files that do not belong there are put, never deleted; made when needed */
  readonly asideDir: string;
}

export interface Restored {
  readonly restored: readonly string[];
  readonly setAside: readonly string[];
  /** data files that the app wrote beside its code; left alone */
  readonly data: readonly string[];
}

/** The lock entry whose tarball holds a file: the nearest enclosing package that is not bundled in another. */
const packageOf = (lock: Lock, path: string): string | null => {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const location = path.slice(0, at);
    const entry = Object.hasOwn(lock.packages, location) ? lock.packages[location] : undefined;
    if (entry && entry.inBundle !== true && entry.integrity !== undefined) return location;
  }
  return null;
};

const matches = (path: string, expected: FileFacts): boolean => {
  try {
    const { digest, sizeBytes } = hashFile(path);
    return digest === expected[0] && sizeBytes === expected[1];
  } catch {
    return false;
  }
};

/** Makes every folder on the way to `path` a real one: a link or file in its place is removed first. */
const makeParents = (root: string, path: string): void => {
  const parts = path.split('/').slice(0, -1);
  for (let i = 1; i <= parts.length; i += 1) {
    const folder = join(root, ...parts.slice(0, i));
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat?.isDirectory()) continue;
    if (stat) rmSync(folder, { force: true });
    mkdirSync(folder);
  }
};

const put = (root: string, path: string, source: string, executable: 0 | 1): void => {
  makeParents(root, path);
  const target = join(root, path);
  const temporary = `${target}.gantry-restore`;
  copyFileSync(source, temporary);
  if (process.platform !== 'win32') chmodSync(temporary, executable === 1 ? 0o755 : 0o644);
  rmSync(target, { recursive: true, force: true });
  renameSync(temporary, target);
};

/**
 * The cache before the network, and of the network nothing but the registry of now, by name and integrity: where a lock says that a package lay elsewhere it is not
 * asked there, for the lock may have come with a backup, and a stranger's bytes fit a stranger's integrity.
 */
const fetchPackage = async (lock: Lock, location: string, into: string, job: RestoreJob, onContact?: (note: ContactNote) => void): Promise<void> => {
  const entry = lock.packages[location]!;
  const name = entry.name ?? location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const options = { ...fetchOptions(job.registry, job.cacheDir, job.network, onContact), preferOffline: true, integrity: entry.integrity };
  const published = `${name}@${entry.version}`;
  const resolved = entry.resolved !== undefined && URL.canParse(entry.resolved) ? entry.resolved : null;
  const known = resolved !== null && new URL(resolved).origin === new URL(npmFetch.pickRegistry(published, options)).origin;
  const cached = resolved !== null && !known && entry.integrity !== undefined && (await cacache.get.hasContent(job.cacheDir, entry.integrity)) !== false;
  if (resolved !== null && (known || cached)) await pacote.extract(`${name}@${resolved}`, into, { ...options, ...(cached ? { offline: true } : {}), resolved } as pacote.Options);
  else await pacote.extract(published, into, options as pacote.Options);
};

const restoreLinks = (job: RestoreJob, manifest: FileManifest, changed: readonly string[]): void => {
  for (const path of changed) {
    makeParents(job.dir, path);
    rmSync(join(job.dir, path), { recursive: true, force: true });
    symlinkSync(manifest.links[path]!, join(job.dir, path));
  }
};

const moveAside = (job: RestoreJob, foreign: readonly string[]): void => {
  for (const path of foreign) {
    mkdirSync(dirname(join(job.asideDir, path)), { recursive: true, mode: 0o700 });
    renameSync(join(job.dir, path), join(job.asideDir, path));
  }
};

const broken = (files: readonly string[], message: string): Result<never> =>
  err(fault('integrity_mismatch', message, { remedy: 'Remove the app and install it again.', details: { step: 'restore', files: files.slice(0, 20), count: files.length } }));

/** Opens the seal; a damaged lock or manifest comes back from its copy in the download cache, found by its hash. */
const reopenSeal = async (job: RestoreJob): Promise<Result<OpenedSeal & { readonly restored: readonly string[] }>> => {
  const restored: string[] = [];
  for (;;) {
    const seal = openSeal(job.dir, job.lockSha256);
    if (!('damaged' in seal)) return ok({ ...seal, restored });
    if (restored.includes(seal.damaged)) return broken([seal.damaged], 'The record of what was installed is damaged.');
    try {
      writeFileSync(join(job.dir, seal.damaged), await cacache.get.byDigest(job.cacheDir, sriOf(seal.expectedSha256)));
    } catch {
      return broken([seal.damaged], 'The record of what was installed is damaged and no good copy is left.');
    }
    restored.push(seal.damaged);
  }
};

const restoreFiles = async (job: RestoreJob, { lock, manifest }: OpenedSeal, files: readonly string[], scratch: string, onContact?: (note: ContactNote) => void): Promise<readonly string[]> => {
  const lost: string[] = [];
  const byPackage = Map.groupBy(files, (path) => packageOf(lock, path));
  let number = 0;
  for (const [location, paths] of byPackage) {
    const into = join(scratch, String((number += 1)));
    mkdirSync(into);
    if (location === null) writeFileSync(join(into, 'package.json'), rootPackageJson(job.request.name, job.request.version));
    else await fetchPackage(lock, location, into, job, onContact);
    for (const path of paths) {
      const source = join(into, location === null ? path : path.slice(location.length + 1));
      if (matches(source, manifest.files[path]!)) put(job.dir, path, source, manifest.files[path]![2]);
      else lost.push(path);
    }
  }
  return lost;
};

/**
 * Makes an installed folder again what its seal says: foreign files are set aside, damaged and missing ones come back from the tarballs
 * that the lock names (cache first, then registry, by integrity). It never accepts another content.
 * Errors: integrity_mismatch (details.files), network_failed, package_not_found.
 */
export const restoreTree = async (job: RestoreJob, onContact?: (note: ContactNote) => void): Promise<Result<Restored>> => {
  if (!lstatSync(job.dir, { throwIfNoEntry: false })?.isDirectory()) {
    rmSync(job.dir, { force: true });
    mkdirSync(job.dir, { recursive: true, mode: 0o700 });
  }
  const seal = await reopenSeal(job);
  if (!seal.ok) return seal;
  const { lock, manifest } = seal.value;
  const location = `node_modules/${job.request.name}`;
  const app = Object.hasOwn(lock.packages, location) ? lock.packages[location] : undefined;
  if (app?.version !== job.request.version || (app.name ?? job.request.name) !== job.request.name || (app.integrity ?? job.integrity) !== job.integrity) return broken([LOCK_FILE], `The record of what was installed is not one of ${job.request.name}@${job.request.version}.`);
  const { changed, foreign, data } = compareWithManifest(job.dir, manifest);
  moveAside(job, foreign);
  const files = changed.filter((path) => Object.hasOwn(manifest.files, path));
  restoreLinks(job, manifest, changed.filter((path) => Object.hasOwn(manifest.links, path)));
  const scratch = mkdtempSync(join(tmpdir(), 'gantry-restore-'));
  try {
    const lost = await restoreFiles(job, seal.value, files, scratch, onContact);
    if (lost.length > 0) return broken(lost, `${lost.length} file(s) differ from what was installed and cannot be restored.`);
    return ok({ restored: [...seal.value.restored, ...changed], setAside: foreign, data });
  } catch (error) {
    const failure = registryFault(error, 'restore', job.request);
    return err({ ...failure, details: { ...failure.details, files: files.slice(0, 20), count: files.length } });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};
