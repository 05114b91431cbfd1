import { randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import { KEY_BYTES, seal, unseal } from './seal.ts';

export const MIN_PASSPHRASE = 8;
const CONTEXT = ['gantry', 'passphrase', 'v1'];

/** RFC 7914: 64 MiB and some 0.3 s for each guess. The row keeps its own cost, so that this can be raised. Bounded when read, so that an altered row cannot ask for all memory. */
const COST = { N: 2 ** 16, r: 8, p: 1 } as const;
const WrapSchema = z.object({
  v: z.literal(1),
  kdf: z.literal('scrypt'),
  N: z.union([2 ** 15, 2 ** 16, 2 ** 17, 2 ** 18, 2 ** 19].map((n) => z.literal(n))),
  r: z.literal(8),
  p: z.number().int().min(1).max(4),
  salt: z.base64(),
  nonce: z.base64(),
  sealed: z.base64(),
});

/** NFC (RFC 8265 OpaqueString): the same passphrase from a keyboard that composes accents differently. */
const derive = (passphrase: string, salt: Buffer, cost: { readonly N: number; readonly r: number; readonly p: number }): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const maxmem = 256 * cost.N * cost.r;
    scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES, { ...cost, maxmem }, (error, key) => (error ? reject(error) : resolve(key)));
  });

/** JSON text for key_wraps. */
export const wrapWithPassphrase = async (key: Buffer, passphrase: string, cost: { readonly N: number; readonly r: number; readonly p: number } = COST): Promise<string> => {
  const salt = randomBytes(16);
  const own = await derive(passphrase, salt, cost);
  const box = seal(own, key, CONTEXT);
  own.fill(0);
  return JSON.stringify({ v: 1, kdf: 'scrypt', ...cost, salt: salt.toString('base64'), nonce: box.nonce.toString('base64'), sealed: box.sealed.toString('base64') });
};

/** `wrong` after the same work whatever was wrong; `damaged` when the row itself is not a wrap. */
export const unwrapWithPassphrase = async (wrappedJson: string, passphrase: string): Promise<Buffer | 'wrong' | 'damaged'> => {
  let wrap: z.infer<typeof WrapSchema>;
  try {
    wrap = WrapSchema.parse(JSON.parse(wrappedJson));
  } catch {
    return 'damaged';
  }
  const own = await derive(passphrase, Buffer.from(wrap.salt, 'base64'), wrap);
  const key = unseal(own, { nonce: Buffer.from(wrap.nonce, 'base64'), sealed: Buffer.from(wrap.sealed, 'base64') }, CONTEXT);
  own.fill(0);
  return key?.length === KEY_BYTES ? key : 'wrong';
};
