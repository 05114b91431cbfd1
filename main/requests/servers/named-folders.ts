import { isAbsolute, resolve } from 'node:path';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';

/** The folders that a person names for a server (roots), each once; null where nothing is changed. Error: invalid_request with the place. */
export const namedFolders = (roots: readonly string[] | undefined): Result<readonly string[] | null, Fault> => {
  if (roots === undefined) return ok(null);
  const wrong = roots.findIndex((folder) => !isAbsolute(folder) || folder.includes('\0'));
  if (wrong >= 0) return err(fault('invalid_request', 'A folder for a server is named by its whole path.', { field: `/roots/${wrong}`, remedy: 'Give the path from the root of the file system.' }));
  return ok([...new Set(roots.map((folder) => resolve(folder)))]);
};
