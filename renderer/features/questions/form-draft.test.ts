import { expect, test } from 'vitest';
import type { QuestionField } from '../../../shared/question.ts';
import { answerOf, entryOf, firstDraft, givenContent, isSuggested, withEntry, type Draft } from './form-draft.ts';

const base = { required: false, secretLike: false };
const text = (name: string, more: Partial<Extract<QuestionField, { type: 'string' }>> = {}): QuestionField => ({ ...base, name, type: 'string', ...more });
const faultOf = (field: QuestionField, entry: Draft[string]) => answerOf([field], { [field.name]: entry }).faults.get(field.name);

test('QU03 every suggestion of the server is filled in and told as such until it is changed; one that was cleared is left out', () => {
  const fields: readonly QuestionField[] = [
    text('line', { default: 'It was a dark night.' }),
    { ...base, name: 'n', type: 'integer', default: 42, minimum: 1, maximum: 100 },
    { ...base, name: 'yes', type: 'boolean', default: false },
    { ...base, name: 'one', type: 'choice', choices: [{ value: 'a', title: 'A' }], default: 'a' },
    { ...base, name: 'some', type: 'choices', choices: [{ value: 'x', title: 'X' }, { value: 'y', title: 'Y' }], default: ['x'] },
    text('free'),
  ];
  const draft = firstDraft(fields);
  expect(answerOf(fields, draft)).toEqual({ content: { line: 'It was a dark night.', n: 42, yes: false, one: 'a', some: ['x'] }, faults: new Map() });
  expect(fields.map((field) => isSuggested(field, entryOf(draft, field.name)))).toEqual([true, true, true, true, true, false]);
  const cleared = withEntry(withEntry(withEntry(draft, 'line', ''), 'some', []), 'yes', null);
  expect(answerOf(fields, cleared).content).toEqual({ n: 42, one: 'a' });
  expect(givenContent(fields, answerOf(fields, cleared).content)).toEqual({ line: null, n: 42, yes: null, one: 'a', some: null });
  expect(isSuggested(fields[0]!, entryOf(cleared, 'line'))).toBe(false);
});

test('QU04 each field says why it cannot be sent: required, lengths in characters, numbers, bounds, formats, how many', () => {
  expect(faultOf(text('a', { required: true }), '')).toEqual({ why: 'required' });
  expect(faultOf(text('a', { minLength: 2 }), '👍')).toEqual({ why: 'too_short', limit: 2 });
  expect(faultOf(text('a', { maxLength: 2 }), '👍👍')).toBeUndefined();
  expect(faultOf(text('a', { maxLength: 2 }), 'abc')).toEqual({ why: 'too_long', limit: 2 });
  for (const [entry, why] of [['x', 'not_number'], ['', undefined], ['1e400', 'not_number'], ['12px', 'not_number'], ['0x10', 'not_number']] as const) expect(faultOf({ ...base, name: 'n', type: 'number' }, entry)?.why).toBe(why);
  expect(faultOf({ ...base, name: 'n', type: 'integer' }, '1.5')).toEqual({ why: 'not_integer' });
  expect(faultOf({ ...base, name: 'n', type: 'integer' }, '9007199254740993')).toEqual({ why: 'too_precise' });
  expect(faultOf({ ...base, name: 'n', type: 'number', minimum: 1 }, '0.5')).toEqual({ why: 'too_small', limit: 1 });
  expect(faultOf({ ...base, name: 'n', type: 'number', maximum: 1 }, '2')).toEqual({ why: 'too_large', limit: 1 });
  const choices = ['x', 'y', 'z'].map((value) => ({ value, title: value }));
  expect(faultOf({ ...base, name: 's', type: 'choices', choices, minItems: 2 }, ['x'])).toEqual({ why: 'too_few', limit: 2 });
  expect(faultOf({ ...base, name: 's', type: 'choices', choices, maxItems: 2 }, ['x', 'y', 'z'])).toEqual({ why: 'too_many', limit: 2 });
  expect(faultOf({ ...base, name: 's', type: 'choices', choices, required: true }, [])).toEqual({ why: 'required' });
  expect(faultOf({ ...base, name: 'b', type: 'boolean', required: true }, null)).toEqual({ why: 'required' });
  expect(faultOf({ ...base, name: 'c', type: 'choice', choices }, 'other')).toEqual({ why: 'choose' });
});

test('QU04 formats are those of RFC 3339, of addresses and of mail', () => {
  const wrong = (format: 'email' | 'uri' | 'date' | 'date-time', entries: readonly string[]) => entries.filter((entry) => faultOf(text('f', { format }), entry) !== undefined);
  expect(wrong('email', ['a@b.example', 'a b@c.de', '@b.example', 'a@b..example', 'a'])).toEqual(['a b@c.de', '@b.example', 'a@b..example', 'a']);
  expect(wrong('uri', ['https://a.example/x', 'mailto:a@b.example', 'a.example', '//a.example'])).toEqual(['a.example', '//a.example']);
  expect(wrong('date', ['2024-02-29', '2023-02-29', '2026-13-01', '26-01-01', '2026-1-1'])).toEqual(['2023-02-29', '2026-13-01', '26-01-01', '2026-1-1']);
  expect(wrong('date-time', ['2026-11-30T21:00:00Z', '2026-11-30T21:00:00.5+08:00', '2026-11-30 21:00', '2026-02-30T00:00:00Z', '2026-11-30T24:00:00Z'])).toEqual(['2026-11-30 21:00', '2026-02-30T00:00:00Z', '2026-11-30T24:00:00Z']);
});

test('QU04 a field of any name is an ordinary one, and of several choices those that exist are sent in their order', () => {
  const odd = text('__proto__', { default: 'x' });
  const draft = firstDraft([odd]);
  expect(JSON.stringify(answerOf([odd], withEntry(draft, '__proto__', 'y')).content)).toBe('{"__proto__":"y"}');
  const some: QuestionField = { ...base, name: 's', type: 'choices', choices: [{ value: 'x', title: 'X' }, { value: 'y', title: 'Y' }] };
  expect(answerOf([some], { s: ['y', 'gone', 'x'] }).content).toEqual({ s: ['x', 'y'] });
});
