import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newToken } from '../same-secret.ts';

/** sun_path holds 104 bytes on macOS, 108 on Linux, with its closing NUL. */
const MAX_SOCKET_PATH_BYTES = 103;

export interface ChannelPath {
  readonly path: string;
  /** Takes away what listening left on the disk. */
  remove(): void;
}

/** Where the host of this data folder listens for the command: a socket in the folder, in a private temporary one where that name is too long, a named pipe on Windows. */
export const newChannelPath = (dataDir: string, platform: NodeJS.Platform = process.platform): ChannelPath => {
  if (platform === 'win32') return { path: `\\\\.\\pipe\\gantry-${newToken()}`, remove: () => {} };
  const inside = join(dataDir, 'host.sock');
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH_BYTES) {
    // the caller holds the data folder's lock: a socket that is there was left by a crash
    rmSync(inside, { force: true });
    return { path: inside, remove: () => rmSync(inside, { force: true }) };
  }
  const path = join(mkdtempSync(join(tmpdir(), 'gantry-')), 'host.sock');
  return { path, remove: () => rmSync(dirname(path), { recursive: true, force: true }) };
};
