import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalText } from '../evidence/canonical.ts';
import { carriesExactly } from '../exact-number.ts';
import { inputHashOf } from './normalize.ts';
import { openTestLine } from './open-test-line.ts';
import type { TestLine } from './open-test-line.ts';
import { readJson } from './read-json.ts';

const fieldOf = (text: string): string | undefined => {
  const read = readJson(text);
  return read.ok ? undefined : read.error.field;
};
const codeOf = (text: string): string => {
  const read = readJson(text);
  return read.ok ? 'ok' : read.error.code;
};
const anyTool = (t: TestLine, inputSchema: unknown = { type: 'object' }): string => t.world.tool({ name: 'num', tier: 'read_only', inputSchema });
const sentFor = async (text: string, schema?: unknown): Promise<{ readonly sent: string | undefined; readonly code: string | undefined; readonly field: string | undefined }> => {
  const t = openTestLine();
  const outcome = await t.line.tryCall({ capabilityId: anyTool(t, schema), principal: 'user', inputText: text });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return { sent: t.world.calls[0]?.frozenArguments, code: outcome.value.code, field: outcome.value.fault?.field };
};

test('CL01 nodes, depth and bytes are limited', () => {
  expect(codeOf(`[${'0,'.repeat(4094)}0]`)).toBe('ok');
  expect(codeOf(`[${'0,'.repeat(4095)}0]`)).toBe('input_too_complex');
  expect(codeOf('['.repeat(64) + ']'.repeat(64))).toBe('ok');
  expect(codeOf('['.repeat(65) + ']'.repeat(65))).toBe('input_too_complex');
  expect(codeOf('['.repeat(500_000))).toBe('input_too_complex');
  expect(codeOf(`"${'a'.repeat(1_048_574)}"`)).toBe('ok');
  expect(codeOf(`"${'a'.repeat(1_048_575)}"`)).toBe('input_too_complex');
  expect(codeOf(`"${'\u4e2d'.repeat(349_526)}"`)).toBe('input_too_complex');
});

test('CL02 a name that appears twice is refused with its pointer', () => {
  expect(fieldOf('{"a":{"b":1,"\\u0062":2}}')).toBe('/a/b');
  expect(fieldOf('[{"__proto__":1,"__proto__":2}]')).toBe('/0/__proto__');
});

test.each(['9007199254740993', '-9007199254740993', '1e400', '-1e400', '1e-400', '0.1000000000000000055', '12345678901234567890', '18446744073709551616', '3.14159265358979323846'])(
  'CL03 %s is refused with its pointer and a remedy',
  (token) => {
    const read = readJson(`{"a":[1,${token}]}`);
    expect(read).toMatchObject({ ok: false, error: { code: 'invalid_input', field: '/a/1' } });
    if (!read.ok) expect(read.error.remedy).toContain('as text');
  },
);

test.each(['0', '-0', '5', '1.0', '1.50', '0.1', '1e21', '1E+2', '100e-2', '9007199254740992', '9007199254740994', '5e-324', '1.7976931348623157e308', '0e999999999999', '0.000'])('CL03 %s is carried', (token) => {
  expect(carriesExactly(token)).toBe(true);
  expect(readJson(token)).toEqual({ ok: true, value: Number(token) });
});

test('CL03 every double in its shortest text is carried, and its neighbour digits are not', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
      const text = JSON.stringify(x);
      expect(carriesExactly(text)).toBe(true);
      if (/^-?\d+\.\d+$/.test(text)) expect(carriesExactly(`${text}00000000000000000000001`)).toBe(false);
    }),
  );
  fc.assert(fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }), (n) => carriesExactly(n.toString()) === exactText(n)));
});
/** Whether the double's shortest text spells the same integer. */
const exactText = (n: bigint): boolean => {
  const [digits = '', exponent = '0'] = String(Number(n)).split('e+');
  const [whole = '', fraction = ''] = digits.split('.');
  return BigInt(whole + fraction.padEnd(Number(exponent), '0')) === n;
};

