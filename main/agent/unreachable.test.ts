import { expect, test } from 'vitest';
import { leadsElsewhere, unreachable } from './unreachable.ts';

const BASE = 'https://models.example/v1';
const thrown = (code: string): Error => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });

test('MD03 what the system says of a connection is told as what it is; of anything else nothing is claimed', () => {
  const why = (error: unknown): unknown => unreachable(error, BASE, 60_000)?.details?.['why'];
  expect([thrown('ENOTFOUND'), thrown('EAI_AGAIN'), thrown('EHOSTUNREACH'), thrown('UND_ERR_CONNECT_TIMEOUT'), thrown('ERR_SSL_WRONG_VERSION_NUMBER'), thrown('HPE_INVALID_CONSTANT'), new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })])].map(why)).toEqual(['name_unknown', 'name_not_looked_up', 'no_route', 'no_answer', 'not_tls', 'not_http', 'refused']);
  expect(unreachable(new DOMException('late', 'TimeoutError'), BASE, 60_000)).toMatchObject({ message: 'https://models.example gave no answer within 60 s.', details: { why: 'no_answer', cause: 'ETIMEDOUT' } });
  expect(unreachable(thrown('ECONNREFUSED'), BASE, 1)!.message).toBe('Nothing listens at models.example, port 443.');
  for (const other of [thrown('toString'), new Error('x'), null, 'ECONNREFUSED']) expect(unreachable(other, BASE, 1)).toBeNull();
});

test('MD03 where a redirect leads is named without what it asks for; what is no address of the web is not shown', () => {
  expect(leadsElsewhere(308, '/v2/models?key=secret#x', `${BASE}/models`, String)).toMatchObject({ code: 'model_unreachable', details: { why: 'redirect', status: 308, location: 'https://models.example/v2' } });
  expect(leadsElsewhere(302, 'https://me:secret@other.example/login', `${BASE}/models`, String).details).toMatchObject({ location: 'https://other.example/login' });
  for (const location of [null, 'javascript:alert(1)', 'http://']) expect(leadsElsewhere(302, location, `${BASE}/models`, String).details).not.toHaveProperty('location');
});
