import { expect, test } from 'vitest';
import { expandUriTemplate, readUriTemplate, type TemplateValue, type UriTemplate } from './uri-template.ts';

/** The variables of RFC 6570, 3.2. */
const VALUES = {
  count: ['one', 'two', 'three'], dom: ['example', 'com'], dub: 'me/too', hello: 'Hello World!', half: '50%', var: 'value', who: 'fred', base: 'http://example.com/home/', path: '/foo/bar',
  list: ['red', 'green', 'blue'], keys: { semi: ';', dot: '.', comma: ',' }, v: '6', x: '1024', y: '768', empty: '', empty_keys: {},
} as const;
const expand = (text: string): string => {
  const template = readUriTemplate(text);
  if (typeof template === 'string') throw new Error(template);
  return expandUriTemplate(template, VALUES, 8_192) ?? 'too long';
};

/** RFC 6570, 3.2.2 to 3.2.9, row by row. */
const ROWS: readonly (readonly [string, string])[] = [
  ['{count}', 'one,two,three'], ['{count*}', 'one,two,three'], ['{/count}', '/one,two,three'], ['{/count*}', '/one/two/three'], ['{;count}', ';count=one,two,three'], ['{;count*}', ';count=one;count=two;count=three'],
  ['{?count}', '?count=one,two,three'], ['{?count*}', '?count=one&count=two&count=three'], ['{&count*}', '&count=one&count=two&count=three'],
  ['{var}', 'value'], ['{hello}', 'Hello%20World%21'], ['{half}', '50%25'], ['O{empty}X', 'OX'], ['O{undef}X', 'OX'], ['{x,y}', '1024,768'], ['{x,hello,y}', '1024,Hello%20World%21,768'], ['?{x,empty}', '?1024,'],
  ['?{x,undef}', '?1024'], ['?{undef,y}', '?768'], ['{var:3}', 'val'], ['{var:30}', 'value'], ['{list}', 'red,green,blue'], ['{list*}', 'red,green,blue'], ['{keys}', 'semi,%3B,dot,.,comma,%2C'], ['{keys*}', 'semi=%3B,dot=.,comma=%2C'],
  ['{+var}', 'value'], ['{+hello}', 'Hello%20World!'], ['{+half}', '50%25'], ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'], ['{+base}index', 'http://example.com/home/index'], ['O{+empty}X', 'OX'], ['O{+undef}X', 'OX'],
  ['{+path}/here', '/foo/bar/here'], ['here?ref={+path}', 'here?ref=/foo/bar'], ['up{+path}{var}/here', 'up/foo/barvalue/here'], ['{+x,hello,y}', '1024,Hello%20World!,768'], ['{+path,x}/here', '/foo/bar,1024/here'],
  ['{+path:6}/here', '/foo/b/here'], ['{+list}', 'red,green,blue'], ['{+keys}', 'semi,;,dot,.,comma,,'], ['{+keys*}', 'semi=;,dot=.,comma=,'],
  ['{#var}', '#value'], ['{#hello}', '#Hello%20World!'], ['{#half}', '#50%25'], ['foo{#empty}', 'foo#'], ['foo{#undef}', 'foo'], ['{#x,hello,y}', '#1024,Hello%20World!,768'], ['{#path,x}/here', '#/foo/bar,1024/here'], ['{#path:6}/here', '#/foo/b/here'],
  ['{#list*}', '#red,green,blue'], ['{#keys}', '#semi,;,dot,.,comma,,'], ['{#keys*}', '#semi=;,dot=.,comma=,'],
  ['{.who}', '.fred'], ['{.who,who}', '.fred.fred'], ['{.half,who}', '.50%25.fred'], ['www{.dom*}', 'www.example.com'], ['X{.var}', 'X.value'], ['X{.empty}', 'X.'], ['X{.undef}', 'X'], ['X{.var:3}', 'X.val'], ['X{.list}', 'X.red,green,blue'],
  ['X{.list*}', 'X.red.green.blue'], ['X{.keys}', 'X.semi,%3B,dot,.,comma,%2C'], ['X{.keys*}', 'X.semi=%3B.dot=..comma=%2C'], ['X{.empty_keys}', 'X'], ['X{.empty_keys*}', 'X'],
  ['{/who}', '/fred'], ['{/who,who}', '/fred/fred'], ['{/half,who}', '/50%25/fred'], ['{/who,dub}', '/fred/me%2Ftoo'], ['{/var,empty}', '/value/'], ['{/var,undef}', '/value'], ['{/var,x}/here', '/value/1024/here'], ['{/var:1,var}', '/v/value'],
  ['{/list*,path:4}', '/red/green/blue/%2Ffoo'], ['{/keys}', '/semi,%3B,dot,.,comma,%2C'], ['{/keys*}', '/semi=%3B/dot=./comma=%2C'],
  ['{;who}', ';who=fred'], ['{;half}', ';half=50%25'], ['{;empty}', ';empty'], ['{;v,empty,who}', ';v=6;empty;who=fred'], ['{;v,bar,who}', ';v=6;who=fred'], ['{;hello:5}', ';hello=Hello'], ['{;list}', ';list=red,green,blue'], ['{;list*}', ';list=red;list=green;list=blue'],
  ['{;keys}', ';keys=semi,%3B,dot,.,comma,%2C'], ['{;keys*}', ';semi=%3B;dot=.;comma=%2C'],
  ['{?who}', '?who=fred'], ['{?half}', '?half=50%25'], ['{?x,y}', '?x=1024&y=768'], ['{?x,y,empty}', '?x=1024&y=768&empty='], ['{?x,y,undef}', '?x=1024&y=768'], ['{?var:3}', '?var=val'], ['{?list*}', '?list=red&list=green&list=blue'], ['{?keys*}', '?semi=%3B&dot=.&comma=%2C'],
  ['{&who}', '&who=fred'], ['?fixed=yes{&x}', '?fixed=yes&x=1024'], ['{&x,y,empty}', '&x=1024&y=768&empty='], ['{&keys}', '&keys=semi,%3B,dot,.,comma,%2C'],
];

