import { expect, test } from 'vitest';
import type { QuestionField } from '../../../shared/question.ts';
import { judgeContent } from './form-content.ts';
import { formFields } from './form-schema.ts';
import { judgeQuestion } from './judge-question.ts';

const form = (properties: object, required: readonly string[] = []): unknown => ({ type: 'object', properties, required });
const fieldsOf = (properties: object, required: readonly string[] = []): readonly QuestionField[] => {
  const fields = formFields(form(properties, required));
  if (!fields.ok) throw new Error(fields.error.message);
  return fields.value;
};
const whyNot = (schema: unknown): string | null => {
  const fields = formFields(schema);
  return fields.ok ? null : `${fields.error.code}: ${fields.error.message}`;
};

test('QA12 every kind of field that a form may have is read, with its title, bounds, choices and default', () => {
  const fields = fieldsOf(
    {
      name: { type: 'string', title: 'Name', description: 'of the row', minLength: 1, maxLength: 5, default: 'Ada' },
      mail: { type: 'string', format: 'email' },
      age: { type: 'integer', minimum: 0, maximum: 150, default: 36 },
      score: { type: 'number', default: 95.5 },
      sure: { type: 'boolean', default: true },
      plain: { type: 'string', enum: ['a', 'b'], default: 'a' },
      named: { type: 'string', enum: ['a', 'b'], enumNames: ['Ay', 'Bee'] },
      titled: { type: 'string', oneOf: [{ const: 'a', title: 'Ay' }, { const: 'b', title: 'Bee' }] },
      several: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2, default: ['b'] },
      severalTitled: { type: 'array', items: { anyOf: [{ const: 'a', title: 'Ay' }] } },
    },
    ['name'],
  );
  expect(fields).toEqual([
    { name: 'name', title: 'Name', description: 'of the row', required: true, secretLike: false, type: 'string', minLength: 1, maxLength: 5, default: 'Ada' },
    { name: 'mail', required: false, secretLike: false, type: 'string', format: 'email' },
    { name: 'age', required: false, secretLike: false, type: 'integer', minimum: 0, maximum: 150, default: 36 },
    { name: 'score', required: false, secretLike: false, type: 'number', default: 95.5 },
    { name: 'sure', required: false, secretLike: false, type: 'boolean', default: true },
    { name: 'plain', required: false, secretLike: false, type: 'choice', choices: [{ value: 'a', title: 'a' }, { value: 'b', title: 'b' }], default: 'a' },
    { name: 'named', required: false, secretLike: false, type: 'choice', choices: [{ value: 'a', title: 'Ay' }, { value: 'b', title: 'Bee' }] },
    { name: 'titled', required: false, secretLike: false, type: 'choice', choices: [{ value: 'a', title: 'Ay' }, { value: 'b', title: 'Bee' }] },
    { name: 'several', required: false, secretLike: false, type: 'choices', choices: [{ value: 'a', title: 'a' }, { value: 'b', title: 'b' }], minItems: 1, maxItems: 2, default: ['b'] },
    { name: 'severalTitled', required: false, secretLike: false, type: 'choices', choices: [{ value: 'a', title: 'Ay' }] },
  ]);
});

