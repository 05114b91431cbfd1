import { expect, test } from 'vitest';
import { updateOf } from './catalog-update.ts';

const app = { serverId: 's', version: '1.0.0', update: '1.2.0', sizeBytes: null };

test('U85 an npm app is brought to the version of the catalog by its version alone', () => {
  expect(updateOf({ id: 's', spec: { kind: 'npm', package: '@a/b', version: '1.0.0' }, args: [] }, { installed: [app] })).toMatchObject({ before: '@a/b@1.0.0', after: '@a/b@1.2.0', change: { version: '1.2.0' } });
});

test('U85 a package of PyPI or an image by the one argument that names it; all others stay, sealed ones as their reference', () => {
  const server = { id: 's', spec: { kind: 'command' as const, command: 'uvx', args: ['--from', 'p==1.0.0', 'p'] }, args: ['--key', { secretRef: 'x' }, 'p==1.0.0-not-it'] };
  expect(updateOf(server, { installed: [app], package: { registry: 'pypi', name: 'p', version: '1.2.0', program: 'p' } })?.change).toEqual({ args: ['--from', 'p==1.2.0', 'p', '--key', { secretRef: 'x' }, 'p==1.0.0-not-it'] });
  expect(updateOf(server, { installed: [app], package: { registry: 'oci', image: 'q', tag: '1.2.0' } })).toBeNull();
});

test('U85 nothing is offered for another server, for the newest, and where no version is known', () => {
  const server = { id: 's', spec: { kind: 'npm' as const, package: 'a' }, args: [] };
  for (const one of [{ ...app, serverId: 'other' }, { ...app, update: null }, { ...app, version: null }]) expect(updateOf(server, { installed: [one] })).toBeNull();
});
