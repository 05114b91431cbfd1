/** Names of a backup's entries, and no others: a file that brings one more is refused. */
export const DATABASE_ENTRY = 'database/gantry.db';
export const SECRETS_ENTRY = 'secrets.json';
export const MANIFEST_ENTRY = 'manifest.json';

const SERVER = '[a-z0-9][a-z0-9-]{0,47}';
const LOCK = new RegExp(`^apps/${SERVER}/(package-lock\\.json|gantry-files\\.json)$`);
const HOME = new RegExp(`^homes/${SERVER}/(.+)$`);
/** What no system takes, or takes for something else: separators of Windows, streams, controls, devices, ends in a dot or a blank. */
// oxlint-disable-next-line no-control-regex
const ODD = /[\\:*?"<>|\u0000-\u001f\u007f]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Folders within one another in a home folder: each is made before anything else of its entry is known to fit. */
const MOST_PARTS = 64;

export type EntryKind = 'manifest' | 'database' | 'secrets' | 'lock' | 'home';

/** Null for a name that a backup does not have. */
export const entryKind = (name: string): EntryKind | null => {
  if (name === MANIFEST_ENTRY) return 'manifest';
  if (name === DATABASE_ENTRY) return 'database';
  if (name === SECRETS_ENTRY) return 'secrets';
  if (LOCK.test(name)) return 'lock';
  const inside = HOME.exec(name)?.[1];
  if (inside === undefined || name.length > 1024) return null;
  const parts = inside.split('/');
  return parts.length <= MOST_PARTS && parts.every((part) => part !== '' && part !== '.' && part !== '..' && Buffer.byteLength(part) <= 255 && !ODD.test(part)) ? 'home' : null;
};

/** Where an entry lies below the folder that takes its place. */
export const placeOfEntry = (name: string): string => (name === DATABASE_ENTRY ? 'gantry.db' : name);

/** Two names that some system takes for one. */
export const foldedName = (name: string): string => name.normalize('NFC').toLowerCase();

/** The folders that an entry lies in, as `foldedName` has them. */
export const foldersOf = (name: string): readonly string[] => [...foldedName(name).matchAll(/\//g)].map(({ index }) => foldedName(name).slice(0, index));
