import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { KeychainPort } from './keychain.ts';
import type { SafeStoragePort } from './safe-storage.ts';
import { PASS, closeHosts, key, keychainOf, opened, place, start, value } from './secrets.fixture.ts';
import type { Host } from './secrets.fixture.ts';

// each passphrase costs 64 MiB and a good part of a second on an idle core
afterEach(closeHosts);

const safeStorageOf = (backend = 'gnome_libsecret', mask = 0x5a): SafeStoragePort => {
  const flip = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ mask));
  return { available: () => true, backend: () => backend, encrypt: flip, decrypt: flip };
};

test('K01 without a key store and a passphrase nothing can be stored, and the refusal says what to do', async () => {
  const { secrets } = await start(place());
  expect(secrets.status()).toEqual({ provider: 'passphrase', state: 'not_set_up', available: ['passphrase'], count: 0 });
  expect(secrets.put(key)).toMatchObject({ ok: false, error: { code: 'secret_store_locked', remedy: expect.stringContaining('secrets:unlock') } });
  expect(secrets.list()).toEqual([]);
});

test('K02 the first passphrase sets the store up; a new start is locked until it is given again', async () => {
  const dir = place();
  const first = await start(dir);
  expect(value(await first.secrets.unlock(PASS))).toMatchObject({ provider: 'passphrase', state: 'ready', count: 0 });
  const ref = value(first.secrets.put(key));
  await first.stop();

  const { secrets } = await start(dir);
  expect(secrets.status()).toMatchObject({ provider: 'passphrase', state: 'locked', count: 1 });
  expect(secrets.knownValues()).toEqual([]);
  expect(secrets.list()).toMatchObject([{ ref, serverId: 'files', place: 'env.API_KEY' }]);
  expect(secrets.put(key)).toMatchObject({ ok: false, error: { code: 'secret_store_locked' } });
  expect(secrets.reveal(ref)).toMatchObject({ ok: false, error: { code: 'secret_store_locked' } });
  value(await secrets.unlock(PASS));
  expect(secrets.reveal(ref)).toEqual({ ok: true, value: key.value });
  expect(secrets.knownValues()).toEqual([{ ref, value: key.value }]);
});

test('K03 a wrong passphrase is wrong_passphrase, locked or open, and changes nothing', async () => {
  const dir = place();
  const first = await start(dir);
  value(await first.secrets.unlock(PASS));
  value(first.secrets.put(key));
  expect(await first.secrets.unlock('not this one')).toMatchObject({ ok: false, error: { code: 'wrong_passphrase' } });
  await first.stop();
  const { secrets } = await start(dir);
  for (const wrong of [`${PASS} `, '']) expect(await secrets.unlock(wrong)).toMatchObject({ ok: false, error: { code: 'wrong_passphrase' } });
  expect(secrets.status()).toMatchObject({ state: 'locked' });
});

test('K04 a passphrase under eight characters is not taken for a new one', async () => {
  const { secrets } = await start(place());
  expect(await secrets.unlock('short')).toMatchObject({ ok: false, error: { code: 'invalid_request', field: 'passphrase' } });
  expect(secrets.status()).toMatchObject({ state: 'not_set_up' });
});

test('K05 the passphrase can be changed, even while locked; the old one opens nothing then', async () => {
  const dir = place();
  const first = await start(dir);
  expect(await first.secrets.changePassphrase(PASS, 'another passphrase')).toMatchObject({ ok: false, error: { code: 'conflict' } });
  value(await first.secrets.unlock(PASS));
  const ref = value(first.secrets.put(key));
  await first.stop();
  const { secrets } = await start(dir);
  expect(await secrets.changePassphrase('not this one', 'another passphrase')).toMatchObject({ ok: false, error: { code: 'wrong_passphrase' } });
  expect(value(await secrets.changePassphrase(PASS, 'another passphrase'))).toMatchObject({ state: 'ready' });
  expect(secrets.reveal(ref)).toEqual({ ok: true, value: key.value });
  expect(await secrets.unlock(PASS)).toMatchObject({ ok: false, error: { code: 'wrong_passphrase' } });
});

