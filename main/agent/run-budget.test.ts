import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RunBudget } from './run-budget.ts';
import { priced } from './usage.ts';

const MODEL = { prices: { input: 3, output: 15, cachedInput: 0.3, currency: 'USD' }, limits: { contextTokens: null, maxOutputTokens: null } } as const;

test('AC03 whatever is said and counted, neither limit is ever passed', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 60_000 }), fc.double({ min: 0, max: 0.5, noNaN: true }), fc.option(fc.integer({ min: 16, max: 8_000 }), { nil: null }),
      fc.array(fc.record({ more: fc.string({ unit: 'grapheme', maxLength: 4_000 }), density: fc.double({ min: 0.01, max: 1, noNaN: true }), written: fc.double({ min: 0, max: 1, noNaN: true }), counted: fc.boolean(), breaks: fc.boolean() }), { minLength: 1, maxLength: 30 }),
      (tokens, money, maxOutputTokens, turns) => {
        const budget = new RunBudget({ steps: null, tokens, money }, { ...MODEL, limits: { contextTokens: null, maxOutputTokens } });
        let text = 'begin';
        let inputTokens = 0;
        let real = { tokens: 0, money: 0 };
        for (const { more, density, written, counted, breaks } of turns) {
          const before = Buffer.byteLength(text);
          text = `${text}${more}`;
          const out = budget.maxOutput(Buffer.byteLength(text));
          if (budget.admit(text, out) !== null) return;
          // a tokenizer makes at most one token of a byte, and of what it had before no more than before
          inputTokens = Math.min(Buffer.byteLength(text), inputTokens + Math.ceil((Buffer.byteLength(text) - before) * density));
          const usage = priced(inputTokens, Math.floor(out! * written), 0, MODEL.prices, !counted);
          real = { tokens: real.tokens + usage.inputTokens + usage.outputTokens, money: real.money + usage.cost! };
          if (breaks) budget.chargeBroken();
          else budget.charge(usage);
          expect(real.tokens).toBeLessThanOrEqual(tokens);
          expect(real.money).toBeLessThanOrEqual(money + 1e-9);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('AC03 without a limit nothing is held back, and the output is as the model has it', () => {
  const free = new RunBudget({ steps: null, tokens: null, money: null }, { ...MODEL, prices: null });
  expect([free.maxOutput(1e9), free.admit('x'.repeat(1e6), undefined)]).toEqual([undefined, null]);
  const told = new RunBudget({ steps: null, tokens: null, money: null }, { ...MODEL, limits: { contextTokens: null, maxOutputTokens: 500 } });
  expect(told.maxOutput(1e9)).toBe(500);
});

test('AC03 a picture counts for what a model reads of it, not for its bytes', () => {
  const picture = JSON.stringify({ image_url: { url: `data:image/png;base64,${'A'.repeat(4_000_000)}` } });
  const budget = new RunBudget({ steps: null, tokens: 20_000, money: null }, { ...MODEL, prices: null });
  expect(budget.admit(picture, 100)).toBeNull();
  expect(budget.admit('x'.repeat(20_000), 100)).toMatchObject({ code: 'token_limit', details: { limit: 20_000, used: 0, worst: 20_100 } });
});

test('AC03 a text that only looks like a picture counts for its bytes', () => {
  const text = JSON.stringify({ content: `{"url":"data:image/png;base64,${'A'.repeat(40_000)}"} and data:image/png;base64,${'A'.repeat(40_000)}` });
  expect(new RunBudget({ steps: null, tokens: 60_000, money: null }, { ...MODEL, prices: null }).admit(text, 100)).toMatchObject({ code: 'token_limit' });
});
