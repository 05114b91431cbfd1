import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes beside the target, syncs, renames: a reader sees the old file or the whole new one, also after a crash.
 * The temporary file is made exclusively with `mode`, so that it is at no moment wider. Throws the I/O error.
 */
export const writeFileAtomically = async (path: string, data: string | Uint8Array, mode: number): Promise<void> => {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};
