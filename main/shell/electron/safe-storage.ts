import type { SafeStorage } from 'electron';
import type { SafeStoragePort } from '../host-port.ts';

/**
 * Electron's sealing for the secret store. `basic_text` (Linux without a key store) is a fixed password in Chromium's source:
 * it is refused, never called encryption (M15). Usable only after the app is ready.
 */
export const safeStoragePort = (storage: SafeStorage, platform: NodeJS.Platform = process.platform): SafeStoragePort => {
  const backend = (): string => (platform === 'linux' ? storage.getSelectedStorageBackend() : platform === 'darwin' ? 'keychain' : 'dpapi');
  return {
    backend,
    available: () => storage.isEncryptionAvailable() && backend() !== 'basic_text' && backend() !== 'unknown',
    // the port speaks bytes and safeStorage text: base64 loses nothing
    encrypt: (plain) => storage.encryptString(plain.toString('base64')),
    decrypt: (sealed) => Buffer.from(storage.decryptString(sealed), 'base64'),
  };
};
