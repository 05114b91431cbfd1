import { expect, test } from 'vitest';
import { errorTree, formSchema, formUi } from './form-schema.ts';

test('U61 the form is shown structure, choices and defaults; constraints stay with the host', () => {
  const shown = formSchema({ properties: { 'a\u200bb': { type: 'string', pattern: 'x', format: 'date', maxLength: 5, description: 'say\u202e hi' }, n: { type: 'integer', minimum: 3, default: 4, title: 'Number' } }, required: ['n'] });
  expect(shown).toEqual({
    type: 'object', required: ['n'], additionalProperties: false,
    properties: { 'a\u200bb': { type: 'string', title: 'a⟨U+200B⟩b', description: 'say⟨U+202E⟩ hi' }, n: { type: 'integer', title: 'Number (n)', default: 4 } },
  });
});

test('U61 long texts get several lines', () => {
  expect(formUi({ properties: { content: { type: 'string' }, path: { type: 'string' } } })).toMatchObject({ content: { 'ui:widget': 'textarea' }, path: {} });
});

test('U62 an error stands at the field the host names, whatever the field is called', () => {
  expect(errorTree([{ pointer: '/a~1b/0', message: 'no' }, { pointer: '', message: 'root' }])).toEqual({ 'a/b': { '0': { __errors: ['no'] } }, __errors: ['root'] });
  const tree = errorTree([{ pointer: '/__proto__/x', message: 'no' }]);
  expect(Object.hasOwn(tree, '__proto__')).toBe(true);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});
