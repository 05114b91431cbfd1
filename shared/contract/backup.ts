import { z } from 'zod';
import { BackupCreatedSchema, BackupPreviewSchema } from '../backup.ts';
import { Empty, request } from './define.ts';

const path = z.string().min(1).max(4096);
const passphrase = z.string().max(1024).optional();
const Secrets = z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('none') }), z.strictObject({ kind: z.literal('sealed'), passphrase: z.string().max(1024), again: z.string().max(1024) })]);

export const backupRequests = {
  /** A place for a new backup that nothing stands at. */
  'backup:suggest': request('read', Empty, z.object({ path: z.string() })),
  /**
   * One file: database, locks of installed apps, and where asked for home folders and sealed secrets. `path` is absolute and free. Errors: invalid_request
   * (`/path`, `/secrets/passphrase`, `/secrets/again`), conflict, data_write_failed, secret_store_locked, cancelled.
   */
  'backup:create': request('write', z.object({ path, homes: z.boolean().default(false), secrets: Secrets.default({ kind: 'none' }) }), BackupCreatedSchema),
  /** Reads and checks a backup whole, beside the data. Errors: backup_invalid (field), backup_from_future, file_unreadable, data_write_failed. */
  'backup:read': request('write', z.object({ path, acceptBroken: z.boolean().default(false) }), z.object({ preview: BackupPreviewSchema })),
  'backup:forget': request('write', z.object({ previewId: z.string() }), Empty),
  /**
   * Puts what was read in the place of the present data, which is set aside; with `path` it is read first, as
   * backup:read does. Servers come up switched off and ask for consent again. Without
   * `passphrase` sealed secrets stay out. Errors: not_found, wrong_passphrase, and those of bringing it in: then everything is as it was.
   */
  'backup:restore': request('write', z.union([z.strictObject({ previewId: z.string(), passphrase }), z.strictObject({ path, acceptBroken: z.boolean().default(false), passphrase })]), z.object({ setAside: z.string(), secrets: z.enum(['none', 'restored', 'left_out']) })),
} as const;