test('BD08 the frozen hash moves with capability, binding and input, each by itself, and with nothing else', () => {
  const call = fc.record({ id: fc.string(), binding: fc.string(), input: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }), { maxKeys: 3 }) });
  const hashOf = ({ id, binding, input }: { id: string; binding: string; input: unknown }): string => inputHashOf(id, binding, canonicalText(input));
  fc.assert(
    fc.property(call, call, (one, other) => {
      for (const part of ['id', 'binding', 'input'] as const) {
        const moved = { ...one, [part]: other[part] };
        expect(hashOf(moved) === hashOf(one)).toBe(canonicalText(moved[part]) === canonicalText(one[part]));
      }
      expect(hashOf({ ...one, input: Object.fromEntries(Object.entries(one.input).reverse()) })).toBe(hashOf(one));
    }),
  );
  // what stands in one part cannot pass for another
  expect(inputHashOf('a","binding":"b', 'c', '{}')).not.toBe(inputHashOf('a', 'b', '{}'));
});

test.each(['"\\ud800"', '"\\udc00x"', '{"\\ud800":1}', '"a\ud800b"'])('CL04 %j with an unpaired surrogate is refused', (text) => {
  expect(codeOf(text)).toBe('invalid_input');
});

test('CL05 a name like __proto__ is data, and pollutes nothing', async () => {
  const { sent } = await sentFor('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}');
  expect(sent).toBe('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test.each([['', '{}'], ['null', '{}'], ['""', '{}'], ['"{\\"a\\":1}"', '{"a":1}'], ['{}', '{}']])('CL06 input %j is sent as %s', async (text, sent) => {
  expect((await sentFor(text)).sent).toBe(sent);
});

test('CL06 JSON text of a property becomes the value that the schema wants, listed; a text stays where a text is meant', async () => {
  const schema = { type: 'object', properties: { filter: { type: 'object' }, ids: { type: 'array', items: { type: 'integer' } }, body: { type: 'string' } } };
  expect((await sentFor('{"filter":"{\\"a\\":1}","ids":"[1,2]","body":"{}"}', schema)).sent).toBe('{"body":"{}","filter":{"a":1},"ids":[1,2]}');
  expect((await sentFor('{"ids":"[1,\\"x\\"]"}', schema)).code).toBe('invalid_input');
  expect((await sentFor('{"ids":"[9007199254740993]"}', schema)).code).toBe('invalid_input');
  expect((await sentFor('{"body":"{\\"a\\":1}"}', schema)).sent).toBe('{"body":"{\\"a\\":1}"}');
  const t = openTestLine();
  await t.line.tryCall({ capabilityId: anyTool(t, schema), principal: 'user', inputText: '{"ids":"[1]"}' });
  const normalized = t.store.connection.prepare("SELECT data_json FROM events WHERE type = 'call.normalized'").pluck().get();
  expect(JSON.parse(String(normalized))).toMatchObject({ repairs: [{ pointer: '/ids', what: 'json_text_as_value' }] });
});

test('CL06 the same of numbers, truth and nothing, in their one spelling, at any depth, through references and alternatives that want no text', async () => {
  const schema = {
    type: 'object', $defs: { count: { type: 'integer' } },
    properties: {
      n: { type: 'integer' }, x: { type: ['number', 'null'] }, on: { type: 'boolean' }, level: { enum: [0, 1, null] }, count: { $ref: '#/$defs/count' }, maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      id: { type: 'string' }, either: { type: ['integer', 'string'], minLength: 40 }, 行: { type: 'array', items: { type: 'object', properties: { 数: { type: 'integer' } } } },
    },
  };
  const sent = await sentFor('{"n":"5","x":"-0.5","on":"true","level":"1","count":"7","maybe":"null","id":"5","行":[{"数":"3"},{"数":4}]}', schema);
  expect(sent.sent).toBe('{"count":7,"id":"5","level":1,"maybe":null,"n":5,"on":true,"x":-0.5,"行":[{"数":3},{"数":4}]}');
  for (const refused of ['{"n":"007"}', '{"n":"5.0"}', '{"n":" 5"}', '{"n":"5.5"}', '{"n":"9007199254740993"}', '{"on":"True"}', '{"on":"1"}', '{"on":1}', '{"id":5}', '{"either":"5"}', '{"level":"2"}', '{"行":[{"数":"三"}]}']) {
    expect([refused, (await sentFor(refused, schema)).code]).toEqual([refused, 'invalid_input']);
  }
});

test.each(['[1]', '5', '"x"', 'true', '{"a":1', '{a:1}', '{"a":01}', '{"a":1}x', "{'a':1}", '{"a":"\u0001"}', '{"a":"\\x"}', '\ufeff{}'])('CL08 %j is not an input', async (text) => {
  const { sent, code } = await sentFor(text);
  expect(code).toBe('invalid_input');
  expect(sent).toBeUndefined();
});

test('CL08 the original schema judges, and names the place', async () => {
  const schema = { type: 'object', properties: { level: { type: 'integer', enum: [0, 1, 2] } }, required: ['level'], additionalProperties: false };
  expect(await sentFor('{"level":9}', schema)).toMatchObject({ code: 'invalid_input', field: '/level', sent: undefined });
  expect(await sentFor('{"level":1,"extra":1}', schema)).toMatchObject({ code: 'invalid_input', sent: undefined });
  expect(await sentFor('{}', schema)).toMatchObject({ code: 'invalid_input', sent: undefined });
  expect((await sentFor('{"level":1.0}', schema)).sent).toBe('{"level":1}');
});

test('CL09 key order and number spelling do not move the hash; a value or a type does', async () => {
  const t = openTestLine();
  const id = anyTool(t);
  const hash = async (inputText: string): Promise<string | null> => {
    const o = await t.line.tryCall({ capabilityId: id, principal: 'user', inputText });
    const read = o.ok ? t.line.get(o.value.invocationId) : null;
    return read?.ok ? read.value.inputHash : null;
  };
  const first = await hash('{"b":1,"a":2}');
  expect(await hash('{ "a": 2.0, "b": 1 }')).toBe(first);
  expect(await hash('{"a":"2","b":1}')).not.toBe(first);
  const other = t.world.tool({ name: 'other', tier: 'read_only' });
  const o = await t.line.tryCall({ capabilityId: other, principal: 'user', inputText: '{"b":1,"a":2}' });
  const read = o.ok ? t.line.get(o.value.invocationId) : null;
  expect(read?.ok && read.value.inputHash).not.toBe(first);
});

test('CL10 what the reader accepts is what JSON.parse gives, in the same canonical form', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 6 }), fc.integer({ min: 0, max: 3 }), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const read = readJson(text);
      expect(read.ok).toBe(true);
      if (read.ok) expect(canonicalText(read.value)).toBe(canonicalize(JSON.parse(text)));
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 30, unit: fc.constantFrom(...'{}[]":,\\u0123456789eE+-.truefalsn \n') }), (text) => {
      const read = readJson(text);
      if (read.ok) expect(canonicalText(read.value)).toBe(canonicalize(JSON.parse(text)));
    }),
    { numRuns: 2_000 },
  );
});

