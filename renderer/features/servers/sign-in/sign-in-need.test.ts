import { expect, test } from 'vitest';
import type { ServerDetail } from '../../../../shared/server.ts';
import type { SignIn } from '../../../../shared/sign-in.ts';
import { agreeableOrigin, signInNeed } from './sign-in-need.ts';
import { stateKey } from '../server-words.ts';

const signIn: SignIn = { account: null, missingScopes: [], pending: null, failure: null, ownClient: null, redirectAddress: 'http://127.0.0.1/callback', agreedOrigins: [] };
const unavailable = (code: string, details = {}): ServerDetail['status'] => ({ state: 'unavailable', since: 1, code, fault: { code, message: '', details } });
const server = (status: ServerDetail['status'], change: Partial<SignIn> | null = {}, more = {}) => ({ enabled: true, quarantinedAt: null, status, signIn: change === null ? null : { ...signIn, ...change }, ...more });

test('AU18 what a server waits for is told apart: a first sign-in, one that is over, a right, an address that is not fit', () => {
  expect(signInNeed(server(unavailable('sign_in_required', { reason: 'none', host: 'as.example' })))).toEqual({ why: 'none', host: 'as.example', scopes: [], fault: null });
  for (const reason of ['expired', 'refused', 'signed_out'] as const) expect(signInNeed(server(unavailable('sign_in_required', { reason })))?.why).toBe(reason);
  expect(signInNeed(server({ state: 'ready', since: 1 }, { missingScopes: ['w'] }))).toMatchObject({ why: 'scope', scopes: ['w'] });
  expect(signInNeed(server(unavailable('sign_in_unsafe', { why: 'issuer' })))).toMatchObject({ why: 'unsafe', fault: { code: 'sign_in_unsafe' } });
  expect(signInNeed(server({ state: 'ready', since: 1 }, { failure: { code: 'sign_in_failed', message: '' } }))?.why).toBe('failed');
});

test('AU18 nothing is asked of a person where a sign-in mends nothing', () => {
  expect(signInNeed(server({ state: 'ready', since: 1 }))).toBeNull();
  expect(signInNeed(server(unavailable('connection_failed')))).toBeNull();
  expect(signInNeed(server(unavailable('sign_in_required'), null))).toBeNull();
  expect(signInNeed(server(unavailable('sign_in_required'), {}, { enabled: false }))).toBeNull();
  expect(signInNeed(server(unavailable('sign_in_required'), {}, { quarantinedAt: 5 }))).toBeNull();
});

test('AU18 only another or a private origin can be agreed to, and the list says that a sign-in is awaited', () => {
  const at = (why: string) => agreeableOrigin({ code: 'sign_in_unsafe', message: '', details: { why, origin: 'https://o.example' } });
  expect(['other_origin', 'private_address', 'address', 'issuer', 'scheme'].map(at)).toEqual(['https://o.example', 'https://o.example', null, null, null]);
  expect(agreeableOrigin(null)).toBeNull();
  expect(['sign_in_required', 'scope_missing', 'sign_in_unsafe', 'auth_required'].map((code) => stateKey({ quarantinedAt: null, enabled: true, status: unavailable(code) }))).toEqual(['signIn', 'signIn', 'signIn', 'unavailable']);
});
