import { afterAll, expect, test } from 'vitest';
import { keyFieldsOf } from './key-fields.ts';
import { TestRegistry } from './open-test-registry.ts';
import { SchemaChecker } from './schema-checker.ts';

const schemas = new SchemaChecker();
afterAll(() => schemas.close());

const PAY = 'mcp:bank:tool:pay';
const properties = { to: { type: 'string' }, amount: { type: 'number' }, client_request_id: { type: 'string' }, mode: { enum: ['a', 'b'] } };
const open = async (): Promise<TestRegistry> => {
  const t = new TestRegistry(schemas);
  t.server('bank');
  await t.offer('bank', [{ name: 'pay', inputSchema: { type: 'object', properties } }]);
  return t;
};
const KEY = { field: 'client_request_id', required: true };
const review = (t: TestRegistry, more: object) => {
  t.now += 1;
  return t.registry.review({ capabilityId: PAY, tier: 'high_write', admit: true, ...more }, 'me');
};
const shown = (t: TestRegistry) => {
  const got = t.registry.get(PAY);
  if (!got.ok) throw new Error(got.error.message);
  return got.value;
};

test('TM10 a review names class and key, keeps them where it is silent, takes them back on null, and is read again at the next start', async () => {
  const t = await open();
  expect(review(t, { callClass: 'job_submission', idempotency: KEY }).ok).toBe(true);
  expect(shown(t)).toMatchObject({ callClass: 'job_submission', idempotency: KEY, review: { callClass: 'job_submission', idempotency: KEY } });
  const first = shown(t).bindingFingerprint;
  const candidate = t.registry.candidate(PAY, 'user');
  expect(candidate.ok && candidate.value).toMatchObject({ bindingFingerprint: first, capability: { callClass: 'job_submission', idempotency: KEY } });
  expect(review(t, {}).ok).toBe(true);
  expect(shown(t)).toMatchObject({ callClass: 'job_submission', idempotency: KEY });
  t.open();
  expect(shown(t)).toMatchObject({ callClass: 'job_submission', idempotency: KEY });
  expect(review(t, { callClass: null }).ok).toBe(true);
  expect(shown(t).callClass).toBeUndefined();
  expect(shown(t).idempotency).toEqual(KEY);
  expect(review(t, { idempotency: null }).ok).toBe(true);
  expect(shown(t).idempotency).toBeUndefined();
  expect(shown(t).bindingFingerprint).not.toBe(first);
});

test('TM10 within one moment another class or key is another binding, and a review that says nothing of them has the one it always had', async () => {
  const t = await open();
  const bindings = [{}, { callClass: 'job_submission' }, { callClass: 'low_write' }, { callClass: null, idempotency: KEY }, { idempotency: { ...KEY, required: false } }, { callClass: null, idempotency: null }].map((more) => {
    t.registry.review({ capabilityId: PAY, tier: 'high_write', admit: true, ...more } as never, 'me');
    return shown(t).bindingFingerprint;
  });
  expect(new Set(bindings).size).toBe(5);
  expect(bindings.at(-1)).toBe(bindings[0]);
});

test('TM10 another tier drops what does not fit it', async () => {
  const t = await open();
  review(t, { callClass: 'high_write', idempotency: KEY });
  expect(review(t, { tier: 'read_only' }).ok).toBe(true);
  expect(shown(t)).toMatchObject({ tier: 'read_only' });
  expect([shown(t).callClass, shown(t).idempotency]).toEqual([undefined, undefined]);
});

test.each([
  [{ tier: 'high_write', callClass: 'read_only' }, '/callClass', { allowed: ['low_write', 'high_write', 'job_submission'] }],
  [{ tier: 'read_only', callClass: 'low_write' }, '/callClass', {}],
  [{ tier: 'read_only', idempotency: KEY }, '/idempotency', {}],
  [{ tier: 'high_write', idempotency: { field: 'request', required: false } }, '/idempotency/field', { problem: 'not_declared', suggested: ['client_request_id'] }],
  [{ tier: 'high_write', idempotency: { field: 'amount', required: false } }, '/idempotency/field', { problem: 'no_text' }],
  [{ tier: 'high_write', idempotency: { field: 'mode', required: false } }, '/idempotency/field', { problem: 'no_text' }],
  [{ tier: 'high_write', idempotency: { field: 'toString', required: false } }, '/idempotency/field', { problem: 'not_declared' }],
])('TM11 the review %j is refused at %s, and nothing of it is kept', async (more, field, details) => {
  const t = await open();
  const before = shown(t).bindingFingerprint;
  const refused = review(t, more);
  expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_request', field, details } });
  expect(refused.ok ? '' : refused.error.remedy).not.toBe('');
  expect(shown(t).bindingFingerprint).toBe(before);
});

test('TM11 a resource has no key against repeats', async () => {
  const t = await open();
  await t.offer('bank', [{ name: 'statement', uri: 'bank://statement' }], { kind: 'resource' });
  expect(t.registry.review({ capabilityId: 'mcp:bank:resource:statement', tier: 'high_write', admit: true, idempotency: KEY }, 'me')).toMatchObject({ ok: false, error: { field: '/idempotency' } });
});

test('TM12 what looks like a key is suggested, the surest first, and has no effect before a review', async () => {
  const t = await open();
  expect(shown(t).keyFields).toEqual(['client_request_id']);
  expect(shown(t).idempotency).toBeUndefined();
  const fields = (names: Readonly<Record<string, unknown>>) => keyFieldsOf({ type: 'object', properties: names });
  const text = { type: 'string' };
  expect(fields({ requestId: text, idempotencyKey: text, note: text })).toEqual(['idempotencyKey', 'requestId']);
  expect(fields({ 'Idempotency-Key-Used': text, ClientToken: { type: ['string', 'null'] }, token: text })).toEqual(['ClientToken']);
  expect(fields({ nonce: { type: 'string', description: 'Makes the request idempotent.' }, request_id: { type: 'integer' }, dedup_id: { enum: ['a'] } })).toEqual(['nonce']);
  for (const odd of [undefined, null, true, [], { properties: [] }, { properties: { request_id: false } }]) expect(keyFieldsOf(odd)).toEqual([]);
});
