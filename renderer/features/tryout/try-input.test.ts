import { expect, test } from 'vitest';
import { inputTextOf, missingFields, placedErrors, readsAsJson, tryOutState } from './try-input.ts';

test('U64 a try-out is offered for tools that can be used, and says why for the rest', () => {
  expect(tryOutState({ schemaState: 'checked', available: true })).toEqual({ possible: true });
  expect(tryOutState({ schemaState: 'partly_checked', available: true })).toEqual({ possible: true });
  expect(tryOutState({ schemaState: 'excluded', available: true })).toEqual({ possible: false, why: 'excluded' });
  expect(tryOutState({ schemaState: 'checked', available: false })).toEqual({ possible: false, why: 'unavailable' });
});

test('U64 an empty form sends an empty object, and raw text is only looked at, never rewritten', () => {
  expect(inputTextOf(undefined)).toBe('{}');
  expect(readsAsJson('{"n": 9007199254740993}')).toBe(true);
  expect(readsAsJson('{n: 1}')).toBe(false);
});

test('U144 every required field without a value is named by its pointer; empty text and null are values', () => {
  const schema = { type: 'object', required: ['path', 'a/b~c', 'note', '__proto__'] };
  expect(missingFields(schema, undefined)).toEqual(['/path', '/a~1b~0c', '/note', '/__proto__']);
  expect(missingFields(schema, { path: '', note: null, 'a/b~c': undefined })).toEqual(['/a~1b~0c', '/__proto__']);
  expect(missingFields({ required: 'path' }, {})).toEqual([]);
  expect(missingFields(true, {})).toEqual([]);
});

test('U144 a missing field is told in the words of the window; what the host said stands where it is the only one to know', () => {
  const at = (field: string) => placedErrors({ field, words: 'must have' }, ['/a', '/b'], '需要填写');
  expect(at('/a')).toEqual([{ pointer: '/a', message: '需要填写' }, { pointer: '/b', message: '需要填写' }]);
  expect(at('/c')).toEqual([{ pointer: '/c', message: 'must have' }, { pointer: '/a', message: '需要填写' }, { pointer: '/b', message: '需要填写' }]);
});
