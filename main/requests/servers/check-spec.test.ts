import { expect, test } from 'vitest';
import { checkSpec } from './check-spec.ts';

test('H15 an address with credentials, a broken address, an empty command and a NUL are refused with their field', () => {
  expect(checkSpec({ kind: 'http', url: 'https://user:pw@host.example/mcp' }, '/spec')).toMatchObject({ code: 'invalid_request', field: '/spec/url' });
  expect(checkSpec({ kind: 'http', url: 'http://[' }, '')).toMatchObject({ code: 'invalid_request', field: '/url' });
  expect(checkSpec({ kind: 'command', command: '' }, '')).toMatchObject({ code: 'invalid_request', field: '/command' });
  expect(checkSpec({ kind: 'command', command: 'a\0b' }, '')).toMatchObject({ code: 'invalid_request', field: '/command' });
  expect(checkSpec({ kind: 'npm', package: 'x', args: ['ok', 'b\0'] }, '/spec')).toMatchObject({ code: 'invalid_request', field: '/spec/args/1' });
  expect(checkSpec({ kind: 'http', url: 'https://host.example/mcp' }, '/spec')).toBeNull();
  expect(checkSpec({ kind: 'command', command: 'node', args: ['x y', ''] }, '/spec')).toBeNull();
});

test('M30 H15 what cannot be installed is no spec: ranges and tags are, paths, addresses and aliases are not', () => {
  for (const [name, version] of [['x', '^1.2'], ['@scope/x', 'latest'], ['x@1.2.3', undefined], ['x', '>=1 <2']] as const) expect(checkSpec({ kind: 'npm', package: name, version }, '/spec')).toBeNull();
  for (const name of ['../x', 'file:x', 'git+ssh://h/x', 'github:a/b', 'npm:y@1', 'X', '-x', 'node_modules', 'a b', '.x', '__proto__'.toUpperCase(), '@scope', 'x/y/z']) expect(checkSpec({ kind: 'npm', package: name }, '/spec'), name).toMatchObject({ code: 'invalid_request', field: '/spec/package', remedy: expect.any(String) });
  for (const version of ['git+https://h/x', 'npm:y@1', 'file:../x', '--flag', '1/2', '1@2', ' ']) expect(checkSpec({ kind: 'npm', package: 'x', version }, ''), version).toMatchObject({ code: 'invalid_request', field: '/version', remedy: expect.any(String) });
  for (const url of ['https://host.example/a b', 'https://host\n.example/', '\thttps://host.example/']) expect(checkSpec({ kind: 'http', url }, '/spec'), url).toMatchObject({ code: 'invalid_request', field: '/spec/url' });
});
