import { z } from 'zod';
import { countIn } from './count-row.ts';
import type { ReadDb, WriteDb } from './database.ts';

export type KeyProviderName = 'safeStorage' | 'keychain' | 'passphrase';

const SecretRowSchema = z.object({
  ref: z.string(),
  server_id: z.string(),
  place: z.string(),
  nonce: z.instanceof(Uint8Array),
  sealed: z.instanceof(Uint8Array),
  updated_at: z.number(),
});
const WrapRowSchema = z.object({ provider: z.enum(['safeStorage', 'keychain', 'passphrase']), wrapped_json: z.string() });

/** A sealed value; `sealed` is ciphertext followed by the 16-byte tag. Times in ms since epoch. */
export interface SecretRow {
  readonly ref: string;
  readonly serverId: string;
  readonly place: string;
  readonly nonce: Uint8Array;
  readonly sealed: Uint8Array;
  readonly updatedAt: number;
}

const COLUMNS = 'ref, server_id, place, nonce, sealed, updated_at';

const toRow = (raw: unknown): SecretRow => {
  const row = SecretRowSchema.parse(raw);
  return { ref: row.ref, serverId: row.server_id, place: row.place, nonce: row.nonce, sealed: row.sealed, updatedAt: row.updated_at };
};

export const listSecretRows = (db: ReadDb): readonly SecretRow[] => db.all(`SELECT ${COLUMNS} FROM secrets ORDER BY server_id, place`).map(toRow);

export const getSecretRow = (db: ReadDb, ref: string): SecretRow | null => {
  const raw = db.get(`SELECT ${COLUMNS} FROM secrets WHERE ref = ?`, [ref]);
  return raw === undefined ? null : toRow(raw);
};

/** The reference a place already has: rotating a value keeps it, so that the launch fingerprint does not move (design section 2). */
export const findSecretRef = (db: ReadDb, serverId: string, place: string): string | null => {
  const raw = db.get('SELECT ref FROM secrets WHERE server_id = ? AND place = ?', [serverId, place]);
  return raw === undefined ? null : z.object({ ref: z.string() }).parse(raw).ref;
};

export const countSecrets = (db: ReadDb): number => countIn(db.get('SELECT count(*) AS n FROM secrets'));

export const putSecretRow = (db: WriteDb, row: SecretRow): void => {
  db.run(
    `INSERT INTO secrets (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (ref) DO UPDATE SET nonce = excluded.nonce, sealed = excluded.sealed, updated_at = excluded.updated_at`,
    [row.ref, row.serverId, row.place, Buffer.from(row.nonce), Buffer.from(row.sealed), row.updatedAt],
  );
};

export const deleteSecretRow = (db: WriteDb, ref: string): number => db.run('DELETE FROM secrets WHERE ref = ?', [ref]);
export const deleteSecretRowsOf = (db: WriteDb, serverId: string): number => db.run('DELETE FROM secrets WHERE server_id = ?', [serverId]);

/** The data key as each provider wrapped it; what is inside is the provider's own, checked by it. */
export const listKeyWraps = (db: ReadDb): ReadonlyMap<KeyProviderName, string> =>
  new Map(
    db.all('SELECT provider, wrapped_json FROM key_wraps').map((raw) => {
      const row = WrapRowSchema.parse(raw);
      return [row.provider, row.wrapped_json] as const;
    }),
  );

export const putKeyWrap = (db: WriteDb, provider: KeyProviderName, wrappedJson: string, now: number): void => {
  db.run('INSERT INTO key_wraps (provider, wrapped_json, created_at) VALUES (?, ?, ?) ON CONFLICT (provider) DO UPDATE SET wrapped_json = excluded.wrapped_json, created_at = excluded.created_at', [
    provider,
    wrappedJson,
    now,
  ]);
};

export const deleteKeyWraps = (db: WriteDb): number => db.run('DELETE FROM key_wraps');
