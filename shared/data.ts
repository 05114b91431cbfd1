import { z } from 'zod';

/** What lies in the data folder, by use. `window`: the browser profile or Electron's own folder. */
export const DATA_PARTS = ['database', 'packages', 'homes', 'downloads', 'logs', 'backups', 'set_aside', 'window', 'other'] as const;
export type DataPart = (typeof DATA_PARTS)[number];

/**
 * What may be removed without loss of anything that is in use:
 * downloads (from which damaged files of apps are mended without a network), a package or home that no server has, files and versions of a
 * package that were moved aside, copies of the database made before a migration, databases that were broken, data that a restore or reset set aside,
 * and what an interrupted removal left.
 */
export const CLEANUP_KINDS = ['downloads', 'orphan_package', 'orphan_home', 'aside_files', 'migration_copy', 'broken_database', 'set_aside_data', 'left_over'] as const;
export const CleanupItemSchema = z.object({
  /** stable while the thing is there: its kind and its place in the data folder */
  id: z.string(),
  kind: z.enum(CLEANUP_KINDS),
  /** relative to the data folder */
  place: z.string(),
  sizeBytes: z.number(),
  /** last change, ms since epoch */
  changedAt: z.number(),
});
export type CleanupItem = z.infer<typeof CleanupItemSchema>;

/** Bytes are those of the files, not of the blocks they take; links are not followed and count nothing. */
export const DataOverviewSchema = z.object({
  dataDir: z.string(),
  measuredAt: z.number(),
  totalBytes: z.number(),
  files: z.number(),
  /** free for this user on the folder's volume; null where the system does not say */
  freeBytes: z.number().nullable(),
  parts: z.array(z.object({ part: z.enum(DATA_PARTS), sizeBytes: z.number(), files: z.number() })),
  /** `name` null: no server has this id */
  apps: z.array(z.object({ serverId: z.string(), name: z.string().nullable(), packageBytes: z.number(), homeBytes: z.number() })),
  database: z.object({
    fileBytes: z.number(),
    /** inside the file and unused; deleting history gives it back */
    unusedBytes: z.number(),
    eventBytes: z.number(),
    resultBytes: z.number(),
    runs: z.number(),
    calls: z.number(),
  }),
  cleanup: z.array(CleanupItemSchema),
  /** what could not be read: it is in no sum */
  unread: z.array(z.string()),
});
export type DataOverview = z.infer<typeof DataOverviewSchema>;

/** Work on the data that takes a while, told as it goes. `total` null: not known before. */
export const DATA_JOBS = ['measure', 'cleanup', 'delete_history', 'backup', 'read_backup'] as const;
export const DataProgressSchema = z.object({ job: z.enum(DATA_JOBS), step: z.string(), done: z.number(), total: z.number().nullable() });
export type DataProgress = z.infer<typeof DataProgressSchema>;
