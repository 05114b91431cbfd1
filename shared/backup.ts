import { z } from 'zod';

/** The last moment a Date can hold, in ms since epoch (ECMA-262, 21.4.1.1). */
const LAST_TIME = 8.64e15;

export const BACKUP_FORMAT = 'gantry-backup/1';
export const BackupFileSchema = z.strictObject({ path: z.string().max(1024), sizeBytes: z.number().int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/), executable: z.boolean().optional() });
/** `manifest.json` of a backup: every other entry of the file is named here, once, with its hash. Times in ms since epoch. */
export const BackupManifestSchema = z.object({
  format: z.literal(BACKUP_FORMAT),
  createdAt: z.number().int().min(0).max(LAST_TIME),
  gantryVersion: z.string().max(100),
  schemaVersion: z.number().int().min(1),
  platform: z.string().max(100),
  secrets: z.enum(['none', 'sealed']),
  secretCount: z.number().int().min(0),
  homes: z.boolean(),
  /** links, sockets and the like in home folders, which a backup does not hold */
  skipped: z.number().int().min(0),
  files: z.array(BackupFileSchema).max(200_000),
});
export type BackupManifest = z.infer<typeof BackupManifestSchema>;

export const BackupCreatedSchema = z.object({ path: z.string(), sizeBytes: z.number(), servers: z.number(), runs: z.number(), secretCount: z.number(), skipped: z.number(), brokenRuns: z.array(z.string()) });
export type BackupCreated = z.infer<typeof BackupCreatedSchema>;

/** What a backup holds, read whole and checked; nothing of it is in use. */
export const BackupPreviewSchema = z.object({
  previewId: z.string(),
  path: z.string(),
  createdAt: z.number(),
  gantryVersion: z.string(),
  platform: z.string(),
  sizeBytes: z.number(),
  servers: z.array(z.object({ id: z.string(), name: z.string(), kind: z.enum(['builtin', 'npm', 'command', 'http']) })),
  grants: z.number(),
  rules: z.number(),
  runs: z.number(),
  events: z.number(),
  homes: z.boolean(),
  skipped: z.number(),
  secrets: z.enum(['none', 'sealed']),
  secretCount: z.number(),
  /** places that need a secret: what is to be entered again where the secrets stay out */
  secretPlaces: z.array(z.object({ serverId: z.string(), place: z.string() })),
  /** runs whose chain did not hold when they were read; they come over as they are */
  brokenRuns: z.array(z.string()),
});
export type BackupPreview = z.infer<typeof BackupPreviewSchema>;