test.each([
  ['no schema', null], ['a list', []], ['no properties', { type: 'object' }], ['another root', { type: 'string' }],
  ['an object in it', form({ a: { type: 'object', properties: {} } })],
  ['a list of numbers', form({ a: { type: 'array', items: { type: 'number' } } })],
  ['a reference', form({ a: { $ref: '#/x' } })],
  ['a combination at the root', { ...(form({}) as object), allOf: [] }],
  ['a pattern that no linear engine takes', form({ a: { type: 'string', pattern: '(?=a)(?<!b)x\\1' } })],
  ['an unknown format', form({ a: { type: 'string', format: 'password' } })],
  ['no type', form({ a: {} })],
  ['a list of types', form({ a: { type: ['string', 'null'] } })],
  ['a default that does not fit', form({ a: { type: 'integer', default: 1.5 } })],
  ['a default that is no choice', form({ a: { type: 'string', enum: ['a'], default: 'z' } })],
  ['a choice twice', form({ a: { type: 'string', enum: ['a', 'a'] } })],
  ['no choices', form({ a: { type: 'string', enum: [] } })],
  ['a bound that is no number', form({ a: { type: 'string', minLength: '3' } })],
  ['a required name without a field', form({ a: { type: 'string' } }, ['b'])],
  ['a name of the prototype', JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')],
  ['too many fields', form(Object.fromEntries(Array.from({ length: 61 }, (_, i) => [`f${i}`, { type: 'boolean' }])))],
  ['too many choices', form({ a: { type: 'string', enum: Array.from({ length: 501 }, (_, i) => `c${i}`) } })],
  ['patterns that expand too far together', form(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}`, { type: 'string', pattern: '(a{0,30}){0,30}|(?:[\\p{L}\\p{N}]{0,20}){1,9}', default: 'a'.repeat(1_500) }])))],
  ['a default that is too long for its pattern', form({ a: { type: 'string', pattern: '^(?:[xy]{0,30}){0,30}z|^x+$', default: 'x'.repeat(90_000) } })],
  ['too long', form({ a: { type: 'string', description: 'x'.repeat(200_000) } })],
])('QA12 a schema with %s is refused and not half shown', (_what, schema) => {
  expect(whyNot(schema)).toMatch(/^bad_schema: The form that it asks for cannot be shown: ./);
});

test('QA13 defaults fill what is left out, null leaves it empty, and what was given stands (SEP-1034)', () => {
  const fields = fieldsOf({ name: { type: 'string', default: 'Ada' }, age: { type: 'integer', default: 36 }, sure: { type: 'boolean', default: false } }, ['name']);
  expect(judgeContent({ fields }, {})).toEqual({ ok: true, value: { name: 'Ada', age: 36, sure: false } });
  expect(judgeContent({ fields }, { name: 'Bo', age: null, sure: true })).toEqual({ ok: true, value: { name: 'Bo', sure: true } });
  expect(judgeContent({ fields }, { name: null })).toMatchObject({ ok: false, error: { code: 'invalid_input', field: '/content/name', message: expect.stringContaining('required') } });
});

test.each([
  [{ type: 'string', minLength: 2 }, ['ab', '😀😀'], ['a', '😀', 5, true, ['ab']]],
  [{ type: 'string', pattern: '^(a+)+$' }, ['aaa', 'a'.repeat(2_000)], [`${'a'.repeat(1_999)}!`, 'a'.repeat(2_001)]],
  [{ type: 'string', maxLength: 2 }, ['', '😀😀'], ['abc']],
  [{ type: 'integer', minimum: 1, maximum: 3 }, [1, 3], [0, 4, 1.5, '2', Number.NaN, Number.POSITIVE_INFINITY]],
  [{ type: 'number' }, [1.5, -1], ['1', true]],
  [{ type: 'boolean' }, [true, false], ['true', 0]],
  [{ type: 'string', enum: ['a', 'b'] }, ['a'], ['c', '', 1]],
  [{ type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 }, [['a'], ['a', 'c']], [[], ['a', 'a'], ['a', 'b', 'c'], ['z'], 'a']],
  [{ type: 'string', format: 'email' }, ['a@b.example', 'a.b+c@localhost'], ['a', '@b', 'a@b c', 'a@-b.example']],
  [{ type: 'string', format: 'uri' }, ['https://a.example/x', 'urn:isbn:1'], ['a.example', '/x', 'https://a b']],
  [{ type: 'string', format: 'date' }, ['2026-02-28', '2024-02-29'], ['2026-02-30', '2026-2-3', '28.02.2026']],
  [{ type: 'string', format: 'date-time' }, ['2026-02-28T10:00:00Z', '2026-02-28T10:00:00.5+02:00'], ['2026-02-28', '2026-02-28 10:00:00', '2026-02-28T25:00:00Z']],
])('QA13 an answer to %j is judged before it leaves', (schema, fit, unfit) => {
  const fields = fieldsOf({ 'a/b': schema });
  for (const value of fit) expect([value, judgeContent({ fields }, { 'a/b': value })]).toEqual([value, { ok: true, value: { 'a/b': value } }]);
  for (const value of unfit) expect([value, judgeContent({ fields }, { 'a/b': value })]).toMatchObject([value, { ok: false, error: { code: 'invalid_input', field: '/content/a~1b' } }]);
});

test('QA13 a field that the form does not have is refused by its name', () => {
  expect(judgeContent({ fields: fieldsOf({ a: { type: 'string' } }) }, { b: 'x' })).toMatchObject({ ok: false, error: { field: '/content/b' } });
});

test.each(['password', 'apiKey', 'API_KEY', 'user-token', 'your PIN', 'client secret', 'private_key', 'otp', 'card number', '密码', '访问令牌', '短信验证码', '私钥', 'pass\u200bword', 'p\u0430ssword', '\uff30\uff21\uff33\uff33\uff37\uff2f\uff32\uff24', 'p\u0456n', 'api\u2060 k\u0435y'])('QA14 a field named %s is marked', (name) => {
  const [byName] = fieldsOf({ [name]: { type: 'string' } });
  const [byTitle] = fieldsOf({ value: { type: 'string', title: name } });
  expect([byName!.secretLike, byTitle!.secretLike]).toEqual([true, true]);
});

test.each(['name', 'shipping', 'tokenizer', 'opinion', 'secretary', 'keyboard', 'passenger', '密度', '关键字', 'имя', 'Straße', 'κωδικός'])('QA14 a field named %s is not', (name) => {
  expect(fieldsOf({ [name]: { type: 'string' } })[0]!.secretLike).toBe(false);
});

test('QA14 a yes or no wants no secret, whatever it is about', () => {
  expect(fieldsOf({ resetPassword: { type: 'boolean' } })[0]!.secretLike).toBe(false);
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'http://a.example/', 'vscode://x', 'https://user:pw@a.example/', 'https://', 'a.example', '', 5])('QA15 %s is no page to be opened', (url) => {
  expect(judgeQuestion('elicitation/create', { mode: 'url', message: 'm', url, elicitationId: 'e' }, true)).toMatchObject({ ok: false, error: { code: 'bad_url' } });
});

test('QA15 a page is shown as where it leads; one of this computer only for a server that runs on it', () => {
  const page = (url: string, local: boolean) => judgeQuestion('elicitation/create', { mode: 'url', message: 'm', url }, local);
  expect(page('https://EXAMPLE.com:443/a?b=c#d', false)).toMatchObject({ ok: true, value: { url: { url: 'https://example.com/a?b=c#d', host: 'example.com', elicitationId: null } } });
  expect(page('https://ex\u0430mple.com/', false)).toMatchObject({ ok: true, value: { url: { host: 'xn--exmple-4nf.com' } } });
  expect(page('http://127.0.0.1:8080/x', true)).toMatchObject({ ok: true });
  expect(page('http://127.0.0.1:8080/x', false)).toMatchObject({ ok: false, error: { code: 'bad_url' } });
});

test.each([
  [{ messages: [], maxTokens: 5 }], [{ messages: 'hi', maxTokens: 5 }], [{ messages: [{ role: 'system', content: { type: 'text', text: 'x' } }], maxTokens: 5 }],
  [{ messages: [{ role: 'user', content: { type: 'text' } }], maxTokens: 5 }], [{ messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 0 }],
  [{ messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 5, tools: [{ name: 'bad name', inputSchema: {} }] }],
  [{ messages: [{ role: 'user', content: { type: 'text', text: 'x'.repeat(1_100_000) } }], maxTokens: 5 }],
])('QA17 a sampling that cannot be read is refused (%#)', (params) => {
  expect(judgeQuestion('sampling/createMessage', params, true)).toMatchObject({ ok: false, error: { code: 'bad_params' } });
});
