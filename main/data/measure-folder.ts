import { lstatSync, readdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { CleanupItem, DataOverview, DataPart } from '../../shared/data.ts';
import { DATA_PARTS } from '../../shared/data.ts';
import { databaseUse } from '../store/database-use.ts';
import { openReadOnly } from '../store/read-only.ts';
import type { TellProgress } from './data-jobs.ts';
import { LISTED, cleanupKindOf, ownerOfTail, partOf } from './data-places.ts';

export interface MeasureJob {
  readonly dataDir: string;
  readonly databasePath: string;
  /** ids of servers and of installations under way: what is theirs is in use */
  readonly used: readonly string[];
}

/** The overview without what only the host knows: the apps' names and the time. */
export type Measured = Omit<DataOverview, 'measuredAt' | 'apps'> & { readonly apps: readonly { readonly serverId: string; readonly packageBytes: number; readonly homeBytes: number }[] };

interface Size {
  sizeBytes: number;
  files: number;
  changedAt: number;
}

const TELL_EVERY = 2_000;

/** Adds up a folder without following links; a file with several names counts once. What cannot be read is named. */
class Sizes {
  readonly unread: string[] = [];
  readonly #seen = new Set<string>();
  readonly #tell: TellProgress;
  #files = 0;

  constructor(tell: TellProgress) {
    this.#tell = tell;
  }

  of(path: string): Size {
    const size: Size = { sizeBytes: 0, files: 0, changedAt: 0 };
    this.#add(path, size);
    return size;
  }

  #add(path: string, size: Size): void {
    try {
      const stat = lstatSync(path);
      size.changedAt = Math.max(size.changedAt, Math.floor(stat.mtimeMs));
      if (stat.isDirectory()) {
        for (const name of readdirSync(path)) this.#add(join(path, name), size);
        return;
      }
      if (!stat.isFile()) return;
      if (stat.nlink > 1) {
        const key = `${stat.dev}:${stat.ino}`;
        if (this.#seen.has(key)) return;
        this.#seen.add(key);
      }
      size.sizeBytes += stat.size;
      size.files += 1;
      this.#files += 1;
      if (this.#files % TELL_EVERY === 0) this.#tell('files', this.#files, null);
    } catch (error) {
      // gone between the list and the look: nothing to count
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.unread.push(path);
    }
  }
}

const MOST_UNREAD = 50;

/** Reads the whole data folder. Throws where the folder itself or the database cannot be read. */
export const measureFolder = async ({ dataDir, databasePath, used }: MeasureJob, tell: TellProgress): Promise<Measured> => {
  const inUse = new Set(used);
  const sizes = new Sizes(tell);
  const parts = new Map<DataPart, { sizeBytes: number; files: number }>(DATA_PARTS.map((part) => [part, { sizeBytes: 0, files: 0 }]));
  const apps = new Map<string, { packageBytes: number; homeBytes: number }>();
  const cleanup = new Map<string, CleanupItem>();
  const count = (top: string, place: string, size: Size): void => {
    const part = parts.get(partOf(top))!;
    part.sizeBytes += size.sizeBytes;
    part.files += size.files;
    const kind = cleanupKindOf(place, inUse);
    if (kind !== null) cleanup.set(place, { id: `${kind}:${place}`, kind, place, sizeBytes: size.sizeBytes, changedAt: size.changedAt });
  };
  for (const top of readdirSync(dataDir).toSorted()) {
    const path = join(dataDir, top);
    if (!LISTED.has(top) || !lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      const size = sizes.of(path);
      const owner = cleanup.get(ownerOfTail(top) ?? '');
      if (owner) cleanup.set(owner.place, { ...owner, sizeBytes: owner.sizeBytes + size.sizeBytes });
      count(top, top, size);
      continue;
    }
    for (const name of readdirSync(path).toSorted()) {
      const size = sizes.of(join(path, name));
      count(top, `${top}/${name}`, size);
      if (top !== 'apps' && top !== 'homes') continue;
      const serverId = name.replace(/^\.aside-/, '');
      if (serverId.startsWith('.')) continue;
      const app = apps.get(serverId) ?? { packageBytes: 0, homeBytes: 0 };
      app[top === 'apps' ? 'packageBytes' : 'homeBytes'] += size.sizeBytes;
      apps.set(serverId, app);
    }
  }
  tell('database', 0, null);
  const use = openReadOnly(databasePath).read(databaseUse);
  const all = [...parts.values()];
  return {
    dataDir,
    totalBytes: all.reduce((sum, part) => sum + part.sizeBytes, 0),
    files: all.reduce((sum, part) => sum + part.files, 0),
    freeBytes: await freeBytes(dataDir),
    parts: [...parts].map(([part, size]) => ({ part, ...size })),
    apps: [...apps].map(([serverId, size]) => ({ serverId, ...size })),
    database: { fileBytes: parts.get('database')!.sizeBytes, ...use },
    cleanup: [...cleanup.values()].filter((item) => item.sizeBytes > 0 || item.kind !== 'downloads'),
    unread: sizes.unread.slice(0, MOST_UNREAD).map((path) => path.slice(dataDir.length + 1)),
  };
};

/** Null where the system does not say. */
export const freeBytes = (path: string): Promise<number | null> => statfs(path).then(({ bavail, bsize }) => bavail * bsize, () => null);
