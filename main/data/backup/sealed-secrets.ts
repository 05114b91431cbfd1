import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { BackupManifest } from '../../../shared/backup.ts';
import { fault } from '../../../shared/fault.ts';
import type { Fault } from '../../../shared/fault.ts';
import { err, ok } from '../../../shared/result.ts';
import type { Result } from '../../../shared/result.ts';
import { unwrapWithPassphrase, wrapWithPassphrase } from '../../secrets/passphrase-wrap.ts';
import { canonicalText, sha256 } from '../../evidence/canonical.ts';
import { KEY_BYTES, seal, unseal } from '../../secrets/seal.ts';
import { SECRETS_ENTRY } from './entry-names.ts';

const ValueSchema = z.strictObject({ ref: z.string().min(1).max(200), serverId: z.string().min(1).max(200), place: z.string().min(1).max(400), value: z.string().min(1).max(1_000_000) });
/** A secret in plain text, in memory only. */
export type SecretValue = z.infer<typeof ValueSchema>;
const FileSchema = z.object({ v: z.literal(2), wrap: z.string().max(10_000), nonce: z.base64(), sealed: z.base64() });

/** RFC 7914: 128 MiB and about half a second for each guess; twice the cost of the secret store, for a file lies about. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
/** What the values belong to: the RFC 8785 form of the manifest without the entry of the secrets themselves, and so the hash of every other entry. */
const contextOf = (manifest: BackupManifest): readonly string[] =>
  ['gantry', 'backup', 'secrets', 'v2', sha256(canonicalText({ ...manifest, files: manifest.files.filter((file) => file.path !== SECRETS_ENTRY) }))];

/**
 * JSON text: a key of this file alone, wrapped by the passphrase (scrypt), and the values sealed by that key (AES-256-GCM) with the manifest as additional
 * data, so that they open in this backup alone.
 */
export const sealSecrets = async (values: readonly SecretValue[], passphrase: string, manifest: BackupManifest): Promise<string> => {
  const key = randomBytes(KEY_BYTES);
  const wrap = await wrapWithPassphrase(key, passphrase, COST);
  const box = seal(key, Buffer.from(JSON.stringify(values), 'utf8'), contextOf(manifest));
  key.fill(0);
  return JSON.stringify({ v: 2, wrap, nonce: box.nonce.toString('base64'), sealed: box.sealed.toString('base64') });
};

/** Errors: wrong_passphrase, backup_invalid (`/secrets`). */
export const openSecrets = async (text: string, passphrase: string, manifest: BackupManifest): Promise<Result<readonly SecretValue[], Fault>> => {
  const damaged = err(fault('backup_invalid', 'The sealed secrets of this backup are damaged, or were sealed for other contents: something in the backup was changed after it was made. Nothing was changed here.', { field: '/secrets', remedy: 'Take another copy of the backup, or restore it without its secrets.' }));
  let file: z.infer<typeof FileSchema>;
  try {
    file = FileSchema.parse(JSON.parse(text));
  } catch {
    return damaged;
  }
  const key = await unwrapWithPassphrase(file.wrap, passphrase);
  if (key === 'damaged') return damaged;
  if (key === 'wrong') return err(fault('wrong_passphrase', 'This passphrase does not open the secrets of the backup. Nothing was changed.', { field: '/passphrase', remedy: 'Give the one that was set when the backup was made, or restore without its secrets.' }));
  const plain = unseal(key, { nonce: Buffer.from(file.nonce, 'base64'), sealed: Buffer.from(file.sealed, 'base64') }, contextOf(manifest));
  key.fill(0);
  if (!plain) return damaged;
  try {
    const values = z.array(ValueSchema).parse(JSON.parse(plain.toString('utf8')));
    return new Set(values.map(({ ref }) => ref)).size === values.length ? ok(values) : damaged;
  } catch {
    return damaged;
  }
};
