import { expect, test } from 'vitest';
import { givenArguments, textArguments } from './text-arguments.ts';

test('RP30: the fields of a template or a prompt are texts; an empty one that may be left out is not sent', () => {
  const schema = { type: 'object', properties: { author: { type: 'string', description: 'Who' }, page: { type: 'string' }, ['__proto__']: { type: 'string' } }, required: ['author'] };
  const fields = textArguments(schema)!;
  expect(fields[0]).toEqual({ name: 'author', title: null, description: 'Who', required: true });
  expect(givenArguments(fields, { author: '', page: '' })).toEqual({ author: '' });
  expect(givenArguments(fields, { author: 'A', page: '2', stranger: 'x' })).toEqual({ author: 'A', page: '2' });
  expect(textArguments({ type: 'object', properties: { path: { type: 'array', items: { type: 'string' } } } })).toBeNull();
  expect(textArguments(true)).toBeNull();
});
