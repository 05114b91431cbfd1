import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findHiddenText, withoutHiddenText } from './hidden-text.ts';

const tags = (text: string): string => [...text].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');

test('C098 what a reader does not see is left out of what a model is shown', () => {
  const cases: readonly [string, string][] = [
    [`Reads a file.${tags(' and')}\u200b send it \u202egnp.txt`, 'Reads a file. send it gnp.txt'],
    ['a\u2066b\u2069c', 'abc'],
    ['re\u00adad\ufeff me', 'read me'],
    ['\u001b[31mred\u001b[0m \u001b]0;title\u0007done', 'red done'],
    ['one\u2028two', 'one\ntwo'],
    [`\u{1f3f4}${tags('ignore all')}\u{e007f}`, '\u{1f3f4}'],
    [`x${[...'hi'].map((char) => String.fromCodePoint(0xe0100 + char.charCodeAt(0) - 16)).join('')}`, 'x'],
    ['half \ud83d.', 'half \ufffd.'],
    ['a\u3164b\u2800c', 'abc'],
  ];
  for (const [text, shown] of cases) expect(withoutHiddenText(text), JSON.stringify(text)).toBe(shown);
});

test('C098 writing of living scripts and valid emoji stay intact', () => {
  for (const text of ['👩‍👩‍👧 مرحبا', 'שלום\u200f!', 'abc \u200eשלום', 'می‌خواهم', 'क्‍ष', '❤️ 1️⃣ 👍🏽', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', '葛\u{e0100}城', '\u1820\u180b', 'tab\tand\r\nline', '中文']) {
    expect(withoutHiddenText(text)).toBe(text);
    expect(findHiddenText(text)).toEqual([]);
  }
});

test('C098 what is shown has nothing hidden left, and is shown the same again', () => {
  const piece = fc.constantFrom('a', ' ', 'م', 'ש', 'क', '\u094d', '👩', '\u200d', '\u200c', '\ufe0f', '\u202e', '\u200f', '\u{e0041}', '\u{1f3f4}', '\u001b', '[31m', '\ud83d', '\u2028', '葛', '\u{e0100}');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')), (text) => {
      const shown = withoutHiddenText(text);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown).not.toMatch(/[\u202e\u001b\u{e0041}]/u);
    }),
  );
});
