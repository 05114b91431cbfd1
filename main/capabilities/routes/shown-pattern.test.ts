import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linearPattern } from '../linear-pattern.ts';
import { isPortablePattern, shownPattern } from './shown-pattern.ts';

const TEXTS = ['', 'a', 'Z9', 'é', '中文', 'かな', 'тест', 'x-y', 'a b', '[', ']', 'a{2}', '/x', '٣', '😀', '\n', 'https://x', '١٢'];

test('RT11 a Unicode class is shown as the ranges that guard, and means the same in any engine', () => {
  for (const source of ['^\\p{Script=Han}+$', '^[\\p{Script=Hiragana}a-z]+$', '^\\p{Zs}$', '^[^\\p{Sc}]+$', '^\\P{Nd}+$', '^\\p{Lt}?a$', '^[\\P{Nd}x]$']) {
    const shown = shownPattern(source);
    if (!shown.ok) throw new Error(`${source}: ${shown.reason}`);
    expect(shown).toMatchObject({ changed: true, ranges: true });
    expect(isPortablePattern(shown.pattern)).toBe(true);
    const guard = linearPattern(source);
    if (!guard.ok) throw new Error(guard.reason);
    for (const text of TEXTS) expect(new RegExp(shown.pattern, 'u').test(text), `${source} on ${text}`).toBe(guard.pattern.test(text));
  }
});

test('RT11 an ordinary pattern is shown as it is; spellings of one engine are rewritten; what has no common form says why', () => {
  for (const source of ['^[a-z]+$', '^\\d{4}-\\d{2}$', '^(?:a|b)$', '\\w+']) expect(shownPattern(source)).toMatchObject({ ok: true, pattern: source, changed: false });
  expect(shownPattern('^https\\:\\/\\/')).toMatchObject({ ok: true, pattern: '^https:\\/\\/', changed: true });
  expect(shownPattern('^[[a]$')).toMatchObject({ ok: true, pattern: '^[\\[a]$' });
  expect(shownPattern('(?<year>\\d{4})')).toMatchObject({ ok: true, pattern: '(?:\\d{4})' });
  for (const source of ['(?=a)b', '(?<!a)b', '(a)\\1', '[', '^\\p{L}+$', '\\p{Script_Extensions=Han}']) expect(shownPattern(source).ok, source).toBe(false);
});

test('RT11 whatever is shown accepts what the original accepts', () => {
  const atom = fc.constantFrom('a', '[\\p{Script=Han}x]', '\\p{Nd}', '.', '\\s', '\\-', '[[^a]', '\\/', '(?<n>b)', 'c|', '中', '\\u4e00', '\\x41', '[^\\d]');
  fc.assert(
    fc.property(fc.array(atom, { minLength: 1, maxLength: 5 }), fc.constantFrom(...TEXTS), (atoms, text) => {
      const source = `^${atoms.join('')}$`;
      const shown = shownPattern(source);
      const flags = ((): string => { try { return new RegExp(source, 'u') instanceof RegExp ? 'u' : ''; } catch { return ''; } })();
      try {
        new RegExp(source, flags);
      } catch {
        return !shown.ok;
      }
      return !shown.ok || new RegExp(shown.pattern, 'u').test(text) === new RegExp(source, flags).test(text);
    }),
  );
});
