import { expect, test } from 'vitest';
import { tellingArguments } from './telling-arguments.ts';

test('RV06 two calls of one tool are told apart by short words of their inputs', () => {
  const of = (path: string): string => tellingArguments(JSON.stringify({ content: 'The same long text.\n'.repeat(40), mode: 'w', path }));
  expect(of('/a/one.txt')).toBe('mode: w, path: /a/one.txt, content: The same long text. …g text. The same long text.');
  const deep = `/home/someone/${'folder/'.repeat(20)}`;
  expect(of(`${deep}one.txt`)).toContain('one.txt');
  expect(of(`${deep}one.txt`)).not.toBe(of(`${deep}two.txt`));
  expect(tellingArguments('{"limit":5,"q":"whales","tags":["a","b"]}')).toBe('q: whales, limit: 5, tags: a, b');
});

test('RV06 what is told is one bounded line, whatever a model wrote; nothing is told of what is no object of values', () => {
  const hostile = tellingArguments(JSON.stringify({ ['n'.repeat(9000)]: 'x\n'.repeat(900), b: '\ud83d\ude00'.repeat(200), c: `a\n\n\u202e${'b'.repeat(300)}` }));
  expect(hostile.length).toBeLessThanOrEqual(120);
  expect(hostile).not.toMatch(/[\r\n]/);
  expect(hostile.isWellFormed()).toBe(true);
  for (const none of [null, '', '{', '[]', '"a"', '{}', '{"a":{"b":1},"c":null,"d":" "}', JSON.stringify({ a: 'x'.repeat(20_001) })]) expect(tellingArguments(none)).toBe('');
});
