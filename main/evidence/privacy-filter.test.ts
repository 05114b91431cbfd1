import { expect, test } from 'vitest';
import { PrivacyFilter } from './privacy-filter.ts';

const secrets = [{ ref: 'r1', value: 'canary-"secret"-9f2' }];
const filter = new PrivacyFilter(() => secrets);

test('E05 known secrets are masked in every form, credentials by shape, with place and count', () => {
  const value = {
    plain: `a ${secrets[0]!.value} b ${secrets[0]!.value}`,
    inJson: JSON.stringify({ k: secrets[0]!.value }),
    list: [Buffer.from(`user:${secrets[0]!.value}`).toString('base64')],
    aws: 'key AKIAIOSFODNN7EXAMPLE end',
    gh: `ghp_${'a'.repeat(36)}`,
    auth: 'Authorization: Bearer abcdef0123456789abcdef',
    url: 'https://me:hunter22@example.com/x',
    jwt: `eyJ${'a'.repeat(20)}.${'b'.repeat(20)}.${'c'.repeat(10)}`,
    pem: 'x -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- y',
    open: '-----BEGIN PRIVATE KEY-----\nMIIE',
  };
  const { value: clean, masked } = filter.value(value);
  const text = JSON.stringify(clean);
  for (const bad of ['canary-', 'AKIAIOS', 'ghp_aaa', 'abcdef0123', 'hunter22', 'eyJaaa', 'MIIE']) expect(text).not.toContain(bad);
  expect(text).toContain('x [masked: private_key] y');
  expect(masked.find((m) => m.place === '/plain')).toEqual({ place: '/plain', kind: 'secret', count: 2 });
  expect(masked.find((m) => m.place === '/aws')).toEqual({ place: '/aws', kind: 'aws_access_key', count: 1 });
  expect(filter.touchesJson(JSON.stringify({ a: 'nothing here' }))).toBe(false);
  expect(filter.touchesJson(JSON.stringify({ a: secrets[0]!.value }))).toBe(true);
});

test('E05 a secret in a key is found and masked, and the pointer does not echo it', () => {
  const value = { outer: { [secrets[0]!.value]: 1 } };
  expect(filter.findSecret(value)).toBe('/outer');
  expect(JSON.stringify(filter.value(value).value)).not.toContain('canary-');
  expect(filter.findSecret({ a: [{ b: `x${secrets[0]!.value}` }] })).toBe('/a/0/b');
  expect(filter.findSecret({ a: 'fine' })).toBeNull();
});

test('E05 ordinary text, hashes, UUIDs and pictures stay as they are', () => {
  const value = { hash: 'a'.repeat(64), id: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6', at: 'http://localhost:3000/x', text: 'a task-list of risk-free things', data: 'AKIAIOSFODNN7EXAMPLE', mimeType: 'image/png' };
  expect(filter.value(value)).toEqual({ value, masked: [] });
});

test('CL30 unpaired surrogates are replaced and a name like __proto__ stays data', () => {
  const { value } = filter.value(JSON.parse('{"a":"x\\ud800y","__proto__":{"polluted":1}}'));
  expect(JSON.stringify(value)).toBe('{"a":"x\ufffdy","__proto__":{"polluted":1}}');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('E06 masking takes linear time on hostile text', () => {
  const hostile = ['-----BEGIN PRIVATE KEY-----'.repeat(40_000), '-eyJaaaaaaaaaaa'.repeat(70_000), 'Bearer '.repeat(150_000), '://aaaa:bbbb'.repeat(90_000), 'sk-'.repeat(300_000)];
  // a megabyte each: with the square of it this does not end
  for (const text of hostile) expect(filter.text(text).length).toBeLessThanOrEqual(2 * text.length);
});

test('K34 a number that is a known value is masked, and one that holds a long one; other numbers stay numbers', () => {
  const filter = new PrivacyFilter(() => [{ ref: 'a', value: '48219736501' }, { ref: 'b', value: '4821' }, { ref: 'c', value: '0077441122' }, { ref: 'd', value: '12345678901234567890' }]);
  const { value, masked } = filter.value({ pin: 48219736501, neg: -48219736501, list: [148219736501], short: 4821, count: 14821, bare: 77441122, rounded: Number('12345678901234567890'), 48219736501: 1, other: 5 });
  expect(value).toEqual({ pin: '[secret]', neg: '[secret]', list: ['[secret]'], short: '[secret]', count: 14821, bare: '[secret]', rounded: '[secret]', '[secret]': 1, other: 5 });
  expect(masked).toContainEqual({ place: '/list/0', kind: 'secret', count: 1 });
  expect(filter.findSecret({ a: [48219736501] })).toBe('/a/0');
  expect(filter.findSecret({ a: 14821 })).toBeNull();
});
