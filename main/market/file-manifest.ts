import { createHash, hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, readdirSync, readlinkSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';

/** Names in the root of an installed folder that Gantry writes; neither is listed in the manifest (the lock holds the manifest's hash). */
export const MANIFEST_FILE = 'gantry-files.json';
export const LOCK_FILE = 'package-lock.json';

/** SHA-256 hex, size in bytes, 1 when executable (0 on Windows, which has no such bit). */
export type FileFacts = readonly [sha256: string, sizeBytes: number, executable: 0 | 1];

/** Every file of an installed folder, and its links by target. Paths use `/`. */
export interface FileManifest {
  readonly format: 'gantry-files/1';
  readonly files: Readonly<Record<string, FileFacts>>;
  readonly links: Readonly<Record<string, string>>;
}

/** A name below the folder, in every part: what a manifest names is written and removed there, and the manifest may have come with a backup (M07). */
const isInside = (path: string): boolean => path !== '' && !path.includes('\0') && !(process.platform === 'win32' && /[\\:]/.test(path)) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
const leadsInside = ([path, target]: [string, unknown]): boolean => typeof target === 'string' && isInside(path) && !posix.isAbsolute(target) && !win32.isAbsolute(target) && isInside(posix.join(posix.dirname(path), target));

/** Parses a manifest whose hash has been checked; null for any other shape, and for one that names a place outside of its folder. By hand, because this runs before every start and zod alone takes 80 ms to load. */
export const parseManifest = (text: string): FileManifest | null => {
  const value = JSON.parse(text) as Partial<FileManifest> | null;
  const isMap = (map: unknown): map is Record<string, unknown> => typeof map === 'object' && map !== null && !Array.isArray(map);
  if (!isMap(value) || value.format !== 'gantry-files/1' || !isMap(value.files) || !isMap(value.links)) return null;
  const fileShape = (facts: unknown): boolean => Array.isArray(facts) && typeof facts[0] === 'string' && typeof facts[1] === 'number' && (facts[2] === 0 || facts[2] === 1);
  return Object.entries(value.files).every(([path, facts]) => isInside(path) && fileShape(facts)) && Object.entries(value.links).every(leadsInside) ? (value as FileManifest) : null;
};

const BUFFER_BYTES = 1_048_576;
let buffer: Buffer | undefined;

/** Hashes one regular file, holding at most 1 MiB of it. Throws ELOOP for a link, EISDIR for a folder. */
export const hashFile = (path: string, algorithm: 'sha256' | 'sha512' = 'sha256', encoding: 'hex' | 'base64' = 'hex'): { readonly digest: string; readonly sizeBytes: number; readonly executable: 0 | 1 } => {
  buffer ??= Buffer.allocUnsafe(BUFFER_BYTES);
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const stat = fstatSync(handle);
    const executable = process.platform !== 'win32' && (stat.mode & 0o111) !== 0 ? 1 : 0;
    if (stat.size < BUFFER_BYTES) {
      let filled = 0;
      for (let read = 1; read > 0 && filled < stat.size; filled += read) read = readSync(handle, buffer, filled, stat.size - filled, null);
      return { digest: hash(algorithm, buffer.subarray(0, filled), encoding), sizeBytes: stat.size, executable };
    }
    const running = createHash(algorithm);
    for (let read = readSync(handle, buffer); read > 0; read = readSync(handle, buffer)) running.update(buffer.subarray(0, read));
    return { digest: running.digest(encoding), sizeBytes: stat.size, executable };
  } finally {
    closeSync(handle);
  }
};

export const fileFacts = (path: string): FileFacts => {
  const { digest, sizeBytes, executable } = hashFile(path);
  return [digest, sizeBytes, executable];
};

/** What lies in a folder, in a stable order; links are not followed. `other` are sockets, devices and pipes. */
export interface Walked {
  readonly files: readonly string[];
  readonly links: readonly string[];
  readonly other: readonly string[];
}

export const walk = (root: string): Walked => {
  const found = { files: [] as string[], links: [] as string[], other: [] as string[] };
  const visit = (relative: string): void => {
    const entries = readdirSync(join(root, relative), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) found.files.push(path);
      else if (entry.isSymbolicLink()) found.links.push(path);
      else found.other.push(path);
    }
  };
  visit('');
  return found;
};

const isListed = (path: string): boolean => path !== MANIFEST_FILE && path !== LOCK_FILE;

/** Reads and hashes the whole folder. Throws I/O errors. */
export const makeManifest = (root: string): FileManifest => {
  const walked = walk(root);
  return {
    format: 'gantry-files/1',
    files: Object.fromEntries(walked.files.filter(isListed).map((path) => [path, fileFacts(join(root, path))])),
    links: Object.fromEntries(walked.links.map((path) => [path, readlinkSync(join(root, path))])),
  };
};

/** How a folder differs from its manifest. */
export interface Differences {
  /** listed, and missing or of other content, mode or target */
  readonly changed: readonly string[];
  /** not listed, of a kind that Node could load or a shell run: these do not stay in the folder */
  readonly foreign: readonly string[];
  /** not listed, plain data which an app wrote beside its code (a database, a journal, a log): these stay */
  readonly data: readonly string[];
}

/** Kinds of files that no resolver loads by itself; server-memory keeps its graph in such a file within its package. */
const INERT = /\.(?:jsonl|ndjson|txt|log|md|csv|tsv|pid|lock|tmp|bak|(?:db|sqlite3?)(?:-wal|-shm|-journal)?)$/i;

const unlistedFiles = (walked: Walked, manifest: FileManifest): readonly string[] =>
  walked.files.filter((path) => isListed(path) && !Object.hasOwn(manifest.files, path) && !Object.hasOwn(manifest.links, path));

/** Data files that the app wrote beside its code. Hashes nothing. */
export const unlistedData = (root: string, manifest: FileManifest): readonly string[] => unlistedFiles(walk(root), manifest).filter((path) => INERT.test(path));

const same = (path: string, [sha256, sizeBytes, executable]: FileFacts): boolean => {
  const found = hashFile(path);
  return found.digest === sha256 && found.sizeBytes === sizeBytes && found.executable === executable;
};

/** Hashes every listed file: sizes and times are no proof. Throws I/O errors. */
export const compareWithManifest = (root: string, manifest: FileManifest): Differences => {
  const walked = walk(root);
  const files = new Set(walked.files);
  const links = new Set(walked.links);
  const changedFiles = Object.entries(manifest.files).filter(([path, facts]) => !files.has(path) || !same(join(root, path), facts));
  const changedLinks = Object.entries(manifest.links).filter(([path, target]) => !links.has(path) || readlinkSync(join(root, path)) !== target);
  const unlisted = unlistedFiles(walked, manifest);
  const strangeLinks = walked.links.filter((path) => !Object.hasOwn(manifest.links, path) && !Object.hasOwn(manifest.files, path));
  return {
    changed: [...changedFiles, ...changedLinks].map(([path]) => path),
    foreign: [...unlisted.filter((path) => !INERT.test(path)), ...strangeLinks, ...walked.other],
    data: unlisted.filter((path) => INERT.test(path)),
  };
};
