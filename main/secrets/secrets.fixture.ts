import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { SqliteStore } from '../store/database.ts';
import { openStore } from '../store/open.ts';
import type { KeychainPort } from './keychain.ts';
import { Secrets } from './secrets.ts';
import type { SecretsDeps } from './secrets.ts';

export const PASS = 'correct horse battery';
export const opened: { close(): void }[] = [];
export const closeHosts = (): void => opened.splice(0).toReversed().forEach((one) => one.close());

export const place = (): string => mkdtempSync(join(tmpdir(), 'gantry-secrets-'));
export type Host = { readonly store: SqliteStore; readonly secrets: Secrets; stop(): Promise<void> };
export const start = async (dataDir: string, deps: Partial<SecretsDeps> = {}): Promise<Host> => {
  const made = await openStore({ dataDir, clock: systemClock });
  if (!made.ok) throw new Error(made.error.message);
  const { store } = made.value;
  const secrets = await Secrets.open({ store, clock: systemClock, keychain: 'off', env: {}, ...deps });
  const host: Host = {
    store,
    secrets,
    stop: async () => {
      await secrets.settled();
      secrets.close();
      store.close();
    },
  };
  opened.push(store, secrets);
  return host;
};
export const value = <T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: { readonly code: string } }): T => {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
};
export const key = { serverId: 'files', place: 'env.API_KEY', value: 'sk-canary-0123456789' };

/** The outside world: a key store of the system, which this machine does not have. */
export const keychainOf = (entries = new Map<string, string>()): KeychainPort & { readonly entries: Map<string, string> } => ({
  entries,
  set: async (account, text) => void entries.set(account, text),
  get: async (account) => entries.get(account) ?? null,
  delete: async (account) => void entries.delete(account),
});
