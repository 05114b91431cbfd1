import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, readSync, closeSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import pacote from 'pacote';
import { readNpmConfig } from '../main/market/npm-config.ts';

const PinsSchema = z.object({ version: z.string(), packages: z.record(z.string(), z.object({ package: z.string(), integrity: z.string().regex(/^sha512-/) })) });
export type NodePins = z.infer<typeof PinsSchema>;
export const nodePins = (): NodePins => PinsSchema.parse(JSON.parse(readFileSync(fileURLToPath(new URL('node-binaries.json', import.meta.url)), 'utf8')));

/** Kind of a program by its first bytes: `<platform>-<architecture>`, or null. ELF e_machine, Mach-O cputype, PE Machine. */
export const programKind = (head: Buffer): string | null => {
  if (head.length < 64) return null;
  if (head.readUInt32BE(0) === 0x7f454c46) return { 0x3e: 'linux-x64', 0xb7: 'linux-arm64' }[head.readUInt16LE(18)] ?? null;
  if (head.readUInt32LE(0) === 0xfeedfacf) return { 0x01000007: 'darwin-x64', 0x0100000c: 'darwin-arm64' }[head.readUInt32LE(4)] ?? null;
  if (head.readUInt16BE(0) !== 0x4d5a) return null;
  const at = head.readUInt32LE(0x3c);
  if (at + 6 > head.length || head.readUInt32BE(at) !== 0x50450000) return null;
  return { 0x8664: 'win32-x64', 0xaa64: 'win32-arm64' }[head.readUInt16LE(at + 4)] ?? null;
};

const headOf = (path: string): Buffer => {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(4096);
    return head.subarray(0, readSync(file, head, 0, head.length, 0));
  } finally {
    closeSync(file);
  }
};

export interface NodeTarget {
  readonly platform: string;
  readonly arch: string;
  /** where it is put: `<folder>/node` or `node.exe`, with LICENSE beside it */
  readonly folder: string;
  /** a Node that lies on this machine, instead of the pinned package (GANTRY_NODE_BINARY) */
  readonly given?: string | undefined;
}

/**
 * Puts the Node that the package carries into its folder: from the pinned npm package, whose integrity pacote checks before a byte is extracted; or the given one, for a
 * system that npm has no pinned package for. Throws where neither is there, or the program is for another system.
 */
export const placeNode = async (target: NodeTarget, pins: NodePins = nodePins()): Promise<string> => {
  const kind = `${target.platform}-${target.arch}`;
  const name = target.platform === 'win32' ? 'node.exe' : 'node';
  const place = join(target.folder, name);
  const stamp = join(target.folder, '.from');
  const pin = pins.packages[kind];
  const from = target.given ? `given ${target.given}` : pin ? `${pin.package}@${pins.version} ${pin.integrity}` : null;
  if (from === null) throw new Error(`There is no pinned Node for ${kind}. Name the official one of version ${pins.version} in GANTRY_NODE_BINARY.`);
  if (!target.given && existsSync(place) && existsSync(stamp) && readFileSync(stamp, 'utf8') === from) return place;
  mkdirSync(dirname(target.folder), { recursive: true });
  const aside = mkdtempSync(`${target.folder}.`);
  try {
    if (target.given) copyFileSync(target.given, join(aside, name));
    else if (pin) {
      const unpacked = join(aside, 'package');
      await pacote.extract(`${pin.package}@${pins.version}`, unpacked, { ...readNpmConfig(), integrity: pin.integrity, cache: join(aside, 'cache') });
      renameSync(join(unpacked, 'bin', name), join(aside, name));
      if (existsSync(join(unpacked, 'LICENSE'))) renameSync(join(unpacked, 'LICENSE'), join(aside, 'LICENSE'));
      for (const left of ['package', 'cache']) rmSync(join(aside, left), { recursive: true, force: true });
    }
    const found = programKind(headOf(join(aside, name)));
    if (found !== kind) throw new Error(`The Node for ${kind} is a program for ${found ?? 'an unknown system'}.`);
    chmodSync(join(aside, name), 0o755);
    chmodSync(aside, 0o755);
    writeFileSync(join(aside, '.from'), from);
    rmSync(target.folder, { recursive: true, force: true });
    renameSync(aside, target.folder);
    return place;
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    throw error;
  }
};
