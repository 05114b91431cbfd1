import { expect, test } from 'vitest';
import { countHidden, escapeHidden, splitHidden } from './hidden-characters.ts';

test('U50 invisible, direction, tag, control and ANSI characters are shown by name', () => {
  const cases: [string, string][] = [
    ['a\u200bb', 'a⟨U+200B⟩b'], ['a\u202eb', 'a⟨U+202E⟩b'], ['\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'], ['x\u{e0041}y', 'x⟨U+E0041⟩y'],
    ['\u001b[31mred\u001b[0m', '⟨ESC[31m⟩red⟨ESC[0m⟩'], ['a\u0000b', 'a⟨U+0000⟩b'], ['\ufeffz', '⟨U+FEFF⟩z'], ['soft\u00adhyphen', 'soft⟨U+00AD⟩hyphen'],
    ['a\ud800b', 'a⟨U+D800⟩b'], ['\u3164', '⟨U+3164⟩'], ['line\u2028sep', 'line⟨U+2028⟩sep'], ['bell\u0007', 'bell⟨U+0007⟩'], ['a\u206ab', 'a⟨U+206A⟩b'],
  ];
  for (const [given, shown] of cases) expect(escapeHidden(given)).toBe(shown);
});

test('U50 an escape sequence that sets a window title or a link is one marked piece', () => {
  const segments = splitHidden('\u001b]8;;https://x.example\u0007here');
  expect(segments[0]).toMatchObject({ kind: 'hidden', name: 'ansi' });
  expect(segments[1]).toEqual({ kind: 'text', text: 'here' });
});

test('U50 ordinary text of living scripts, emoji sequences and line ends pass untouched', () => {
  for (const text of ['plain\n\ttext', 'a\r\nb', '中文，标点。', '👩‍👩‍👧 ok', '❤️', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', '🇨🇭', 'می\u200cخواهم', 'क्\u200dष', 'Привет, мир', 'Ελλάδα', '1️⃣', 'é ñ ü', 'ไทยภาษา'])
    expect(countHidden(splitHidden(text)), text).toBe(0);
});

test('U50 a joiner in a Latin word, tags without a flag and a lone variation selector are marked', () => {
  expect(countHidden(splitHidden('pay\u200dpal'))).toBe(1);
  expect(countHidden(splitHidden('\u{e0068}\u{e0069}'))).toBe(2);
  expect(countHidden(splitHidden('x\ufe0f'))).toBe(1);
});

test('U51 letters of another script inside a Latin word are marked as look-alikes', () => {
  const segments = splitHidden('p\u0430ypal and Привет');
  expect(segments).toEqual([{ kind: 'text', text: 'p' }, { kind: 'lookalike', text: '\u0430', shown: 'U+0430' }, { kind: 'text', text: 'ypal and Привет' }]);
});

test('U52 blank lines or spaces that push text out of sight are folded and counted', () => {
  expect(splitHidden(`safe${'\n'.repeat(60)}evil`)[1]).toMatchObject({ kind: 'padding', lines: 60 });
  expect(splitHidden(`safe${' '.repeat(400)}evil`)[1]).toMatchObject({ kind: 'padding', spaces: 400 });
  expect(countHidden(splitHidden('a\n\nb'))).toBe(0);
});

test('U50 every character of the text is in exactly one piece', () => {
  const text = 'a\u200b\u202e\n\n\n\n\n\n\nb p\u0430y \u001b[1m👩‍👧x\u0301\u0301\u0301\u0301\u0301\u0301';
  expect(splitHidden(text).map((s) => s.text).join('')).toBe(text);
});

test('U50 splitting is linear: hostile text of a megabyte is split to its last character', () => {
  // with the square of it this does not end
  for (const piece of ['\u200d\u202ea p\u0430 \n', 'ab\u00e9', ' '.repeat(39).concat('\u00e9'), '\u00e9\n \n', 'p\u0430', '\u0301', '\u001b[', '\u{1f3f4}\u{e0067}']) {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(splitHidden(text).reduce((sum, { text: part }) => sum + part.length, 0), JSON.stringify(piece)).toBe(text.length);
  }
});
