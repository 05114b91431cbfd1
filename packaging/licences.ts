import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
}
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string | null;
}

/** Development packages that ship all the same: the program that carries the window, and the Node that runs servers. */
const SHIPS = ['electron', 'node'];
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;
const LONGEST_TEXT = 200_000;

const licenceOf = (manifest: { readonly license?: unknown; readonly licenses?: unknown }): string => {
  const said = manifest.license ?? manifest.licenses;
  const one = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : '');
  return (Array.isArray(said) ? said.map(one).filter(Boolean).join(' OR ') : one(said)) || 'not declared';
};

const textOf = (folder: string): string | null => {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name)).map((entry) => entry.name).sort();
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n').slice(0, LONGEST_TEXT);
  return text === '' ? null : text.toWellFormed();
};

/**
 * Every package that ships, by the lock file: what is not for development, and what development shares with the package. Packages for other systems, which npm
 * left out, are not there to be read. Throws where one is missing that should be installed.
 */
export const shippedPackages = (root: string): readonly ShippedPackage[] => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { readonly packages: Readonly<Record<string, LockEntry>> };
  const found = new Map<string, ShippedPackage>();
  for (const [path, entry] of Object.entries(lock.packages)) {
    const name = path.split('node_modules/').at(-1) ?? '';
    if (path === '' || entry.link || (entry.dev && !SHIPS.includes(name))) continue;
    const folder = join(root, path);
    if (!existsSync(join(folder, 'package.json'))) {
      if (entry.optional) continue;
      throw new Error(`${path} is not installed: npm ci`);
    }
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string; readonly license?: unknown };
    // the package `node` brings its program, and the licence, in one for the system
    const inside = name === 'node' ? [...readdirSync(join(folder, 'node_modules'), { withFileTypes: true })].filter((one) => one.isDirectory() && one.name.startsWith('node-')).map((one) => join(folder, 'node_modules', one.name)) : [];
    const text = textOf(folder) ?? inside.map(textOf).find((one) => one !== null) ?? null;
    found.set(`${name}@${manifest.version}`, { name, version: manifest.version, license: licenceOf(manifest), text });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));
};

/** Content of `licences.json` (main/licence-file.ts reads it). */
export const licenceFile = (root: string): string => `${JSON.stringify({ format: 'gantry-licences/1', packages: shippedPackages(root) })}\n`;
