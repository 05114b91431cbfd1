import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contrast } from './contrast.ts';
import { PAIRS, tokens } from './tokens.ts';

test.each(['light', 'dark'] as const)('U01 every pair of tokens that may meet holds WCAG AA in the %s theme', (scheme) => {
  const failures = PAIRS.filter(([front, back, ratio]) => contrast(tokens[scheme][front], tokens[scheme][back]) < ratio).map(
    ([front, back, ratio]) => `${front} on ${back}: ${contrast(tokens[scheme][front], tokens[scheme][back]).toFixed(2)} < ${ratio}`,
  );
  expect(failures).toEqual([]);
});

test('U02 no colour is written outside the tokens file', () => {
  const root = join(import.meta.dirname, '..');
  const offenders = (readdirSync(root, { recursive: true }) as string[])
    .filter((path) => /\.(css|tsx?)$/.test(path) && !/theme[/\\]tokens|contrast|\.test\./.test(path))
    .filter((path) => /#[0-9a-fA-F]{6}\b|\brgba?\(|\bhsla?\(/.test(readFileSync(join(root, path), 'utf8').replace(/#\/\S*/g, '')));
  expect(offenders).toEqual([]);
});
