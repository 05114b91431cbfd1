import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

interface LockEntry {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
type Lock = Readonly<Record<string, LockEntry>>;

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)(["'])([^"'.][^"']*)\1/g;

/** The package of a specifier: `@scope/name/file` is `@scope/name`. */
const packageOf = (specifier: string): string => specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/');

/** Packages that the built main and its workers import by name. */
export const importedPackages = (builtDir: string): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const file of readdirSync(builtDir)) {
    if (!/\.[cm]js$/.test(file)) continue;
    for (const [, , specifier = ''] of readFileSync(join(builtDir, file), 'utf8').matchAll(IMPORT)) {
      if (!isBuiltin(specifier) && specifier !== 'electron' && /^[@a-z]/.test(specifier)) found.add(packageOf(specifier));
    }
  }
  return found;
};

/** Where Node finds `name` from the package at `from`: the nearest node_modules upwards. */
const resolve = (lock: Lock, from: string, name: string): string | null => {
  for (let at = from; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (lock[path]) return path;
    if (at === '') return null;
  }
};

/** Places in node_modules that the given packages need, by the lock file; the window's own packages are in its bundle and are not among them. */
export const neededPlaces = (lock: Lock, roots: Iterable<string>): ReadonlySet<string> => {
  const needed = new Set<string>();
  const visit = (from: string, name: string): void => {
    const path = resolve(lock, from, name);
    if (path === null || needed.has(path)) return;
    needed.add(path);
    const entry = lock[path];
    for (const next of Object.keys({ ...entry?.dependencies, ...entry?.optionalDependencies, ...entry?.peerDependencies })) visit(path, next);
  };
  for (const name of roots) visit('', name);
  return needed;
};

const nameOf = (place: string): string => place.split('node_modules/').at(-1) ?? '';

/**
 * Names that no package has which the built main needs. By name and not by place: electron-builder lays out node_modules anew, so that what lies
 * nested here may lie on top there.
 */
export const unneededNames = (root: string): readonly string[] => {
  const lock = (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { readonly packages: Lock }).packages;
  const needed = new Set([...neededPlaces(lock, importedPackages(join(root, 'dist', 'electron')))].map(nameOf));
  return [...new Set(Object.keys(lock).filter((place) => place !== '').map(nameOf))].filter((name) => !needed.has(name)).sort();
};
