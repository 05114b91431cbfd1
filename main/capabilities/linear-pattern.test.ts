import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linearPattern } from './linear-pattern.ts';

const SAMPLES = ['', 'a', 'A', 'é', '你好', '中文', '😀', 'aa-b_c.d', '2024-01-31', '\n', ' ', '\u00a0', '\u2028', '\ufeff', 'x@y.zz', '[', ']', '\\', '^$', '/a/b', '-', '1'.repeat(9), 'ΑΩ', 'тест', '٣', 'aXb', '\t', '{2}', 'a{2}', '\u0000', '\v'];

test('S06 patterns mean the same in the linear engine as in ECMA-262', () => {
  const patterns = [
    '^[a-z]+$', '^\\p{L}+$', '^\\p{Lu}', '\\P{L}', '^[\\p{L}\\p{N}_-]*$', '^\\p{Script=Han}+$', '^\\p{sc=Greek}', '\\p{Letter}', '^[\\u4e00-\\u9fff]+$', '^\\u{1f600}$', '^\\ud83d\\ude00$', '^.$', '^..$',
    '\\s', '^\\S+$', '[\\s]', '[^\\s]', '[\\S]', '\\d', '\\w', '\\W', '[^\\w]', '\\bb\\b', '^[^]$', '[]', '^$', 'a|b|^$', '(?:a|b)+', '(a)(?<n>b)?', '^[[\\]\\\\^]$', '^[a\\-z]$', '^[-a]$', '^\\/a', '\\x41', '\\cJ', '\\0', '\\t|\\v',
    '^(\\d{4})-(\\d{2})-(\\d{2})$', '^a{1,3}$', 'a+?', '^[^a]$', '\\$', '\\.', '^\\{2\\}$', '^([/_.\\-A-Za-z0-9=, ()!])+$',
  ];
  for (const source of patterns) {
    const linear = linearPattern(source);
    expect(linear, source).toMatchObject({ ok: true });
    if (!linear.ok) continue;
    const native = new RegExp(source, 'u');
    for (const text of SAMPLES) expect(linear.pattern.test(text), `${source} on ${JSON.stringify(text)}`).toBe(native.test(text));
  }
});

test('S06 a pattern that is only valid without u is taken without it', () => {
  for (const source of ['^[\\w-.]+$', '\\_x', 'a{,5}', '^]$', '\\-']) {
    const linear = linearPattern(source);
    expect(linear, source).toMatchObject({ ok: true });
    if (!linear.ok) continue;
    for (const text of [...SAMPLES.filter((s) => !/[\ud800-\udfff]/.test(s)), '_x', 'a{,5}']) expect(linear.pattern.test(text), `${source} on ${JSON.stringify(text)}`).toBe(new RegExp(source).test(text));
  }
});

test('S06 look-around, back-references, invalid and boundless patterns are named as such', () => {
  const refused: [string, RegExp][] = [['(?=a)', /look-around/], ['(?<!a)b', /look-around/], ['(a)\\1', /back-reference/], ['(?<n>a)\\k<n>', /back-reference/], ['[', /not a valid/], ['a{1,2000}', /1,000/], ['(?:(?:a{1,100}){1,100}){1,100}', /linear engine|too far/], ['x'.repeat(5000), /longer/]];
  for (const [source, reason] of refused) {
    const linear = linearPattern(source);
    expect(linear.ok, source).toBe(false);
    if (!linear.ok) expect(linear.reason).toMatch(reason);
  }
});

test('S03 a pattern that explodes in a backtracking engine is linear here', () => {
  for (const source of ['^(a+)+$', '^(a|aa)+$', '^(.*a){12}$', '(x+x+)+y']) {
    const linear = linearPattern(source);
    if (!linear.ok) throw new Error(linear.reason);
    // where it backtracks, not one of these ends
    for (const text of [`${'a'.repeat(20_000)}!`, 'x'.repeat(20_000)]) expect(linear.pattern.test(text)).toBe(false);
  }
});

test('S06 classes built at random mean the same', () => {
  const atom = fc.constantFrom('a', 'Z', '0', '\\d', '\\s', '\\S', '\\w', '\\W', '\\p{L}', '\\u4e00', '.', '\\-', '\\]', '\\[', '\\^', '\\\\', 'a-f', '\\x30-\\x39', '/', '😀');
  fc.assert(
    fc.property(fc.array(atom, { minLength: 1, maxLength: 6 }), fc.boolean(), fc.constantFrom(...SAMPLES), (atoms, negated, text) => {
      const source = `^[${negated ? '^' : ''}${atoms.join('')}]+$`;
      const linear = linearPattern(source);
      return linear.ok && linear.pattern.test(text) === new RegExp(source, 'u').test(text);
    }),
    { numRuns: 400 },
  );
});
