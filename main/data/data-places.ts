import type { CleanupItem, DataPart } from '../../shared/data.ts';
import { SET_ASIDE } from '../store/replacement.ts';

/** A thing about to be removed is renamed to this first, so that it is gone at once and a crash leaves it where a start finds it. */
export const TRASH = /^\.trash-[0-9a-f]{12}$/;
/** Contents of a backup under examination; without a replacement that waits for it, it is nobody's. */
export const STAGING = /^\.restore-[0-9a-f]{12}$/;

const BROKEN = /^gantry\.broken-.+\.db$/;
const BROKEN_TAIL = /^(gantry\.broken-.+\.db)-(wal|shm)$/;
const MIGRATION_COPY = /^gantry-v\d+-.+\.db$/;

/** The use of an entry at the top of the data folder. */
export const partOf = (name: string): DataPart => {
  if (/^gantry\.db(-wal|-shm)?$/.test(name)) return 'database';
  if (name.startsWith('gantry.broken-') || name === SET_ASIDE) return 'set_aside';
  const named: Readonly<Record<string, DataPart>> = { apps: 'packages', homes: 'homes', cache: 'downloads', logs: 'logs', backups: 'backups', browser: 'window', electron: 'window', 'window.json': 'window' };
  return named[name] ?? 'other';
};

/** Folders of which each entry is one thing. */
export const LISTED = new Set(['apps', 'homes', 'backups', SET_ASIDE]);

/**
 * What may be removed at a place, as `name` or `folder/name`; null for what is in use or not known. `used`: ids of servers, of any state, and of
 * installations under way.
 */
export const cleanupKindOf = (place: string, used: ReadonlySet<string>): CleanupItem['kind'] | null => {
  const [folder = '', name, ...deeper] = place.split('/');
  if (deeper.length > 0) return null;
  if (name === undefined) {
    if (folder === 'cache') return 'downloads';
    if (BROKEN.test(folder)) return 'broken_database';
    return TRASH.test(folder) ? 'left_over' : null;
  }
  if (folder === 'apps') {
    if (name.startsWith('.aside-')) return 'aside_files';
    return /^[a-z0-9]/.test(name) && !used.has(name) ? 'orphan_package' : null;
  }
  if (folder === 'homes') return !used.has(name) ? 'orphan_home' : null;
  if (folder === 'backups') return MIGRATION_COPY.test(name) ? 'migration_copy' : null;
  return folder === SET_ASIDE && name !== '' ? 'set_aside_data' : null;
};

/** The database to which a log beside it belongs: they are one thing. */
export const ownerOfTail = (name: string): string | null => BROKEN_TAIL.exec(name)?.[1] ?? null;

/** A broken database goes with its logs. */
export const pathsOf = (place: string): readonly string[] => (BROKEN.test(place) ? [place, `${place}-wal`, `${place}-shm`] : [place]);
