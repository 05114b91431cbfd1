import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 5 * 2 ** 20;

/** `<dataDir>/logs/gantry.log`, mode 0600; at 5 MiB it becomes gantry.1.log, so at most 10 MiB are kept. A full disk loses log lines, never the host. */
export const openLogFile = (dataDir: string): { write(line: string): void; close(): void } => {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // M16: a link could lead the log out of the private folder
  if (lstatSync(folder).isSymbolicLink()) {
    rmSync(folder);
    mkdirSync(folder, { mode: 0o700 });
  }
  const path = join(folder, 'gantry.log');
  let size = existsSync(path) ? statSync(path).size : 0;
  let descriptor = openSync(path, 'a', 0o600);
  chmodSync(path, 0o600);
  return {
    write: (line) => {
      try {
        if (size > MAX_BYTES) {
          closeSync(descriptor);
          renameSync(path, join(folder, 'gantry.1.log'));
          descriptor = openSync(path, 'a', 0o600);
          size = 0;
        }
        size += writeSync(descriptor, line);
      } catch {
        // nowhere to tell it
      }
    },
    close: () => closeSync(descriptor),
  };
};
