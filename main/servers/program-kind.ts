import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { fault, type Fault } from '../../shared/fault.ts';

const ELF_MACHINES: Readonly<Record<string, number>> = { ia32: 3, arm: 40, x64: 62, arm64: 183, ppc64: 21, s390x: 22, riscv64: 243, loong64: 258 };
const MACH_O = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe, 0xbebafeca]);

const head = (file: string): Buffer => {
  const bytes = Buffer.alloc(64);
  const handle = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(handle, bytes, 0, 64, 0));
  } finally {
    closeSync(handle);
  }
};

/** Linux may be told to run further kinds of files (an emulator, Wine). */
const hasEmulators = (): boolean => {
  try {
    return readdirSync('/proc/sys/fs/binfmt_misc').some((name) => name !== 'register' && name !== 'status');
  } catch {
    return false;
  }
};

/**
 * Why the system could not start this file by itself, or null. Without this the C library would hand it to /bin/sh (execvp on ENOEXEC), and a shell is never used (P10).
 * A file that cannot be read is not judged.
 */
export const notAProgram = (file: string, platform: NodeJS.Platform = process.platform, arch: string = process.arch): Fault | null => {
  if (platform === 'win32' || hasEmulators()) return null;
  let bytes: Buffer;
  try {
    bytes = head(file);
  } catch {
    return null;
  }
  const refuse = (why: string, remedy: string): Fault => fault('command_not_permitted', `${file} is not a program this system can start: ${why}.`, { remedy, details: { file, cause: 'ENOEXEC' } });
  if (bytes.toString('latin1', 0, 2) === '#!') return null;
  const magic = bytes.length >= 4 ? bytes.readUInt32BE(0) : 0;
  if (magic === 0x7f454c46) {
    if (platform !== 'linux' && platform !== 'freebsd') return refuse('it was built for another system', 'Get the build for this system.');
    const machine = bytes.length < 52 ? -1 : bytes[5] === 2 ? bytes.readUInt16BE(18) : bytes.readUInt16LE(18);
    const own = ELF_MACHINES[arch];
    if (machine < 0) return refuse('the file is cut off', 'Install it again.');
    // a 64-bit x86 system also runs 32-bit programs
    if (own === undefined || machine === own || (arch === 'x64' && machine === ELF_MACHINES['ia32']) || (arch === 'arm64' && machine === ELF_MACHINES['arm'])) return null;
    return refuse('it was built for another processor', `Get the build for ${arch}.`);
  }
  if (MACH_O.has(magic)) return platform === 'darwin' ? null : refuse('it was built for macOS', 'Get the build for this system.');
  if (bytes.toString('latin1', 0, 2) === 'MZ') return refuse('it was built for Windows', 'Get the build for this system.');
  return refuse('it has no first line that names an interpreter', 'A script has to begin with a line such as #!/usr/bin/env node; or give the interpreter as the command and the script as its argument.');
};
