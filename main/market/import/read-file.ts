import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { relative, isAbsolute, sep } from 'node:path';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';

/** Settings of programs that keep their history beside them can be large; this is read in one piece. */
export const FILE_LIMIT_BYTES = 4 * 1024 * 1024;

const refuse = (cause: string, message: string, path: string, details: Readonly<Record<string, unknown>> = {}): Result<never, Fault> =>
  err(fault('file_unreadable', message, { field: 'path', remedy: cause === 'link' ? 'If you know where it leads, give that file itself.' : 'Check the file and its permissions, or paste what it holds.', details: { cause, path, ...details } }));

const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/** Null where the file does not exist. */
const realOf = async (path: string, within: string | null): Promise<Result<string | null, Fault>> => {
  try {
    await lstat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return ok(null);
    return refuse(code === 'EACCES' || code === 'EPERM' ? 'permission' : (code ?? 'unknown'), `${path} may not be read.`, path);
  }
  try {
    const real = await realpath(path);
    if (within !== null && real !== path && !isInside(real, await realpath(within))) return refuse('link', `${path} leads out of your home folder, to ${real}.`, path, { target: real });
    return ok(real);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? refuse('link', `${path} leads to nothing.`, path) : refuse(code === 'EACCES' ? 'permission' : (code ?? 'unknown'), `${path} may not be read.`, path);
  }
};

/**
 * A settings file as text; null where there is none. Only regular files, at most `FILE_LIMIT_BYTES`; nothing is waited for (a pipe, a device) and nothing is written.
 * `within`: a link is followed only to what lies in this folder; null follows what a person named. Errors: file_unreadable, import_too_large.
 */
export const readSettingsFile = async (path: string, within: string | null): Promise<Result<string | null, Fault>> => {
  const real = await realOf(path, within);
  if (!real.ok || real.value === null) return real.ok ? ok(null) : real;
  let handle;
  try {
    // the real path holds no link any more: one that is put there meanwhile is refused
    handle = await open(real.value, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const stat = await handle.stat();
    if (!stat.isFile()) return refuse('not_a_file', `${path} is no file.`, path);
    const bytes = Buffer.alloc(FILE_LIMIT_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null);
      length += bytesRead;
      if (bytesRead === 0 || length === bytes.length) break;
    }
    if (length > FILE_LIMIT_BYTES) return err(fault('import_too_large', `${path} is larger than settings are.`, { field: 'path', remedy: 'Paste the part that holds the servers.', details: { limitBytes: FILE_LIMIT_BYTES, path } }));
    const raw = bytes.subarray(0, length);
    const utf16 = raw[0] === 0xff && raw[1] === 0xfe;
    return ok((utf16 ? raw.toString('utf16le') : raw.toString('utf8')).replace(/^\uFEFF/, '').toWellFormed());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return ok(null);
    return refuse(code === 'EACCES' || code === 'EPERM' ? 'permission' : code === 'EISDIR' ? 'not_a_file' : code === 'ELOOP' ? 'link' : (code ?? 'unknown'), `${path} cannot be read.`, path);
  } finally {
    await handle?.close();
  }
};