test('K06 a place keeps its reference when its value is replaced; another place has its own', async () => {
  const { secrets } = await start(place(), { safeStorage: safeStorageOf() });
  const ref = value(secrets.put(key));
  expect(value(secrets.put({ ...key, value: 'sk-canary-rotated' }))).toBe(ref);
  expect(value(secrets.put({ ...key, place: 'env.OTHER' }))).not.toBe(ref);
  expect(value(secrets.put({ ...key, serverId: 'mail' }))).not.toBe(ref);
  expect(secrets.reveal(ref)).toEqual({ ok: true, value: 'sk-canary-rotated' });
  expect(secrets.knownValues().find((one) => one.ref === ref)?.value).toBe('sk-canary-rotated');
  expect(secrets.status().count).toBe(3);
});

test('K07 what is removed is gone from rows at once, and from the known values soon', async () => {
  const { secrets } = await start(place(), { safeStorage: safeStorageOf(), retiredMs: 30 });
  const ref = value(secrets.put(key));
  value(secrets.put({ ...key, place: 'header.Authorization' }));
  const kept = value(secrets.put({ ...key, serverId: 'mail' }));
  secrets.remove(ref);
  expect(secrets.reveal(ref)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  secrets.removeForServer('files');
  expect(secrets.list().map((one) => one.ref)).toEqual([kept]);
  await vi.waitFor(() => expect(secrets.knownValues().map((one) => one.ref)).toEqual([kept]));
});

test('K32 a value that was replaced or removed is still known for a while, because the process that has it may still speak', async () => {
  const { secrets } = await start(place(), { safeStorage: safeStorageOf(), retiredMs: 150 });
  const values = () => secrets.knownValues().map((one) => one.value);
  const ref = value(secrets.put(key));
  value(secrets.put({ ...key, value: 'sk-canary-second' }));
  expect(values()).toEqual(['sk-canary-second', key.value]);
  expect(value(secrets.reveal(ref))).toBe('sk-canary-second');
  value(secrets.put(key));
  expect(values().toSorted()).toEqual([key.value, 'sk-canary-second'].toSorted());
  await vi.waitFor(() => expect(values()).toEqual([key.value]));
  secrets.remove(ref);
  expect(values()).toEqual([key.value]);
  await vi.waitFor(() => expect(values()).toEqual([]));
});

test('K08 the list and the status carry no value', async () => {
  const { secrets } = await start(place(), { safeStorage: safeStorageOf() });
  value(secrets.put(key));
  expect(JSON.stringify([secrets.list(), secrets.status()])).not.toContain(key.value);
});

test('K09 a sealed value that was moved to another place, or altered, does not open and is told', async () => {
  const dir = place();
  const safeStorage = safeStorageOf();
  const first = await start(dir, { safeStorage });
  const a = value(first.secrets.put(key));
  const b = value(first.secrets.put({ serverId: 'mail', place: 'env.API_KEY', value: 'the other value' }));
  first.store.write((db) => db.run('UPDATE secrets SET (nonce, sealed) = (SELECT nonce, sealed FROM secrets WHERE ref = ?) WHERE ref = ?', [a, b]));
  expect(first.secrets.reveal(b)).toMatchObject({ ok: false, error: { code: 'secret_unreadable', details: { serverId: 'mail' } } });
  expect(first.secrets.reveal(a)).toEqual({ ok: true, value: key.value });
  await first.stop();
  const { secrets } = await start(dir, { safeStorage });
  expect(secrets.notices()).toMatchObject([{ code: 'secret_unreadable', details: { ref: b } }]);
});

test('K10 a keychain that works opens the store by itself at the next start', async () => {
  const dir = place();
  const keychain = keychainOf();
  const first = await start(dir, { keychain });
  expect(first.secrets.status()).toEqual({ provider: 'keychain', state: 'ready', available: ['keychain', 'passphrase'], count: 0 });
  const ref = value(first.secrets.put(key));
  await first.stop();
  expect([...keychain.entries.keys()].filter((account) => account.startsWith('probe'))).toEqual([]);
  const { secrets } = await start(dir, { keychain });
  expect(secrets.status()).toMatchObject({ provider: 'keychain', state: 'ready' });
  expect(secrets.reveal(ref)).toEqual({ ok: true, value: key.value });
});

test('K11 one data key, wrapped per provider: what Electron stored opens in the loopback shell by keychain and by passphrase', async () => {
  const dir = place();
  const keychain = keychainOf();
  const electron = await start(dir, { safeStorage: safeStorageOf(), keychain });
  expect(electron.secrets.status()).toMatchObject({ provider: 'safeStorage', state: 'ready' });
  const ref = value(electron.secrets.put(key));
  value(await electron.secrets.unlock(PASS));
  await electron.stop();

  const loopback = await start(dir, { keychain });
  expect(loopback.secrets.status()).toMatchObject({ provider: 'keychain', state: 'ready' });
  expect(loopback.secrets.reveal(ref)).toEqual({ ok: true, value: key.value });
  await loopback.stop();

  const headless = await start(dir, { env: { GANTRY_PASSPHRASE: PASS } });
  expect(headless.secrets.status()).toMatchObject({ provider: 'passphrase', state: 'ready' });
  expect(headless.secrets.reveal(ref)).toEqual({ ok: true, value: key.value });
});

test('K12 after one unlock a provider that is there gets its wrap, so that the next start asks nobody', async () => {
  const dir = place();
  const first = await start(dir);
  value(await first.secrets.unlock(PASS));
  const ref = value(first.secrets.put(key));
  await first.stop();
  const safeStorage = safeStorageOf();
  const second = await start(dir, { safeStorage });
  expect(second.secrets.status()).toMatchObject({ state: 'locked' });
  value(await second.secrets.unlock(PASS));
  await second.stop();
  const third = await start(dir, { safeStorage });
  expect(third.secrets.status()).toMatchObject({ provider: 'safeStorage', state: 'ready' });
  expect(third.secrets.reveal(ref)).toEqual({ ok: true, value: key.value });
});

test.each(['basic_text', 'unknown'])('M15 safeStorage with the backend %s is refused, never called encrypted', async (backend) => {
  const { secrets, store } = await start(place(), { safeStorage: safeStorageOf(backend) });
  expect(secrets.status()).toMatchObject({ state: 'not_set_up', available: ['passphrase'] });
  expect(secrets.put(key)).toMatchObject({ ok: false, error: { code: 'secret_store_locked' } });
  expect(store.read((db) => db.all('SELECT * FROM key_wraps'))).toEqual([]);
});

test('M15 a store that safeStorage opened is not opened by it once it falls back to basic_text', async () => {
  const dir = place();
  const first = await start(dir, { safeStorage: safeStorageOf() });
  value(first.secrets.put(key));
  await first.stop();
  const { secrets } = await start(dir, { safeStorage: safeStorageOf('basic_text') });
  expect(secrets.status()).toEqual({ provider: 'none', state: 'unavailable', available: ['passphrase'], count: 1 });
  expect(secrets.put(key)).toMatchObject({ ok: false, error: { code: 'secret_store_unavailable', remedy: expect.stringContaining('passphrase') } });
  expect(await secrets.unlock(PASS)).toMatchObject({ ok: false, error: { code: 'secret_store_unavailable' } });
  secrets.removeForServer('files');
  expect(value(await secrets.unlock(PASS))).toMatchObject({ state: 'ready' });
});

test('M15 a keychain that hangs delays the start by its limit only, and is heard when it answers after all', async () => {
  const dir = place();
  const entries = new Map<string, string>();
  const first = await start(dir, { keychain: keychainOf(entries) });
  const ref = value(first.secrets.put(key));
  await first.stop();
  let answer = (): void => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const slow: KeychainPort = { ...keychainOf(entries), get: async (account) => asked.then(() => entries.get(account) ?? null) };
  const changed = new Promise<void>((resolve) => {
    opened.push({ close: resolve });
    void start(dir, { keychain: slow, keychainWaitMs: 50, onChange: resolve }).then((host) => {
      expect(host.secrets.status()).toMatchObject({ provider: 'none', state: 'asking', count: 1 });
      late = host;
      answer();
    });
  });
  let late: Host | undefined;
  await changed;
  expect(late?.secrets.status()).toMatchObject({ provider: 'keychain', state: 'ready' });
  expect(late?.secrets.reveal(ref)).toEqual({ ok: true, value: key.value });
});

test.each<[string, Partial<KeychainPort>]>([
  ['refuses to write', { set: async () => Promise.reject(new Error('AccessDenied')) }],
  ['forgets at once', { get: async () => null }],
  ['gives back something else', { get: async () => 'something else' }],
])('M15 a keychain that %s is not used', async (_what, broken) => {
  const { secrets } = await start(place(), { keychain: { ...keychainOf(), ...broken }, keychainWaitMs: 50 });
  expect(secrets.status()).toEqual({ provider: 'passphrase', state: 'not_set_up', available: ['passphrase'], count: 0 });
});

test('K13 the real keychain of this system is asked without a crash, within its limit', async () => {
  const { keychain: _off, ...deps } = { keychain: 'off' };
  const { secrets } = await start(place(), { ...deps, keychainWaitMs: 400, keychain: await realKeychain() });
  expect(['ready', 'not_set_up', 'asking']).toContain(secrets.status().state);
});
const realKeychain = async (): Promise<KeychainPort | 'off'> => (await (await import('./keychain.ts')).osKeychain()) ?? 'off';

test('K14 GANTRY_PASSPHRASE sets up and unlocks a host without a window, and no child inherits it', async () => {
  const dir = place();
  const env: Record<string, string | undefined> = { GANTRY_PASSPHRASE: PASS, GANTRY_KEYCHAIN: 'off' };
  const first = await start(dir, { env });
  expect(env['GANTRY_PASSPHRASE']).toBeUndefined();
  const ref = value(first.secrets.put(key));
  await first.stop();
  const wrong = await start(dir, { env: { GANTRY_PASSPHRASE: 'not this one' } });
  expect(wrong.secrets.status()).toMatchObject({ state: 'locked' });
  expect(wrong.secrets.notices()).toMatchObject([{ code: 'secrets_passphrase_refused', details: { code: 'wrong_passphrase' } }]);
  expect(JSON.stringify(wrong.secrets.notices())).not.toContain('not this one');
  await wrong.stop();
  const right = await start(dir, { env: { GANTRY_PASSPHRASE: PASS } });
  expect(right.secrets.reveal(ref)).toEqual({ ok: true, value: key.value });
});

test('K15 unlocks that come together are taken one after the other, and all answer', async () => {
  const { secrets } = await start(place());
  const all = await Promise.all([secrets.unlock(PASS), secrets.unlock(PASS), secrets.unlock('not this one')]);
  expect(all.map((one) => (one.ok ? one.value.state : one.error.code))).toEqual(['ready', 'ready', 'wrong_passphrase']);
});

test('K16 an altered key wrap is a fault, not a crash, and asks for no more memory than allowed', async () => {
  const dir = place();
  const first = await start(dir);
  value(await first.secrets.unlock(PASS));
  value(first.secrets.put(key));
  first.store.write((db) => db.run("UPDATE key_wraps SET wrapped_json = json_set(wrapped_json, '$.N', 1073741824)"));
  await first.stop();
  const { secrets } = await start(dir);
  expect(await secrets.unlock(PASS)).toMatchObject({ ok: false, error: { code: 'secret_store_unavailable' } });
});

test('K17 a value that is empty or not well-formed text is refused', async () => {
  const { secrets } = await start(place(), { safeStorage: safeStorageOf() });
  for (const bad of ['', 'half \ud800 pair']) expect(secrets.put({ ...key, value: bad })).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
});

test('A20 a full disk refuses the secret as store_write_failed and keeps the one before', async () => {
  const { secrets, store } = await start(place(), { safeStorage: safeStorageOf() });
  const ref = value(secrets.put(key));
  store.connection.pragma(`max_page_count = ${store.connection.pragma('page_count', { simple: true }) as number}`);
  expect(secrets.put({ ...key, value: 'y'.repeat(500_000) })).toMatchObject({ ok: false, error: { code: 'store_write_failed' } });
  expect(secrets.reveal(ref)).toEqual({ ok: true, value: key.value });
  expect(secrets.knownValues()).toEqual([{ ref, value: key.value }]);
});

test('A25 no byte of a secret value, of the passphrase or of the data key stands in the database, its write-ahead log or its copies', async () => {
  const dir = place();
  const keychain = keychainOf();
  const { secrets, store } = await start(dir, { keychain });
  value(await secrets.unlock(PASS));
  const canaries = Array.from({ length: 40 }, (_, i) => `canary-${i}-${'q'.repeat(30)}`);
  canaries.forEach((text, i) => value(secrets.put({ serverId: 'files', place: `env.K${i}`, value: text })));
  value(secrets.put({ serverId: 'files', place: 'env.K0', value: 'canary-rotated-value' }));
  await secrets.settled();
  const scan = (): void => {
    for (const name of readdirSync(dir)) {
      const bytes = readFileSync(join(dir, name));
      for (const text of ['canary', PASS, ...canaries]) {
        for (const form of [text, Buffer.from(text).toString('base64').slice(0, 8), Buffer.from(text).toString('hex')]) expect([name, bytes.includes(form)]).toEqual([name, false]);
      }
    }
  };
  expect(readdirSync(dir)).toContain('gantry.db-wal');
  scan();
  store.connection.pragma('wal_checkpoint(TRUNCATE)');
  scan();
});
