import { expect, test } from 'vitest';
import { parseCommand } from './command-options.ts';

const parse = (argv: readonly string[], stdin = '') => parseCommand(argv, { GANTRY_DATA_DIR: '/e' }, () => Promise.resolve(stdin));

test('I15 rpc takes its input as an argument, from standard input, or none', async () => {
  const asked = { ok: true, value: { kind: 'ask', dataDir: '/d', approvals: 'window', request: { kind: 'rpc', name: 'servers:get', input: { serverId: 'a' } } } };
  expect(await parse(['--data-dir', '/d', 'rpc', 'servers:get', '{"serverId":"a"}'])).toEqual(asked);
  expect(await parse(['rpc', 'servers:get', '-', '--data-dir=/d'], '{"serverId":"a"}\n')).toEqual(asked);
  expect(await parse(['rpc', 'servers:list'])).toMatchObject({ value: { dataDir: '/e', request: { input: {} } } });
  expect(await parse(['open'])).toMatchObject({ value: { request: { kind: 'open' } } });
  expect(await parse(['--help'])).toEqual({ ok: true, value: { kind: 'help' } });
});

test('I15 a wrong command line is an invalid_request like any other', async () => {
  for (const argv of [[], ['rpc'], ['rpc', 'a:b', '{'], ['rpc', 'a:b', '{}', '{}'], ['call'], ['open', 'x'], ['--nope'], ['--approvals=yes', 'rpc', 'a:b']]) {
    expect([argv, await parse(argv)]).toMatchObject([argv, { ok: false, error: { code: 'invalid_request' } }]);
  }
});

test('I20 numbers of calls:try reach the line as they were written', async () => {
  const written = '{"n":9007199254740993,"big":1e400,"__proto__":{"z":-0},"t":"9007199254740993"}';
  const parsed = await parse(['rpc', 'calls:try', `{"capabilityId":"mcp:a:tool:b","input":${written},"wait":false}`]);
  expect(parsed).toMatchObject({ value: { request: { input: { capabilityId: 'mcp:a:tool:b', wait: false, inputText: written } } } });
  expect(await parse(['rpc', 'calls:try', '{"capabilityId":"a","inputText":"{}"}'])).toMatchObject({ value: { request: { input: { capabilityId: 'a', inputText: '{}' } } } });
});

test('I41 a name given twice is refused with its place, at any level, however it is written', async () => {
  const at = async (text: string, name = 'servers:add') => {
    const parsed = await parse(['rpc', name, text]);
    return parsed.ok ? null : [parsed.error.code, parsed.error.field];
  };
  expect(await at('{"a":1,"a":2}')).toEqual(['invalid_request', '/a']);
  expect(await at('{"spec":{"args":["x",{"k":[],"k":"}"}]}}')).toEqual(['invalid_request', '/spec/args/1/k']);
  expect(await at('{"capabilityId":"c","input":{"p":[{},{"\\u0071":1,"q":2}]}}', 'calls:try')).toEqual(['invalid_request', '/input/p/1/q']);
  expect(await at('{"__proto__":1,"__proto__":2}')).toEqual(['invalid_request', '/__proto__']);
  expect(await at('{"a/b~":{"":1,"":1}}')).toEqual(['invalid_request', '/a~1b~0/']);
  expect(await at('{"a":"\\"a\\":1,","b":{"a":["a","a",{"a":1}]},"c":[{"a":1},{"a":1}]," a":1,"constructor":1}')).toBeNull();
});
