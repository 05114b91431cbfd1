import { describe, expect, test } from 'vitest';
import { parsePackageRequest } from './package-request.ts';

describe('package requests', () => {
  test.each([
    [{ package: 'mcp-hello-world' }, { name: 'mcp-hello-world', version: 'latest' }],
    [{ package: '@scope/name', version: '1.2.3' }, { name: '@scope/name', version: '1.2.3' }],
    [{ package: '@scope/name@^1.2' }, { name: '@scope/name', version: '^1.2' }],
    [{ package: 'name', version: '>=1.0.0 <2' }, { name: 'name', version: '>=1.0.0 <2' }],
    [{ package: 'name', version: 'next' }, { name: 'name', version: 'next' }],
    [{ package: 'name', version: '1.0.0-beta.1+build.5' }, { name: 'name', version: '1.0.0-beta.1+build.5' }],
  ])('M30 names of the registry are taken: %j', (spec, expected) => {
    expect(parsePackageRequest(spec)).toEqual({ ok: true, value: expected });
  });

  test.each([
    '--registry=http://127.0.0.1', '-g', '.', '..', '../up', './here', '/etc', 'C:\\here', 'a/b', '@scope/../x', '@scope/-x', 'git+ssh://x/y', 'git+https://x/y.git',
    'file:../x', 'https://x/y.tgz', 'github:a/b', 'npm:other', 'link:x', 'Upper', 'sp ace', 'new\nline', 'a;b', '$(x)', 'node_modules', '', '@scope', '@scope/', 'x'.repeat(215), 'naïve',
  ])('M30 everything else is refused by field: %j', (name) => {
    expect(parsePackageRequest({ package: name })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: 'spec.package', remedy: expect.any(String) } });
  });

  test.each(['file:../x', 'git+ssh://x', 'npm:other@1', 'https://x/y.tgz', '--force', '../x', 'a/b', '1.0.0 || git:x', '#main', '', ' ', 'a\nb', '1'.repeat(129)])('M30 a version is a version, range or tag: %j', (version) => {
    expect(parsePackageRequest({ package: 'name', version })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: 'spec.version', remedy: expect.any(String) } });
  });

  test('M30 two different versions for one package are refused', () => {
    expect(parsePackageRequest({ package: 'name@1.0.0', version: '2.0.0' })).toMatchObject({ ok: false, error: { field: 'spec.version' } });
  });
});
