import { createHash } from 'node:crypto';
import { closeSync, constants, createWriteStream, fstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fromFdPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { BACKUP_FORMAT, BackupManifestSchema } from '../../../shared/backup.ts';
import type { BackupManifest } from '../../../shared/backup.ts';
import { fault } from '../../../shared/fault.ts';
import type { Fault } from '../../../shared/fault.ts';
import { err, ok } from '../../../shared/result.ts';
import type { Result } from '../../../shared/result.ts';
import { prepareRestored } from '../../store/prepare-restored.ts';
import { openReadOnly } from '../../store/read-only.ts';
import { listServers } from '../../store/servers.ts';
import type { ServerRow } from '../../store/servers.ts';
import { freeBytes } from '../measure-folder.ts';
import type { TellProgress } from '../data-jobs.ts';
import { brokenRuns } from './broken-runs.ts';
import { DATABASE_ENTRY, MANIFEST_ENTRY, SECRETS_ENTRY, entryKind, foldedName, foldersOf, placeOfEntry } from './entry-names.ts';

export interface ReadBackupJob {
  readonly path: string;
  /** a new folder, made here; whoever asked removes it where this fails */
  readonly staging: string;
  readonly dataDir: string;
  readonly schemaVersion: number;
  readonly acceptBroken: boolean;
}
export interface ReadBackup {
  readonly sizeBytes: number;
  readonly manifest: BackupManifest;
  readonly servers: readonly ServerRow[];
  readonly grants: number;
  readonly rules: number;
  readonly runs: number;
  readonly events: number;
  readonly brokenRuns: readonly string[];
  /** names at the top of the staging folder that take a place in the data folder */
  readonly incoming: readonly string[];
}

const MOST_ENTRIES = 200_002;
const MOST_MANIFEST_BYTES = 64 * 2 ** 20;
const MOST_SECRETS_BYTES = 64 * 2 ** 20;
/** DEFLATE cannot do better; what claims to is made to fill a disk. */
const MOST_RATIO = 1_040;
const SPARE_BYTES = 256 * 2 ** 20;
/** Answers of a disk that lie in an entry's name: this system cannot have it, or has it already under another spelling. */
const OF_THE_NAME = new Set(['ENAMETOOLONG', 'ENOTDIR', 'EEXIST', 'EISDIR', 'EILSEQ', 'EINVAL']);
const REGULAR = 0o100000;
const TYPE = 0o170000;

const invalid = (field: string, why: string): Result<never, Fault> =>
  err(fault('backup_invalid', `This is no whole backup of Gantry: ${why}. Nothing of it was taken over.`, { field, remedy: 'Take another copy of the backup, or make a new one.' }));

const judgeEntry = (entry: Entry, seen: Set<string>): string | null => {
  const name = entry.fileName;
  const kind = entryKind(name);
  if (kind === null) return 'a name that a backup does not have';
  const folded = foldedName(name);
  if (seen.has(folded)) return 'a name that stands there twice';
  seen.add(folded);
  const type = (entry.externalFileAttributes >>> 16) & TYPE;
  if (type !== 0 && type !== REGULAR) return 'a link or something else that is no ordinary file';
  if (entry.isEncrypted()) return 'encrypted';
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) return 'a compression that is not known';
  if (entry.uncompressedSize > 1024 && entry.uncompressedSize / Math.max(1, entry.compressedSize) > MOST_RATIO) return 'larger than its bytes can be';
  if (kind === 'manifest' && entry.uncompressedSize > MOST_MANIFEST_BYTES) return 'too large';
  return kind === 'secrets' && entry.uncompressedSize > MOST_SECRETS_BYTES ? 'too large' : null;
};

