import { closeSync, constants, fchmodSync, openSync } from 'node:fs';

/**
 * Makes the file with 0600 where it is missing, never through a link. SQLite gives -wal and -shm the mode of the database,
 * so that this decides all three. O_NOFOLLOW does not exist on Windows (0 there); the folder's check covers links.
 */
export const touchPrivateFile = (path: string): void => {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  try {
    if (process.platform !== 'win32') fchmodSync(fd, 0o600);
  } finally {
    closeSync(fd);
  }
};
