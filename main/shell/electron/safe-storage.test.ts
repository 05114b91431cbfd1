import { expect, test } from 'vitest';
import type { SafeStorage } from 'electron';
import { safeStoragePort } from './safe-storage.ts';

/** The operating system's key store, which no test machine has: its sealing is a visible reversal here. */
const storage = (backend: string, encryption = true): SafeStorage =>
  ({
    isEncryptionAvailable: () => encryption,
    getSelectedStorageBackend: () => backend,
    encryptString: (text: string) => Buffer.from([...text].reverse().join('')),
    decryptString: (sealed: Buffer) => [...sealed.toString()].reverse().join(''),
  }) as unknown as SafeStorage;

test('I29 basic_text is refused: it is not encryption (M15)', () => {
  expect(safeStoragePort(storage('basic_text'), 'linux').available()).toBe(false);
  expect(safeStoragePort(storage('unknown'), 'linux').available()).toBe(false);
  expect(safeStoragePort(storage('gnome_libsecret', false), 'linux').available()).toBe(false);
  expect(safeStoragePort(storage('gnome_libsecret'), 'linux').available()).toBe(true);
  expect(safeStoragePort(storage('basic_text'), 'darwin')).toMatchObject({});
  expect(safeStoragePort(storage('basic_text'), 'darwin').backend()).toBe('keychain');
  expect(safeStoragePort(storage('basic_text'), 'win32').backend()).toBe('dpapi');
});

test('I29 any bytes come back as they were', () => {
  const port = safeStoragePort(storage('kwallet6'), 'linux');
  const key = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  expect(port.encrypt(key).includes(key)).toBe(false);
  expect(port.decrypt(port.encrypt(key))).toEqual(key);
});
