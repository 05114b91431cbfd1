import { afterEach, expect, test } from 'vitest';
import type { SqliteStore } from '../store/database.ts';
import type { KeychainPort } from './keychain.ts';
import { PASS, closeHosts, key, keychainOf, place, start, value } from './secrets.fixture.ts';
import type { Host } from './secrets.fixture.ts';
import type { SecretsDeps } from './secrets.ts';

// each passphrase costs 64 MiB and a good part of a second on an idle core
afterEach(closeHosts);

/** The answer to each request waits for `answer`. */
const slowKeychain = (entries = new Map<string, string>()): { readonly keychain: KeychainPort; answer(): void } => {
  let answer = (): void => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const quick = keychainOf(entries);
  return { keychain: { set: (account, text) => asked.then(() => quick.set(account, text)), get: (account) => asked.then(() => quick.get(account)), delete: (account) => asked.then(() => quick.delete(account)) }, answer: () => answer() };
};
/** A start with a keychain that is slower than the start waits; `decided` resolves when it is told that it has answered. */
const startSlowly = async (dir: string, entries?: Map<string, string>, deps: Partial<SecretsDeps> = {}) => {
  const { keychain, answer } = slowKeychain(entries);
  let told = (): void => {};
  const decided = new Promise<void>((resolve) => {
    told = resolve;
  });
  return { ...(await start(dir, { keychain, keychainWaitMs: 20, onChange: () => told(), ...deps })), answer, decided };
};
const wraps = (store: SqliteStore): unknown[] => store.read((db) => db.all('SELECT provider, wrapped_json FROM key_wraps ORDER BY provider'));

test('K40 a keychain that is slow on a first start is still asked, and becomes the provider when it answers', async () => {
  const host = await startSlowly(place());
  expect(host.secrets.status()).toEqual({ provider: 'none', state: 'asking', available: ['passphrase'], count: 0 });
  expect(host.secrets.put(key)).toMatchObject({ ok: false, error: { code: 'secret_store_locked', details: { state: 'asking' } } });
  expect(wraps(host.store)).toEqual([]);
  host.answer();
  await host.decided;
  expect(host.secrets.status()).toEqual({ provider: 'keychain', state: 'ready', available: ['keychain', 'passphrase'], count: 0 });
  expect(host.secrets.reveal(value(host.secrets.put(key)))).toEqual({ ok: true, value: key.value });
});

test('K40 a slow keychain that holds the key is never called not set up, and its wrap stays, also while nothing is sealed', async () => {
  const dir = place();
  const entries = new Map<string, string>();
  const first = await start(dir, { keychain: keychainOf(entries) });
  const before = wraps(first.store);
  await first.stop();
  const host = await startSlowly(dir, entries);
  expect(host.secrets.status()).toMatchObject({ state: 'asking' });
  expect(wraps(host.store)).toEqual(before);
  host.answer();
  await host.decided;
  expect(host.secrets.status()).toMatchObject({ provider: 'keychain', state: 'ready' });
  expect(wraps(host.store)).toEqual(before);
});

test('K40 while the key of sealed values is asked for no passphrase takes its place, not even one of the environment', async () => {
  const dir = place();
  const entries = new Map<string, string>();
  const first = await start(dir, { keychain: keychainOf(entries) });
  const ref = value(first.secrets.put(key));
  const before = wraps(first.store);
  await first.stop();
  const host = await startSlowly(dir, entries, { env: { GANTRY_PASSPHRASE: PASS } });
  expect(await host.secrets.unlock(PASS)).toMatchObject({ ok: false, error: { code: 'secret_store_locked', details: { state: 'asking' } } });
  expect(wraps(host.store)).toEqual(before);
  host.answer();
  await host.decided;
  expect(host.secrets.reveal(ref)).toEqual({ ok: true, value: key.value });
});

test('K40 a passphrase that is set while the keychain is asked on a first start stands, and the keychain gets its wrap of the same key', async () => {
  const dir = place();
  const entries = new Map<string, string>();
  const host = await startSlowly(dir, entries);
  value(await host.secrets.unlock(PASS));
  const ref = value(host.secrets.put(key));
  host.answer();
  await host.decided;
  await host.stop();
  const { secrets } = await start(dir, { keychain: keychainOf(entries) });
  expect(secrets.status()).toMatchObject({ provider: 'keychain', state: 'ready' });
  expect(secrets.reveal(ref)).toEqual({ ok: true, value: key.value });
});

test('K40 a keychain that refuses late is told too, and the passphrase is asked for then', async () => {
  const { keychain, answer } = slowKeychain();
  const decided = new Promise<void>((resolve) => {
    void start(place(), { keychain: { ...keychain, get: async () => null }, keychainWaitMs: 20, onChange: resolve }).then((host) => {
      expect(host.secrets.status()).toMatchObject({ state: 'asking' });
      late = host;
      answer();
    });
  });
  let late: Host | undefined;
  await decided;
  expect(late?.secrets.status()).toMatchObject({ provider: 'passphrase', state: 'not_set_up' });
});
