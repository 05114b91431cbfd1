import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accountOf, forgetAccounts, keychainProvider } from './keychain.ts';
import type { KeychainPort } from './keychain.ts';

beforeEach(() => void vi.stubEnv('GANTRY_KEYCHAIN', undefined));
afterEach(() => void vi.unstubAllEnvs());

test('DA33 the entries that hold a key of the data folder leave the keychain, and no other; one that fails hinders no other', async () => {
  const entries = new Map<string, string>([['of-another', 'x']]);
  const port: KeychainPort = { set: async (account, value) => void entries.set(account, value), get: async (account) => entries.get(account) ?? null, delete: async (account) => { if (!entries.delete(account)) throw new Error('no entry'); } };
  const provider = keychainProvider(async () => port);
  const accounts = [await provider.wrap(Buffer.alloc(32, 1)), await provider.wrap(Buffer.alloc(32, 2))].map((wrap) => accountOf(wrap)!);
  expect(entries.size).toBe(3);
  await forgetAccounts(['gone-already', ...accounts], async () => port, 1_000);
  expect([...entries.keys()]).toEqual(['of-another']);
  await forgetAccounts(accounts, async () => null, 1_000);
  await forgetAccounts(accounts, () => new Promise(() => {}), 20);
  expect([accountOf('{'), accountOf('{"v":1}')]).toEqual([null, null]);
});
