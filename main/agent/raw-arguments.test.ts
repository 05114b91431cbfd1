import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rawArguments, rawStreamedArguments } from './raw-arguments.ts';

test('AG04 numbers of a call keep their text, whoever parsed the reply', () => {
  const reply = '{"id":"x","content":[{"type":"text","text":"a \\"content\\":[ {"},{"input":{"id":9007199254740993,"x":1e400,"deep":[{"a":"}]"}]},"type":"tool_use","id":"t1","name":"n"} , {"type":"tool_use","id":"t2","name":"n","input":{}}],"usage":{}}';
  expect(rawArguments(reply)).toEqual([{ id: 't1', text: '{"id":9007199254740993,"x":1e400,"deep":[{"a":"}]"}]}' }, { id: 't2', text: '{}' }]);
  expect(rawArguments('{"choices":[]}')).toEqual([]);
});

test('AG04 whatever the arguments are, their text is the one in the reply', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 4 }), fc.constantFrom(0, 2), (inputs, space) => {
      const reply = JSON.stringify({ content: inputs.flatMap((input, i) => [{ type: 'text', text: JSON.stringify(input) }, { type: 'tool_use', id: `t${i}`, input }]) }, null, space);
      expect(rawArguments(reply).map(({ id, text }) => [id, JSON.parse(text)])).toEqual(inputs.map((input, i) => [`t${i}`, JSON.parse(JSON.stringify(input))]));
    }),
  );
});

test('AG04 an input that stands whole in the event that begins its block is the text that the model wrote', () => {
  const events = [
    'event: content_block_start', 'data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t1","name":"n","input":{"id":9007199254740993}}}', '',
    'data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t2","name":"n","input":{}}}', 'data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{}"}}',
    'data: {"type":"content_block_start","index":2,"content_block":{"type":"text","text":"tool_use"}}',
  ];
  for (const eol of ['\n', '\r\n']) expect(rawStreamedArguments(events.join(eol))).toEqual([{ id: 't1', text: '{"id":9007199254740993}' }]);
});
