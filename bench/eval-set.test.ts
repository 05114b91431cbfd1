import { expect, test } from 'vitest';
import { readEvalSet } from './eval-set.ts';

const tool = (id: string, more: object = {}) => ({ id, server: 's', name: `name-${id}`, ...more });
const query = (id: string, relevant: readonly string[]) => ({ id, text: '读取一个文件', lang: 'zh', relevant });
const read = (value: unknown) => readEvalSet(JSON.stringify(value));

test('SE50 a set is read as its format says: no schema and no description needed, other members kept out of the way', () => {
  expect(readEvalSet(`\uFEFF${JSON.stringify({ source: 'x', licence: 'MIT', tools: [tool('a', { description: null }), tool('b', { inputSchema: { type: 'object' } })], queries: [query('1', ['a'])] })}`)).toMatchObject({
    set: { tools: [{ id: 'a' }, { id: 'b' }], queries: [{ id: '1', relevant: ['a'] }] }, remarks: [],
  });
});

test.each([
  ['{ not json', /^it is not JSON: /],
  ['[]', /^\/: /],
  [JSON.stringify({ tools: [tool('a')], queries: [{ id: '1', text: 'x', relevant: 'a' }] }), /^\/queries\/0\/relevant: /],
  [JSON.stringify({ tools: [{ id: 'a', server: 's' }], queries: [] }), /^\/tools\/0\/name: /],
])('SE50 what is no set is refused with its place: %s', (text, why) => {
  expect(readEvalSet(text)).toEqual({ why: expect.stringMatching(why) });
});

test('SE50 ids that come twice, queries without a relevant tool and relevant tools that are not there are told, and none of them makes a figure that is no number', () => {
  const found = read({ tools: [tool('a'), tool('a', { name: 'second' })], queries: [query('1', ['a']), query('1', ['a']), query('2', []), query('3', ['gone'])] });
  expect(found).toEqual({
    set: { tools: [expect.objectContaining({ name: 'name-a' })], queries: [expect.objectContaining({ id: '1' }), expect.objectContaining({ id: '3' })] },
    remarks: ['1 tool with an id that came before: left out', '1 query with an id that came before: left out', '1 query without a relevant tool: left out', '1 query with a relevant tool that the set does not have: counted as missed'],
  });
  expect(read({ tools: [], queries: [] })).toMatchObject({ remarks: ['no query is left to measure'] });
});
