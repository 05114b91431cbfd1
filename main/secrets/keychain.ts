import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { KeyProvider } from './key-provider.ts';
import { KEY_BYTES, seal, unseal } from './seal.ts';
import { within } from './time-limit.ts';

/** The operating system's key store: macOS Keychain, Windows Credential Manager, the Secret Service or keyutils on Linux. */
export interface KeychainPort {
  set(account: string, value: string): Promise<void>;
  get(account: string): Promise<string | null>;
  delete(account: string): Promise<void>;
}

const SERVICE = 'Gantry';

/** Null where the native module does not load. */
export const osKeychain = async (): Promise<KeychainPort | null> => {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    return {
      set: (account, value) => new AsyncEntry(SERVICE, account).setPassword(value),
      get: async (account) => (await new AsyncEntry(SERVICE, account).getPassword()) ?? null,
      delete: async (account) => {
        await new AsyncEntry(SERVICE, account).deletePassword();
      },
    };
  } catch {
    return null;
  }
};

/** Each account is asked for on its own and for a limited time; what a keychain does not give up is of no use without the data folder. */
export const forgetAccounts = async (accounts: readonly string[], open: () => Promise<KeychainPort | null> = osKeychain, limitMs = 1_500): Promise<void> => {
  if (process.env['GANTRY_KEYCHAIN'] === 'off') return;
  const port = await within(limitMs, open()).catch(() => null);
  if (!port?.value) return;
  for (const account of accounts) await within(limitMs, port.value.delete(account)).catch(() => null);
};

/** The account of a wrap by the keychain; null where it is none. */
export const accountOf = (wrappedJson: string): string | null => {
  try {
    const parsed = WrapSchema.safeParse(JSON.parse(wrappedJson));
    return parsed.success ? parsed.data.account : null;
  } catch {
    return null;
  }
};

const WrapSchema = z.object({ v: z.literal(1), account: z.string().min(1), nonce: z.base64(), sealed: z.base64() });

/**
 * The keychain holds a random key of its own per data folder, and the data key is sealed by that one: an entry of another folder cannot be
 * taken for ours. A keychain may be slow or hang (a prompt nobody sees): nothing here has a limit, the caller decides how long it waits, and a late
 * answer counts.
 */
export const keychainProvider = (open: () => Promise<KeychainPort | null>): KeyProvider => {
  let opened: Promise<KeychainPort | null> | null = null;
  const port = async (): Promise<KeychainPort> => {
    opened ??= open();
    const value = await opened;
    if (!value) throw new Error('no keychain on this system');
    return value;
  };
  return {
    name: 'keychain',
    available: () => probe(port),
    wrap: async (key) => {
      const account = `data-key-${randomUUID()}`;
      const own = randomBytes(KEY_BYTES);
      await (await port()).set(account, own.toString('base64'));
      const box = seal(own, key, [account]);
      return JSON.stringify({ v: 1, account, nonce: box.nonce.toString('base64'), sealed: box.sealed.toString('base64') });
    },
    unwrap: async (wrappedJson) => {
      const wrap = WrapSchema.parse(JSON.parse(wrappedJson));
      const stored = await (await port()).get(wrap.account);
      if (stored === null) throw new Error('the keychain has no entry for this data folder');
      const key = unseal(Buffer.from(stored, 'base64'), { nonce: Buffer.from(wrap.nonce, 'base64'), sealed: Buffer.from(wrap.sealed, 'base64') }, [wrap.account]);
      if (!key) throw new Error('the keychain entry does not open this data folder');
      return key;
    },
  };
};

/** Written, read back and deleted: some back ends list themselves and then refuse, or forget at once. */
const probe = async (port: () => Promise<KeychainPort>): Promise<boolean> => {
  const account = `probe-${randomUUID()}`;
  const value = randomUUID();
  try {
    const keychain = await port();
    await keychain.set(account, value);
    const kept = (await keychain.get(account)) === value;
    await keychain.delete(account);
    return kept;
  } catch {
    return false;
  }
};
