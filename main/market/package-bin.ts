import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { join, relative, isAbsolute } from 'node:path';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';

const none = (message: string, remedy: string, details: Readonly<Record<string, unknown>>): Result<never> => err(fault('no_executable', message, { field: 'spec.package', remedy, details }));

const within = (parent: string, child: string): boolean => {
  const path = relative(parent, child);
  return path !== '' && !path.startsWith('..') && !isAbsolute(path);
};

const firstLine = (path: string): string => {
  const handle = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(256);
    return buffer.toString('utf8', 0, readSync(handle, buffer)).split('\n', 1)[0]!;
  } finally {
    closeSync(handle);
  }
};

/**
 * The one program of an installed package that Gantry starts with its own Node, relative to the package folder.
 * `bin` may be a string or a map; of several, the one named like the package. Errors: no_executable (details.choices lists what there is).
 */
export const findBin = (packageDir: string, packageName: string): Result<string> => {
  const manifest = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { readonly bin?: unknown };
  const ownName = packageName.replace(/^@[^/]+\//, '');
  const bins = typeof manifest.bin === 'string' ? { [ownName]: manifest.bin } : typeof manifest.bin === 'object' && manifest.bin !== null ? manifest.bin : {};
  const named = Object.entries(bins).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
  const targets = new Set(named.map(([, path]) => join(packageDir, path)));
  const chosen = targets.size === 1 ? named[0] : named.find(([name]) => name === ownName || name === packageName);
  const details = { package: packageName, choices: named.map(([name]) => name) };
  if (named.length === 0) return none(`${packageName} has no program to start: it is a library.`, 'Look for the package that holds the server itself.', details);
  if (!chosen) {
    return none(`${packageName} has several programs and none is named like the package: ${details.choices.join(', ')}.`, 'Add it as a custom command that names the program.', details);
  }
  const path = join(packageDir, chosen[1]);
  try {
    if (!within(realpathSync(packageDir), realpathSync(path)) || !statSync(path).isFile()) throw new Error('outside the package');
  } catch {
    return none(`The program that ${packageName} names (${chosen[1]}) is not in the package.`, 'Try another version, or tell the publisher.', details);
  }
  const start = firstLine(path);
  const isNode = start.startsWith('#!') ? /\b(?:node|nodejs)\b/.test(start) : /\.(?:[cm]?js)$/i.test(path) || !/[\0]/.test(start);
  if (!isNode) return none(`The program of ${packageName} is not a Node program.`, 'Add it as a custom command.', details);
  return ok(relative(packageDir, path));
};