test('CL07 A25 a configured secret in any form is refused, and its value is nowhere', async () => {
  const secret = 'canary-7f3a9c"quoted';
  const forms = [
    JSON.stringify({ a: { b: [`x ${secret} y`] } }),
    JSON.stringify({ a: { b: [Buffer.from(`u:${secret}`).toString('base64')] } }),
    JSON.stringify({ a: { b: [JSON.stringify({ k: secret })] } }),
    JSON.stringify({ a: { b: [encodeURIComponent(secret)] } }),
    JSON.stringify({ a: { b: { [secret]: 1 } } }),
  ];
  for (const inputText of forms) {
    const t = openTestLine();
    t.world.secrets = [{ ref: 'r', value: secret }];
    const id = t.world.tool({ name: 'write', inputSchema: { type: 'object', properties: { a: { type: 'object' } } } });
    const outcome = await t.line.tryCall({ capabilityId: id, principal: 'user', inputText });
    expect(outcome).toMatchObject({ ok: true, value: { state: 'failed', code: 'secret_in_input', class: 'not_sent' } });
    expect(outcome.ok && outcome.value.fault?.field).toMatch(/^\/a\/b(\/0)?$/);
    expect(t.world.calls).toHaveLength(0);
    const everything = JSON.stringify([outcome, t.heard, ['runs', 'events', 'invocations', 'approvals'].map((table) => t.store.connection.prepare(`SELECT * FROM ${table}`).all())]);
    expect(everything).not.toContain('canary-7f3a9c');
  }
});
