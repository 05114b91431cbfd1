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

test('AP02 lists, tables and code are laid out; headings stay below those of the page', () => {
  const markup = drawn('# Big\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nconst x = "<b>";\n```');
  expect(markup).not.toMatch(/<h[1-6]/);
  for (const part of ['<li', '<table', '<pre', '&lt;b&gt;']) expect(markup).toContain(part);
});

test('AP04 a label is drawn where the text cites a result, and stays text in code', () => {
  expect(drawn('It is 21 degrees [r3], see [r12].')).toMatch(/<b>r3<\/b>.*<b>r12<\/b>/);
  expect(drawn('`[r3]` and [rx]')).not.toContain('<b>');
});
