import { expect, test } from 'vitest';
import { readScopes, writeScopes } from './scope-lines.ts';

test('NW14 scopes are typed a line each, also as npm writes them, and read back as they were', () => {
  const scopes = readScopes('@acme https://npm.acme.example/\n\n  @b:registry=http://127.0.0.1:4873/  ');
  expect(scopes).toEqual([{ scope: '@acme', registry: 'https://npm.acme.example/' }, { scope: '@b', registry: 'http://127.0.0.1:4873/' }]);
  expect(readScopes(writeScopes(scopes!))).toEqual(scopes);
  expect([readScopes(''), readScopes('acme https://x'), readScopes('@acme'), readScopes('@Ac me https://x')]).toEqual([[], null, null, null]);
});
