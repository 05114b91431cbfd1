import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { weakness } from '../../../shared/backup-passphrase.ts';
import type { BackupCreated, BackupManifest, BackupPreview } from '../../../shared/backup.ts';
import { fault } from '../../../shared/fault.ts';
import type { Fault } from '../../../shared/fault.ts';
import { err, ok } from '../../../shared/result.ts';
import type { Result } from '../../../shared/result.ts';
import type { Clock } from '../../clock.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { Store } from '../../store/database.ts';
import { latestVersion } from '../../store/migrate.ts';
import { migrations } from '../../store/migrations/all.ts';
import { countRuns, putSealed } from '../../store/prepare-restored.ts';
import { asideOf, newReplacement, stagingOf, writeReplacement } from '../../store/replacement.ts';
import { listServerIds } from '../../store/servers.ts';
import { fileStamp } from '../../store/set-aside.ts';
import type { TellProgress } from '../data-jobs.ts';
import { runDataJob } from '../run-data-job.ts';
import { SECRETS_ENTRY } from './entry-names.ts';
import { openSecrets } from './sealed-secrets.ts';
import type { SecretValue } from './sealed-secrets.ts';
import { MADE_PLACES } from '../../servers/auth/credentials.ts';
import { secretPlaces } from './secret-places.ts';

export interface BackupsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'openAll' | 'sealAll'>;
  readonly dataDir: string;
  readonly version: string;
  readonly onProgress: (job: 'backup' | 'read_backup') => TellProgress;
  /** aborted when the host closes */
  readonly closing: AbortSignal;
}

type Sealing = { readonly kind: 'none' } | { readonly kind: 'sealed'; readonly passphrase: string; readonly again: string };
interface Wanted {
  readonly path: string;
  readonly homes: boolean;
  readonly secrets: Sealing;
}
interface Read {
  readonly id: string;
  readonly staging: string;
  readonly incoming: readonly string[];
  readonly manifest: BackupManifest;
  readonly preview: BackupPreview;
}

const WEAK = { short: 'it has fewer than 12 characters', few_characters: 'it has fewer than 6 different characters', digits_only: 'it has digits alone' } as const;
const busy = (): Result<never, Fault> => err(fault('conflict', 'A backup is being made or read already.', { remedy: 'Wait until it is done.', details: { state: 'busy' } }));
const notAbsolute = (): Result<never, Fault> => err(fault('invalid_request', 'The path has to be absolute.', { field: '/path', remedy: 'Give it from the root of the disk.' }));

