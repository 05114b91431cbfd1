import { hash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Installation } from '../../shared/server.ts';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import { hashFile, walk } from './file-manifest.ts';

const PackageSchema = z.object({ version: z.string(), bin: z.string() });

/** One hash over every file of the folder: it stands where an npm app has the hash of its lock. */
const folderSha256 = (dir: string, files: readonly string[]): string => hash('sha256', files.map((path) => `${hashFile(join(dir, path)).digest} ${path}\n`).join(''), 'hex');

/**
 * A first-party server that ships under `assets/servers/<name>`: nothing is copied, it runs from where it lies.
 * `integrity` is the SHA-512 of its program, `lockSha256` covers all its files. Errors: package_not_found, install_failed.
 */
export const describeBuiltin = (assetsDir: string, name: string, now: number): Result<Installation> => {
  const dir = join(assetsDir, 'servers', name);
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name) || !existsSync(join(dir, 'package.json'))) {
    return err(fault('package_not_found', `Gantry has no built-in app named ${JSON.stringify(name.slice(0, 80))}.`, { field: 'spec.name', remedy: 'Take one from the catalog.', details: { step: 'resolve' } }));
  }
  try {
    const { version, bin } = PackageSchema.parse(JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')));
    const { files } = walk(dir);
    const entry = join(dir, bin);
    return ok({
      kind: 'builtin',
      package: name,
      version,
      integrity: `sha512-${hashFile(entry, 'sha512', 'base64').digest}`,
      lockSha256: folderSha256(dir, files),
      dir,
      entry,
      sizeBytes: files.reduce((sum, path) => sum + lstatSync(join(dir, path)).size, 0),
      installedAt: now,
      scripts: [],
    });
  } catch (error) {
    return err(fault('install_failed', `The built-in app ${name} is damaged.`, { remedy: 'Install Gantry again.', details: { step: 'check', reason: String((error as Error).message).slice(0, 200) } }));
  }
};
