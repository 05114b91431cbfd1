import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealed {
  readonly nonce: Buffer;
  /** ciphertext followed by the 16-byte tag */
  readonly sealed: Buffer;
}

/**
 * AES-256-GCM (NIST SP 800-38D) with a fresh random 96-bit nonce. `context` is authenticated, not stored: a sealed value moved to another
 * row does not open.
 */
export const seal = (key: Buffer, plain: Buffer, context: readonly string[]): Sealed => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad(context));
  return { nonce, sealed: Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]) };
};

/** Null when the key, the context or the bytes differ; which of them cannot be told. */
export const unseal = (key: Buffer, box: { readonly nonce: Uint8Array; readonly sealed: Uint8Array }, context: readonly string[]): Buffer | null => {
  const sealed = Buffer.from(box.sealed);
  if (box.nonce.length !== NONCE_BYTES || sealed.length < TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, box.nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(aad(context));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
};

/** JSON keeps the parts apart: ["a","bc"] and ["ab","c"] differ. */
const aad = (context: readonly string[]): Buffer => Buffer.from(JSON.stringify(context), 'utf8');
