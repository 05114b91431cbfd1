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
