import { expect, test } from 'vitest';
import { en } from './en.ts';
import { runEndingKey } from './run-ending.ts';
import { zh } from './zh.ts';

test('AP15 the end of an agent’s run has words of its own where those of its code are of one call', () => {
  for (const code of ['cancelled', 'interrupted'] as const) {
    expect(runEndingKey({ kind: 'agent' }, code)).toBe(`parts.run_ending.${code}`);
    expect(runEndingKey({ kind: 'try' }, code)).toBe(`code.${code}`);
    for (const words of [en, zh]) for (const part of ['sentence', 'remedy'] as const) expect(words.run_ending[code][part]).not.toBe('');
  }
  expect(runEndingKey({ kind: 'agent' }, 'model_failed')).toBe('code.model_failed');
});
