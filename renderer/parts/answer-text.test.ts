import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AnswerText } from './AnswerText.tsx';

const drawn = (text: string): string => renderToStaticMarkup(createElement(AnswerText, { text, citation: (label: string) => createElement('b', null, label) }));

test('AP02 HTML, pictures, links and hidden characters of a model act in nothing', () => {
  const markup = drawn('<img src=x onerror=alert(1)> <script>alert(1)</script> ![a cat](https://example.com/cat.png) [here](https://example.org/x) [run](javascript:alert(1)) hid\u200bden <https://auto.example/>\n\n- [x] done');
  expect(markup).not.toMatch(/<(?:img|script|a|iframe|input|form)\b/i);
  expect(markup).toContain('&lt;script&gt;');
  expect(markup).toContain('(example.com)');
  expect(markup).toContain('(example.org)');
  expect(markup).toContain('⟨U+200B⟩');
  expect(markup).not.toContain('href=');
});

test('AP02 lists, tables and code are laid out; headings stay below those of the page; nothing is taken for settings', () => {
  const markup = drawn('---\nlost: no\n---\n\n# Big\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst x = "<b>";\n```');
  expect(markup).not.toMatch(/<h[1-6]/);
  for (const part of ['<li', '<table', '<pre', '&lt;b&gt;', 'lost: no']) expect(markup).toContain(part);
});

test('AP04 a label is drawn where the text cites a result, in each form that the host checks, and stays text in code', () => {
  expect(drawn('It is 21 degrees [r3], see [r12].')).toMatch(/<b>r3<\/b>.*<b>r12<\/b>/);
  expect(drawn('a [r1][r2] b [r3, r4] c 【r5】')).toMatch(/<b>r1<\/b>.*<b>r2<\/b>.*<b>r3<\/b>.*<b>r4<\/b>.*<b>r5<\/b>/);
  expect(drawn('`[r3]` and [rx]\n\n```\n[r4]\n```')).not.toContain('<b>');
  expect(drawn('`[r3]` 【r4】\n\n```\n[r4, r5]\n```')).toMatch(/\[r3\].*\[r4, r5\]/s);
});

test('AP04 a model cannot make a citation a link of its own', () => {
  const markup = drawn('So it is [r1].\n\n[r1]: https://example.org/x "r1"');
  expect(markup).toContain('<b>r1</b>');
  expect(markup).not.toMatch(/<button[^>]*>[^<]*<span[^>]*>r1/);
});

test('AP17 right-to-left paragraphs, lists and cells have their own direction, code has its own', () => {
  const markup = drawn('שלום עולם\n\nEnglish\n\n- بند\n\n`a.b`');
  expect(markup.match(/<p dir="auto"/g)).toHaveLength(3);
  expect(markup).toMatch(/<ul dir="auto"/);
  expect(markup).toMatch(/<code dir="ltr">a\.b/);
});
