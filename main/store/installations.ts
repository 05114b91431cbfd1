import { z } from 'zod';
import { InstallationSchema } from '../../shared/server.ts';
import type { Installation } from '../../shared/server.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readRow, unreadableRows } from './readable-rows.ts';

const RowSchema = z.object({
  server_id: z.string(),
  kind: z.enum(['builtin', 'npm']),
  package: z.string(),
  version: z.string(),
  integrity: z.string(),
  registry: z.string().nullable(),
  lock_sha256: z.string(),
  dir: z.string(),
  entry: z.string(),
  size_bytes: z.number(),
  scripts_json: z.string(),
  installed_at: z.number(),
});

const fromRow = (row: unknown): { readonly serverId: string; readonly installation: Installation } => {
  const r = RowSchema.parse(row);
  return {
    serverId: r.server_id,
    installation: InstallationSchema.parse({
      kind: r.kind,
      package: r.package,
      version: r.version,
      integrity: r.integrity,
      ...(r.registry === null ? {} : { registry: r.registry }),
      lockSha256: r.lock_sha256,
      dir: r.dir,
      entry: r.entry,
      sizeBytes: r.size_bytes,
      installedAt: r.installed_at,
      scripts: JSON.parse(r.scripts_json),
    }),
  };
};

/** The pinned version of a server; null for commands and addresses, before the first installation, and where its row cannot be read: it has to be installed again. */
export const readInstallation = (db: ReadDb, serverId: string): Installation | null => {
  const row = db.get('SELECT * FROM installations WHERE server_id = ?', [serverId]);
  return row === undefined ? null : (readRow(row, fromRow)?.installation ?? null);
};

/** Servers whose installation is on record and cannot be read. */
export const unreadableInstallations = (db: ReadDb): string[] => unreadableRows(db.all('SELECT server_id AS id, * FROM installations'), fromRow);

/** Writes or replaces the one installation of a server; the server's row must exist. */
export const saveInstallation = (db: WriteDb, serverId: string, installation: Installation): void => {
  db.run(
    `INSERT INTO installations (server_id, kind, package, version, integrity, lock_sha256, dir, entry, size_bytes, scripts_json, installed_at, registry)
     VALUES (@serverId, @kind, @package, @version, @integrity, @lockSha256, @dir, @entry, @sizeBytes, @scripts, @installedAt, @registry)
     ON CONFLICT (server_id) DO UPDATE SET kind = excluded.kind, package = excluded.package, version = excluded.version, integrity = excluded.integrity,
       lock_sha256 = excluded.lock_sha256, dir = excluded.dir, entry = excluded.entry, size_bytes = excluded.size_bytes,
       scripts_json = excluded.scripts_json, installed_at = excluded.installed_at, registry = excluded.registry`,
    { ...installation, registry: installation.registry ?? null, scripts: JSON.stringify(installation.scripts), serverId } as never,
  );
};