/** The whole directory of the file, judged before a byte of it is unpacked. */
const readEntries = async (zip: ZipFile, free: number): Promise<Result<ReadonlyMap<string, Entry>, Fault>> => {
  if (zip.entryCount > MOST_ENTRIES) return invalid('/', `${zip.entryCount} entries`);
  const entries = new Map<string, Entry>();
  const seen = new Set<string>();
  const folders = new Set<string>();
  let [total, stored] = [0, 0];
  for await (const entry of zip.eachEntry()) {
    const problem = judgeEntry(entry, seen);
    if (problem !== null) return invalid(`/entries/${entry.fileName.slice(0, 200)}`, problem);
    total += entry.uncompressedSize;
    stored += entry.compressedSize;
    // entries that share their bytes multiply what a small file unpacks to
    if (stored > zip.fileSize) return invalid(`/entries/${entry.fileName.slice(0, 200)}`, 'its entries lie over one another');
    for (const folder of foldersOf(entry.fileName)) folders.add(folder);
    if (total > free - SPARE_BYTES) return err(fault('data_write_failed', 'The backup needs more room than the disk has.', { field: '/path', remedy: 'Free some disk space, then try again.', details: { cause: 'ENOSPC', neededBytes: total } }));
    entries.set(entry.fileName, entry);
  }
  const both = [...entries.keys()].find((name) => folders.has(foldedName(name)));
  return both === undefined ? ok(entries) : invalid(`/entries/${both.slice(0, 200)}`, 'a name that is a file and a folder');
};

const readWhole = async (zip: ZipFile, entry: Entry): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const readManifest = async (zip: ZipFile, entry: Entry, schemaVersion: number): Promise<Result<BackupManifest, Fault>> => {
  let raw: unknown;
  try {
    raw = JSON.parse((await readWhole(zip, entry)).toString('utf8'));
  } catch {
    return invalid('/manifest', 'its manifest cannot be read');
  }
  const said = raw as { readonly format?: unknown; readonly gantryVersion?: unknown; readonly schemaVersion?: unknown } | null;
  const format = typeof said?.format === 'string' ? /^gantry-backup\/(\d{1,9})$/.exec(said.format) : null;
  if (!format) return invalid('/manifest/format', 'its manifest names no format of Gantry');
  if (said?.format !== BACKUP_FORMAT || (typeof said.schemaVersion === 'number' && said.schemaVersion > schemaVersion)) {
    return err(fault('backup_from_future', `This backup was made by a newer Gantry (${String(said?.gantryVersion).slice(0, 60)}). Nothing of it was taken over.`, { field: '/path', remedy: 'Update Gantry, then restore it.', details: { format: said?.format, schemaVersion: said?.schemaVersion, known: schemaVersion } }));
  }
  const parsed = BackupManifestSchema.safeParse(raw);
  return parsed.success ? ok(parsed.data) : invalid(`/manifest/${parsed.error.issues[0]?.path.join('/') ?? ''}`, 'its manifest does not fit its format');
};

/** Bytes, hash and name of each entry are those of the manifest; a byte more ends it. */
const unpack = async (zip: ZipFile, entry: Entry, file: BackupManifest['files'][number], target: string): Promise<Result<void, Fault>> => {
  const field = `/files/${file.path.slice(0, 200)}`;
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(bytes > file.sizeBytes ? new Error('larger than its manifest says') : null, chunk);
    },
  });
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    await pipeline(await zip.openReadStreamPromise(entry), counted, createWriteStream(target, { flags: 'wx', mode: file.executable === true ? 0o700 : 0o600 }));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (/^E[A-Z]+$/.test(code) && !OF_THE_NAME.has(code)) throw error;
    return invalid(field, `an entry cannot be unpacked (${(error as Error).message.slice(0, 100)})`);
  }
  return bytes === file.sizeBytes && hash.digest('hex') === file.sha256 ? ok(undefined) : invalid(field, 'an entry is not what its manifest says');
};

/** Nothing is waited for: a pipe would answer when somebody writes to it, and never. */
const openZip = async (path: string): Promise<Result<ZipFile, Fault>> => {
  const unreadable = (cause: string, why: string): Result<never, Fault> => err(fault('file_unreadable', `The file cannot be read (${why}).`, { field: '/path', remedy: 'Check the path and its rights.', details: { cause } }));
  let fd: number | null = null;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!fstatSync(fd).isFile()) {
      closeSync(fd);
      return unreadable('not_a_file', 'it is no file');
    }
    return ok(await fromFdPromise(fd, { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true }));
  } catch (error) {
    if (fd !== null) closeSync(fd);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) return invalid('/path', 'it is no zip file');
    return unreadable(code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : code === 'EACCES' || code === 'EPERM' ? 'permission' : code, code);
  }
};

