import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Files that git has or would take in (new ones that are not ignored), from the root, with forward slashes. */
export const listFiles = (root) =>
  [...new Set(execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 }).split('\0'))].filter((path) => path !== '' && existsSync(join(root, path))).toSorted();
