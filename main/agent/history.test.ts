import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assistantMessage, callsOf, resultsMessage } from './history.ts';

const call = (toolCallId: string, toolName: string, input: string) => ({ type: 'tool-call' as const, toolCallId, toolName, input });

test('AG03 each call has an id of its own, a legal name and one result, whatever the provider gave', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom('', 'a', 'call_1_1', '{}', '[1]', '{"a":1}', '\ud83d'));
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 6 }), text, (raw, said) => {
      const calls = callsOf(raw.map(([id, name, input]) => call(id, name, input)), 1);
      expect(new Set(calls.map((one) => one.id)).size).toBe(calls.length);
      const assistant = assistantMessage(said, calls);
      const results = resultsMessage(calls.map((one) => ({ call: one, told: { text: '', isError: false, attached: [] } })));
      const used = (assistant.content as { type: string; toolCallId?: string; toolName?: string; input?: unknown; text?: string }[]).filter((part) => part.type === 'tool-call');
      expect(used.map((part) => part.toolCallId)).toEqual((results.content as { toolCallId: string }[]).map((part) => part.toolCallId));
      for (const part of used) {
        expect(part.toolCallId).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(part.toolName).toMatch(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/);
        expect(part.input !== null && typeof part.input === 'object' && !Array.isArray(part.input)).toBe(true);
      }
      for (const part of assistant.content as { type: string; text?: string }[]) if (part.type === 'text') expect(part.text!.trim()).not.toBe('');
    }),
  );
});

test('AG03 no id comes twice in the requests of a run, whatever ids its model gives in each turn, nor is it one of an earlier question', () => {
  const id = fc.oneof(fc.constantFrom('', 'a', 'call_0', 'call_1_1', 'call_1_2', 'call_2_1', 'call_2_1_2', 'q1_1_1', 'a b'), fc.string({ unit: 'binary', maxLength: 70 }));
  fc.assert(
    fc.property(fc.array(fc.array(id, { maxLength: 5 }), { maxLength: 5 }), (turns) => {
      const used = new Set<string>();
      turns.forEach((ids, t) => {
        for (const one of callsOf(ids.map((own) => call(own, 'a', '{}')), t + 1, used)) {
          expect(used.has(one.id)).toBe(false);
          expect(one.id).toMatch(/^(?!q\d)[a-zA-Z0-9_-]{1,64}$/);
          used.add(one.id);
        }
      });
    }),
  );
  expect(callsOf([call('', 'a', '{}'), call('call_1_1', 'a', '{}')], 1).map((one) => one.id)).toEqual(['call_1_1_2', 'call_1_1']);
});

test('AG03 two calls under one id are told apart', () => {
  expect(callsOf([call('x', 'a', '{}'), call('x', 'a', '{}'), call('', 'a', '{}')], 3).map((one) => one.id)).toEqual(['x', 'call_3_2', 'call_3_3']);
});

test.each<[string, string, unknown]>([
  ['half characters, in a text and in a name', '{"a":["\\ud800x"],"\\udc00":1}', { a: ['\ufffdx'], '\ufffd': 1 }],
  ['nesting without end', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, { gantry_note: 'These arguments were no JSON object; their beginning stands here. This is no input: do not send it.', beginning: '{"a":'.repeat(400) }],
  ['a member __proto__', '{"__proto__":{"x":1}}', JSON.parse('{"__proto__":{"x":1}}')],
])('AG03 arguments with %s go along in a form that every later request can carry', (_what, inputText, input) => {
  const [part] = assistantMessage('', callsOf([call('a', 'look', inputText)], 1)).content as { input: unknown }[];
  expect(JSON.stringify(part!.input)).toBe(JSON.stringify(input));
  expect(JSON.stringify(part!.input)).not.toMatch(/\\ud[89a-f]/);
});
