import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MANIFEST_FILE, parseManifest, unlistedData } from './file-manifest.ts';

export interface CarryJob {
  readonly former: string;
  readonly current: string;
}

/**
 * Moves the data files which an app wrote beside its code into the folder of its new version, at the same place; server-memory keeps its graph there.
 * A file that the new version brings itself wins. Gives the paths that were moved. Throws I/O errors.
 */
export const carryDataOver = ({ former, current }: CarryJob): readonly string[] => {
  const path = join(former, MANIFEST_FILE);
  if (!existsSync(path)) return [];
  const manifest = parseManifest(readFileSync(path, 'utf8'));
  if (manifest === null) return [];
  const moved = unlistedData(former, manifest).filter((file) => !existsSync(join(current, file)));
  for (const file of moved) {
    mkdirSync(dirname(join(current, file)), { recursive: true });
    renameSync(join(former, file), join(current, file));
  }
  return moved;
};
