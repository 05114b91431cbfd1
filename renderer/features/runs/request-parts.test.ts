import { expect, test } from 'vitest';
import { compareMessages, compareNamed, requestParts } from './request-parts.ts';

const parts = (value: unknown) => requestParts(JSON.stringify(value))!;
const said = (all: readonly { readonly state: string; readonly piece: { readonly name: string } }[]): string => all.map(({ state, piece }) => `${state} ${piece.name}`).join(', ');
const tool = (name: string, description = 'does it') => ({ type: 'function', function: { name, description, parameters: { type: 'object' } } });
const user = (text: string) => ({ role: 'user', content: text });

test('RV02 a request of either protocol is read into messages, tools and settings; what is no object is shown as it is', () => {
  const openai = parts({ model: 'm', messages: [{ role: 'system', content: 'work' }, user('hi')], tools: [tool('a')], stream: true });
  expect(openai.messages.map(({ name }) => name)).toEqual(['system', 'user']);
  expect(openai.tools.map(({ name }) => name)).toEqual(['a']);
  expect(openai.settings.map(({ name, text }) => `${name}=${text}`)).toEqual(['model="m"', 'stream=true']);
  const anthropic = parts({ model: 'm', system: [{ type: 'text', text: 'work' }], messages: [user('hi')], tools: [{ name: 'b', input_schema: {} }] });
  expect(anthropic.messages.map(({ name }) => name)).toEqual(['system', 'user']);
  expect(anthropic.tools.map(({ name }) => name)).toEqual(['b']);
  const responses = parts({ model: 'm', input: [{ role: 'system', content: 'work' }, user('hi'), { type: 'function_call', call_id: 'c', name: 'a', arguments: '{}' }, { type: 'function_call_output', call_id: 'c', output: 'done' }], tools: [{ type: 'function', name: 'a' }], store: false });
  expect(responses.messages.map(({ name }) => name)).toEqual(['system', 'user', 'function_call', 'function_call_output']);
  expect([responses.tools.map(({ name }) => name), responses.settings.map(({ name }) => name)]).toEqual([['a'], ['model', 'store']]);
  for (const odd of ['', '[1]', 'null', '{', '{"messages":{"a":1},"tools":"none"}']) expect([null, { messages: [], tools: [], settings: [] }]).toContainEqual(requestParts(odd));
});

test('RV02 messages are compared in their order: what both have is the same, what was taken out and put in is told apart', () => {
  const turn = (...texts: string[]) => parts({ messages: texts.map(user) }).messages;
  expect(said(compareMessages(turn('a', 'b'), turn('a', 'b', 'c')))).toBe('same user, same user, added user');
  expect(said(compareMessages(turn('a', 'b', 'c', 'd'), turn('a', 'short', 'd')))).toBe('same user, changed user, removed user, same user');
  expect(said(compareMessages([], turn('a')))).toBe('added user');
  expect(said(compareMessages(turn('a', 'a'), turn('a')))).toBe('same user, removed user');
});

test('RV02 tools are compared by name, whatever their order; a refreshed description is a change with its text of before', () => {
  const before = parts({ tools: [tool('a'), tool('b'), tool('c')] }).tools;
  const now = parts({ tools: [tool('c'), tool('a', 'does more'), tool('d')] }).tools;
  const compared = compareNamed(before, now);
  expect(said(compared)).toBe('same c, changed a, added d, removed b');
  expect(compared[1]).toMatchObject({ state: 'changed', before: { text: expect.stringContaining('does it') } });
});
