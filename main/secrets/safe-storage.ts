import { z } from 'zod';
import type { KeyProvider } from './key-provider.ts';

/** Electron's safeStorage as its shell hands it in; `backend` is getSelectedStorageBackend() on Linux, the platform's own name elsewhere. */
export interface SafeStoragePort {
  available(): boolean;
  backend(): string;
  encrypt(plain: Buffer): Buffer;
  decrypt(sealed: Buffer): Buffer;
}

const WrapSchema = z.object({ v: z.literal(1), sealed: z.base64() });

/** `basic_text` encrypts with a password that stands in Chromium's source (M15); `unknown` promises nothing. */
const REFUSED = new Set(['basic_text', 'unknown']);

export const safeStorageProvider = (port: SafeStoragePort): KeyProvider => ({
  name: 'safeStorage',
  available: async () => {
    try {
      return port.available() && !REFUSED.has(port.backend());
    } catch {
      return false;
    }
  },
  wrap: async (key) => JSON.stringify({ v: 1, sealed: port.encrypt(key).toString('base64') }),
  unwrap: async (wrappedJson) => {
    if (REFUSED.has(port.backend())) throw new Error('safeStorage has no real key store behind it');
    return port.decrypt(Buffer.from(WrapSchema.parse(JSON.parse(wrappedJson)).sealed, 'base64'));
  },
});