/** Reads a backup from a stranger whole into `staging`, believing nothing of it: directory, manifest, hashes, database, chains. Throws what the disk says. */
export const readBackup = async (job: ReadBackupJob, tell: TellProgress): Promise<Result<ReadBackup, Fault>> => {
  const file = await openZip(job.path);
  if (!file.ok) return file;
  const zip = file.value;
  try {
    return await readOpened(zip, job, tell);
  } catch (error) {
    // yauzl says what it does not take by a plain error
    if (/^(E[A-Z]+|SQLITE_\w+|ERR_\w+)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return invalid('/entries', (error as Error).message.slice(0, 200));
  } finally {
    zip.close();
  }
};

const readOpened = async (zip: ZipFile, job: ReadBackupJob, tell: TellProgress): Promise<Result<ReadBackup, Fault>> => {
  const entries = await readEntries(zip, (await freeBytes(dirname(job.staging))) ?? Number.MAX_SAFE_INTEGER);
  if (!entries.ok) return entries;
  const own = entries.value.get(MANIFEST_ENTRY);
  if (!own) return invalid('/manifest', 'it has no manifest');
  const read = await readManifest(zip, own, job.schemaVersion);
  if (!read.ok) return read;
  const manifest = read.value;
  const named = new Set(manifest.files.map((file) => file.path));
  if (named.size !== manifest.files.length) return invalid('/manifest/files', 'its manifest names an entry twice');
  const extra = [...entries.value.keys()].find((name) => name !== MANIFEST_ENTRY && !named.has(name));
  if (extra !== undefined) return invalid(`/entries/${extra.slice(0, 200)}`, 'its manifest does not name an entry');
  if (!named.has(DATABASE_ENTRY)) return invalid(`/files/${DATABASE_ENTRY}`, 'it has no database');
  if ((manifest.secrets === 'sealed') !== named.has(SECRETS_ENTRY)) return invalid('/manifest/secrets', 'its secrets are not where its manifest says');
  mkdirSync(job.staging, { mode: 0o700 });
  for (const [i, file] of manifest.files.entries()) {
    const entry = entries.value.get(file.path);
    if (!entry || file.path === MANIFEST_ENTRY) return invalid(`/files/${file.path.slice(0, 200)}`, 'an entry is missing');
    const unpacked = await unpack(zip, entry, file, join(job.staging, placeOfEntry(file.path)));
    if (!unpacked.ok) return unpacked;
    tell('unpack', i + 1, manifest.files.length);
  }
  tell('database', 0, null);
  const database = join(job.staging, 'gantry.db');
  const prepared = prepareRestored(database, job.dataDir);
  if ('problem' in prepared) return invalid('/database', `its database cannot be used: ${prepared.problem}`);
  const broken = await brokenRuns(database, tell);
  if (broken.length > 0 && !job.acceptBroken) {
    return err(fault('backup_invalid', `The evidence of ${broken.length} run(s) in this backup does not hold: ${broken[0]!.reason}. Nothing of it was taken over.`, { field: `/database/runs/${broken[0]!.runId}`, remedy: 'Take another copy of the backup. Where the evidence did not hold before it was made, accept that with acceptBroken.', details: { runs: broken.slice(0, 20) } }));
  }
  const tops = new Set([...named].filter((name) => name !== SECRETS_ENTRY).map((name) => placeOfEntry(name).split('/')[0]!));
  const { grants, rules, runs, events } = prepared;
  return ok({ sizeBytes: zip.fileSize, manifest, servers: openReadOnly(database).read(listServers), grants, rules, runs, events, brokenRuns: broken.map((one) => one.runId), incoming: [...tops] });
};