test('RP01: templates expand by RFC 6570, levels 1 to 4, row by row of its section 3.2', () => {
  for (const [template, uri] of ROWS) expect([template, expand(template)]).toEqual([template, uri]);
});

test('RP01: what stands outside of expressions is kept, characters that no URI has are encoded, and a text that looks like an expression in a value stays text', () => {
  expect(expand('note://a b/ü/{var}')).toBe('note://a%20b/%C3%BC/value');
  const one = readUriTemplate('note:///{id}');
  if (typeof one === 'string') throw new Error(one);
  expect(expandUriTemplate(one, { id: '../{x}/..%2f' }, 100)).toBe('note:///..%2F%7Bx%7D%2F..%252f');
  expect(expandUriTemplate(one, { id: '文\u{1F600}' }, 100)).toBe('note:///%E6%96%87%F0%9F%98%80');
  expect(expandUriTemplate(one, Object.create({ id: 'inherited' }) as Record<string, string>, 100)).toBe('note:///');
});

test('RP01: what is no template is said with its place, and nothing of it is expanded', () => {
  expect(readUriTemplate('a{b')).toMatch(/without a closing one at 1/);
  expect(readUriTemplate('a}b')).toMatch(/without an opening one at 1/);
  for (const bad of ['{}', '{a b}', '{=a}', '{a:0}', '{a:10000}', '{a*:3}', '{{a}}', '{a,}']) expect(readUriTemplate(bad), bad).toEqual(expect.any(String));
  expect(readUriTemplate(`{${Array.from({ length: 65 }, (_, i) => `v${i}`).join(',')}}`)).toMatch(/more than 64 variables/);
  expect(readUriTemplate('x'.repeat(8_193))).toMatch(/8192/);
});

test('RP01: of a variable it is known whether it may be left out', () => {
  const read = readUriTemplate('db://{table}/{+path}{?limit,table}{#frag}');
  expect(typeof read === 'string' ? read : read.variables.map(({ name, optional }) => [name, optional])).toEqual([['table', false], ['path', false], ['limit', true], ['frag', true]]);
});

test('RP01 what a template repeats is not expanded beyond the longest URI, whatever a value holds', () => {
  const repeats = (expression: string): UriTemplate => {
    const read = readUriTemplate(`x:${expression.repeat(Math.floor(8_000 / expression.length))}`);
    if (typeof read === 'string') throw new Error(read);
    return read;
  };
  const value = '\u{1F600}'.repeat(500_000);
  let looked = 0;
  const counted = (values: Readonly<Record<string, TemplateValue>>) => new Proxy(values, { get: (target, name) => { looked += 1; return Reflect.get(target, name) as TemplateValue; } });
  expect(expandUriTemplate(repeats('{a}'), counted({ a: value }), 8_192)).toBeNull();
  expect(looked).toBe(1);
  expect(expandUriTemplate(repeats('{a*}'), counted({ a: ['b'.repeat(9_000)] }), 8_192)).toBeNull();
  expect(looked).toBe(2);
  const listed = readUriTemplate(`x:{${'a,'.repeat(4_000)}a}`);
  expect(typeof listed === 'string' ? listed : expandUriTemplate(listed, counted({ a: value }), 8_192)).toBeNull();
  expect(looked).toBe(3);
  // a prefix reads the beginning alone: of a whole text each time it would take minutes
  expect(expandUriTemplate(repeats('{+a:1}'), { a: `b${value}` }, 8_192)).toBe(`x:${'b'.repeat(Math.floor(8_000 / 6))}`);
  expect(expandUriTemplate(repeats('{a:1}'), { a: value }, 8_192)).toBeNull();
  expect(expandUriTemplate({ parts: [{ operator: '', variables: [{ name: 'a', explode: false, prefix: 2 }] }], variables: [] }, { a: 'a\u{1F600}b' }, 100)).toBe('a%F0%9F%98%80');
});