/** Whether a file would come to lie in a folder, through whatever links; false where its own folder is not there. */
const isWithin = (path: string, folder: string): boolean => {
  const way = existsSync(dirname(path)) ? relative(realpathSync(folder), realpathSync(dirname(path))) : '..';
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/** Making a backup, reading one, and putting it in the place of the present data. One at a time. */
export class Backups {
  readonly #deps: BackupsDeps;
  #busy = false;
  #read: Read | null = null;
  #work: Promise<unknown> = Promise.resolve();

  constructor(deps: BackupsDeps) {
    this.#deps = deps;
  }

  /** A free name in the person's documents or home folder. */
  suggest(): string {
    const folder = ['Documents', ''].map((name) => join(homedir(), name)).find((path) => existsSync(path)) ?? dirname(this.#deps.dataDir);
    const base = join(folder, `gantry-backup-${fileStamp(this.#deps.clock.now())}`);
    for (let n = 1; ; n += 1) {
      const path = `${base}${n === 1 ? '' : `-${n}`}.zip`;
      if (!existsSync(path)) return path;
    }
  }

  create(wanted: Wanted): Promise<Result<BackupCreated, Fault>> {
    return this.#alone(() => this.#create(wanted));
  }

  async #create({ path, homes, secrets: sealing }: Wanted): Promise<Result<BackupCreated, Fault>> {
    const { store, clock, dataDir, version, closing, onProgress } = this.#deps;
    if (!isAbsolute(path)) return notAbsolute();
    if (isWithin(path, dataDir)) return err(fault('invalid_request', 'The path lies in the data folder, which a reset or the loss of this disk takes away with it.', { field: '/path', remedy: 'Choose a folder outside of it.' }));
    if (existsSync(path)) return err(fault('conflict', 'Something stands at this path already; nothing is overwritten.', { field: '/path', remedy: 'Choose another name.', details: { state: 'exists' } }));
    if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) return err(fault('invalid_request', 'The folder of this path is not there.', { field: '/path', remedy: 'Choose a folder that exists.' }));
    const sealed = sealing.kind === 'none' ? ok(null) : this.#toSeal(sealing);
    if (!sealed.ok) return sealed;
    const serverIds = store.read(listServerIds);
    const about = { createdAt: clock.now(), gantryVersion: version, schemaVersion: latestVersion(migrations), platform: process.platform };
    const written = await runDataJob('write_backup', { databasePath: store.path, dataDir, target: path, serverIds, homes, secrets: sealed.value, about }, { signal: closing, onProgress: onProgress('backup') });
    if (!written.ok) return written;
    const { sizeBytes, skipped, brokenRuns } = written.value;
    return ok({ path, sizeBytes, servers: serverIds.length, runs: store.read(countRuns), secretCount: sealed.value?.values.length ?? 0, skipped, brokenRuns: [...brokenRuns] });
  }

  #toSeal({ passphrase, again }: { readonly passphrase: string; readonly again: string }): Result<{ readonly values: readonly SecretValue[]; readonly passphrase: string }, Fault> {
    const weak = weakness(passphrase);
    if (weak) return err(fault('invalid_request', `The passphrase is too weak for a file: ${WEAK[weak]}.`, { field: '/secrets/passphrase', remedy: 'Take several words, or at least 12 different characters.', details: { weakness: weak } }));
    if (passphrase !== again) return err(fault('invalid_request', 'The passphrase was not the same twice.', { field: '/secrets/again', remedy: 'Enter it once more.' }));
    const values = this.#deps.secrets.openAll();
    if (!values.ok) return values;
    // a refresh token is used up by the first of two that have it: where a backup comes back, people sign in again
    const kept = values.value.filter(({ place }) => !MADE_PLACES.includes(place));
    return ok({ values: kept, passphrase });
  }

  read(path: string, acceptBroken: boolean): Promise<Result<{ readonly preview: BackupPreview }, Fault>> {
    return this.#alone(async () => {
      const { dataDir, closing, onProgress } = this.#deps;
      if (!isAbsolute(path)) return notAbsolute();
      await this.#drop();
      const id = randomBytes(6).toString('hex');
      const staging = stagingOf(dataDir, id);
      const answered = await runDataJob('read_backup', { path, staging, dataDir, schemaVersion: latestVersion(migrations), acceptBroken }, { signal: closing, onProgress: onProgress('read_backup') });
      const read = answered.ok ? answered.value : answered;
      if (!read.ok) {
        await runDataJob('remove', [staging]);
        return read;
      }
      const { sizeBytes, manifest, incoming, servers, grants, rules, runs, events, brokenRuns } = read.value;
      const { createdAt, gantryVersion, platform, homes, skipped, secrets, secretCount } = manifest;
      const preview: BackupPreview = {
        previewId: randomUUID(), path, createdAt, gantryVersion, platform, sizeBytes,
        servers: servers.map((row) => ({ id: row.id, name: row.name, kind: row.spec.kind })),
        grants, rules, runs, events, homes, skipped, secrets, secretCount, secretPlaces: servers.flatMap(secretPlaces), brokenRuns: [...brokenRuns],
      };
      this.#read = { id, staging, incoming, manifest, preview };
      return ok({ preview });
    });
  }

  async forget(previewId: string): Promise<void> {
    if (this.#read?.preview.previewId === previewId) await this.#drop();
  }

  /** Writes down what is to be done; the next opening of the folder does it. */
  restore(previewId: string, passphrase: string | undefined): Promise<Result<{ readonly setAside: string; readonly secrets: 'none' | 'restored' | 'left_out' }, Fault>> {
    return this.#alone(async () => {
      const read = this.#read;
      if (read?.preview.previewId !== previewId) return err(fault('not_found', 'This preview is gone.', { field: '/previewId', remedy: 'Read the backup again.' }));
      const { dataDir, clock, secrets } = this.#deps;
      const sealed = read.preview.secrets === 'sealed';
      if (sealed && passphrase !== undefined) {
        const values = await openSecrets(readFileSync(join(read.staging, SECRETS_ENTRY), 'utf8'), passphrase, read.manifest);
        if (!values.ok) return values;
        const { rows, wraps } = await secrets.sealAll(values.value, passphrase);
        putSealed(join(read.staging, 'gantry.db'), rows, wraps, clock.now());
      }
      const names = [...new Set(['gantry.db', 'gantry.db-wal', 'gantry.db-shm', 'apps', ...read.incoming])];
      const replacement = newReplacement(dataDir, clock.now(), { id: read.id, kind: 'restore', incoming: [...read.incoming], outgoing: names.map((name) => ({ name, to: 'aside' as const })), forget: [], stripSecrets: false, backupAt: read.preview.createdAt });
      writeReplacement(dataDir, replacement);
      this.#read = null;
      return ok({ setAside: asideOf(dataDir, replacement.aside), secrets: !sealed ? 'none' : passphrase === undefined ? 'left_out' : 'restored' });
    });
  }

  /** Resolves when nothing of it writes any more; `closing` has been aborted before. */
  async close(): Promise<void> {
    await this.#work;
    await this.#drop();
  }

  async #drop(): Promise<void> {
    const read = this.#read;
    this.#read = null;
    if (read) await runDataJob('remove', [read.staging]);
  }

  async #alone<T>(work: () => Promise<Result<T, Fault>>): Promise<Result<T, Fault>> {
    if (this.#busy) return busy();
    this.#busy = true;
    const doing = work().finally(() => (this.#busy = false));
    this.#work = doing.catch(() => {});
    return doing;
  }
}
