import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newToken } from '../same-secret.ts';

const NAME = /^open-[A-Za-z0-9_-]+\.html$/;

/** Takes away redirect files that a crash left behind. */
export const removeRedirectFiles = (folder: string): void => {
  try {
    for (const name of readdirSync(folder)) if (NAME.test(name)) rmSync(join(folder, name), { force: true });
  } catch {
    // no folder, no files
  }
};

/**
 * A page (mode 0600) that leads the browser to `address`, so that the one-time token in it is in no process list (argv).
 * Returns its path; it is to be removed as soon as the token is used.
 */
export const writeRedirectFile = (folder: string, address: string): string => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `open-${newToken().slice(0, 12)}.html`);
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${address}"><title>Gantry</title>\n`;
  writeFileSync(path, page, { mode: 0o600, flag: 'wx' });
  return path;
};
