import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nodePins, placeNode, programKind } from './node-binary.ts';

const newFolder = (): string => join(mkdtempSync(join(tmpdir(), 'gantry-node-')), 'node');
const lock = JSON.parse(readFileSync(fileURLToPath(new URL('../package-lock.json', import.meta.url)), 'utf8')) as { packages: Record<string, { version: string }> };

/** The first bytes of a program: magic number and machine, as each format has them. */
const head = (write: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.alloc(512);
  write(bytes);
  return bytes;
};
const elf = (machine: number): Buffer => head((b) => { b.writeUInt32BE(0x7f454c46, 0); b.writeUInt16LE(machine, 18); });
const macho = (cpu: number): Buffer => head((b) => { b.writeUInt32LE(0xfeedfacf, 0); b.writeUInt32LE(cpu, 4); });
const pe = (machine: number, at = 0x80): Buffer => head((b) => { b.write('MZ'); b.writeUInt32LE(at, 0x3c); if (at < 500) { b.write('PE\0\0', at); b.writeUInt16LE(machine, at + 4); } });

test('B05 a program tells its system and architecture by its first bytes', () => {
  expect([elf(0x3e), elf(0xb7), macho(0x0100000c), macho(0x01000007), pe(0x8664), pe(0xaa64)].map(programKind)).toEqual(['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64', 'win32-arm64']);
  expect([elf(0x03), pe(0x8664, 0xffffff), Buffer.from('#!/bin/sh\n'), Buffer.alloc(0), Buffer.alloc(512)].map(programKind)).toEqual([null, null, null, null, null]);
});

test('B05 the pinned Node is the one that this project runs on, each with its integrity', () => {
  const { version, packages } = nodePins();
  expect(version).toBe(lock.packages['node_modules/node']?.version);
  expect(Object.keys(packages)).toEqual(expect.arrayContaining(['linux-x64', 'linux-arm64', 'win32-x64']));
  for (const { integrity } of Object.values(packages)) expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
});

test('B05 a Node for another system, no program at all, or a system without a pin is refused, and nothing is left', async () => {
  const given = join(mkdtempSync(join(tmpdir(), 'gantry-given-')), 'node');
  for (const bytes of [elf(0xb7), Buffer.from('#!/bin/sh\n')]) {
    writeFileSync(given, bytes);
    const folder = newFolder();
    await expect(placeNode({ platform: 'linux', arch: 'x64', folder, given })).rejects.toThrow(/is a program for/);
    expect(existsSync(folder)).toBe(false);
  }
  await expect(placeNode({ platform: 'darwin', arch: 'arm64', folder: newFolder() })).rejects.toThrow(/GANTRY_NODE_BINARY/);
  writeFileSync(given, macho(0x0100000c));
  const folder = newFolder();
  expect(await placeNode({ platform: 'darwin', arch: 'arm64', folder, given })).toBe(join(folder, 'node'));
});
