import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Transform } from 'node:stream';
import { ZipFile } from 'yazl';
import { BACKUP_FORMAT } from '../../../shared/backup.ts';
import type { BackupManifest } from '../../../shared/backup.ts';
import { LOCK_FILE, MANIFEST_FILE } from '../../market/file-manifest.ts';
import { copyDatabase } from '../../store/read-only.ts';
import { scrubCopy } from '../../store/prepare-restored.ts';
import { stagingOf } from '../../store/replacement.ts';
import type { TellProgress } from '../data-jobs.ts';
import { brokenRuns } from './broken-runs.ts';
import { DATABASE_ENTRY, MANIFEST_ENTRY, SECRETS_ENTRY, entryKind } from './entry-names.ts';
import { sealSecrets } from './sealed-secrets.ts';
import type { SecretValue } from './sealed-secrets.ts';

export interface WriteBackupJob {
  readonly databasePath: string;
  readonly dataDir: string;
  readonly target: string;
  readonly serverIds: readonly string[];
  readonly homes: boolean;
  /** in memory only, sealed when the hash of everything else is known; null: they stay out */
  readonly secrets: { readonly values: readonly SecretValue[]; readonly passphrase: string } | null;
  readonly about: Pick<BackupManifest, 'createdAt' | 'gantryVersion' | 'schemaVersion' | 'platform'>;
}
export interface WrittenBackup {
  readonly sizeBytes: number;
  readonly skipped: number;
  readonly brokenRuns: readonly string[];
}

/** A name that stands already is never overwritten: link refuses it. Not every file system has links. */
const giveName = (from: string, to: string): void => {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    if (existsSync(to)) throw Object.assign(new Error('the file is there already'), { code: 'EEXIST' });
    renameSync(from, to);
  }
};

interface Found {
  readonly path: string;
  readonly name: string;
  readonly executable: boolean;
}

/** Ordinary files of a home folder that a backup can hold; links, sockets and names that another system does not take are counted. */
const filesOf = (dir: string, name: string, found: Found[]): number => {
  let skipped = 0;
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) skipped += filesOf(path, `${name}/${entry.name}`, found);
    else if (entry.isFile() && entryKind(`${name}/${entry.name}`) !== null) found.push({ path, name: `${name}/${entry.name}`, executable: (lstatSync(path).mode & 0o100) !== 0 });
    else skipped += 1;
  }
  return skipped;
};

/**
 * Writes the file under a temporary name and gives it its own when it is whole. The database is copied by SQLite's own backup interface, so that the host
 * goes on; the manifest comes last and has the hash of what was written. Throws what the disk says, and EEXIST where the place was taken meanwhile.
 */
export const writeBackup = async (job: WriteBackupJob, tell: TellProgress): Promise<WrittenBackup> => {
  const staging = stagingOf(job.dataDir, randomBytes(6).toString('hex'));
  const partial = `${job.target}.${randomBytes(4).toString('hex')}.partial`;
  mkdirSync(staging, { mode: 0o700 });
  try {
    const copy = join(staging, 'gantry.db');
    tell('database', 0, null);
    await copyDatabase(job.databasePath, copy);
    scrubCopy(copy);
    const broken = await brokenRuns(copy, tell);
    const found: Found[] = [{ path: copy, name: DATABASE_ENTRY, executable: false }];
    for (const serverId of job.serverIds) {
      for (const file of [LOCK_FILE, MANIFEST_FILE]) {
        const path = join(job.dataDir, 'apps', serverId, file);
        if (existsSync(path)) found.push({ path, name: `apps/${serverId}/${file}`, executable: false });
      }
    }
    let skipped = 0;
    if (job.homes) for (const serverId of job.serverIds) if (existsSync(join(job.dataDir, 'homes', serverId))) skipped += filesOf(join(job.dataDir, 'homes', serverId), `homes/${serverId}`, found);
    const manifest: BackupManifest = { format: BACKUP_FORMAT, ...job.about, secrets: job.secrets === null ? 'none' : 'sealed', secretCount: job.secrets?.values.length ?? 0, homes: job.homes, skipped, files: [] };
    await writeZip(partial, found, job.secrets, manifest, tell);
    giveName(partial, job.target);
    return { sizeBytes: lstatSync(job.target).size, skipped, brokenRuns: broken.map((one) => one.runId) };
  } finally {
    rmSync(partial, { force: true });
    rmSync(staging, { recursive: true, force: true });
  }
};

const writeZip = async (target: string, found: readonly Found[], secrets: WriteBackupJob['secrets'], manifest: BackupManifest, tell: TellProgress): Promise<void> => {
  const zip = new ZipFile();
  const out = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  const written = finished(out);
  written.catch(() => {});
  const failure = new Promise<never>((_resolve, reject) => {
    zip.on('error', reject);
    out.on('error', reject);
  });
  failure.catch(() => {});
  zip.outputStream.pipe(out);
  const files: BackupManifest['files'] = [];
  for (const [i, { path, name, executable }] of found.entries()) {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        sizeBytes += chunk.length;
        done(null, chunk);
      },
    });
    const read = createReadStream(path);
    read.on('error', (error) => counted.destroy(error));
    zip.addReadStream(read.pipe(counted), name, { mode: 0o100600, mtime: new Date(manifest.createdAt) });
    await Promise.race([finished(counted), failure]);
    files.push({ path: name, sizeBytes, sha256: hash.digest('hex'), ...(executable ? { executable } : {}) });
    tell('write', i + 1, found.length);
  }
  if (secrets !== null) {
    const bytes = Buffer.from(await sealSecrets(secrets.values, secrets.passphrase, { ...manifest, files }), 'utf8');
    zip.addBuffer(bytes, SECRETS_ENTRY, { mode: 0o100600, mtime: new Date(manifest.createdAt) });
    files.push({ path: SECRETS_ENTRY, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  zip.addBuffer(Buffer.from(JSON.stringify({ ...manifest, files }), 'utf8'), MANIFEST_ENTRY, { mode: 0o100600, mtime: new Date(manifest.createdAt) });
  zip.end();
  await Promise.race([written, failure]);
};
