import { expect, test } from 'vitest';
import { agreeableAddress } from './agreeable.ts';

test('NG04 the window offers to agree to what the host says may be agreed to, and to nothing else', () => {
  const refused = (details: object, code = 'address_refused') => agreeableAddress({ code, message: '', details: { host: 'mcp.example', address: '10.0.0.5', ...details } });
  expect(refused({ kind: 'private', agreeable: true })).toEqual({ host: 'mcp.example', kind: 'private' });
  expect(refused({ kind: 'private', agreeable: false })).toBeNull();
  expect(refused({ kind: 'metadata', agreeable: true })).toBeNull();
  expect(refused({ kind: 'private', agreeable: true }, 'connection_failed')).toBeNull();
  expect(agreeableAddress({ code: 'address_refused', message: '' })).toBeNull();
});
