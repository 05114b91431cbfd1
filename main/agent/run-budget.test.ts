import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokensOf } from '../../shared/token-weight.ts';
import { RunBudget, type Beside } from './run-budget.ts';
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

const letGo = (asked: ReturnType<RunBudget['admitBeside']>): Beside => {
  if ('code' in asked) throw new Error(asked.message);
  return asked;
};

test('AC03 requests of servers are held by the limits of their run, with all that is under way at the same time', () => {
  const budget = new RunBudget({ steps: null, tokens: 1_000, money: null }, MODEL);
  const first = letGo(budget.admitBeside(300, 200, MODEL.prices));
  const second = letGo(budget.admitBeside(300, 200, null));
  expect(budget.admitBeside(0, 1, MODEL.prices)).toMatchObject({ code: 'token_limit', details: { limit: 1_000, used: 1_000, worst: 1 } });
  // a turn finds no room beside them either
  expect(budget.admit('x', 0)).toMatchObject({ code: 'token_limit', details: { used: 1_000, worst: 1 } });
  first.settle(priced(100, 50, 0, MODEL.prices, false));
  first.settle('worst');
  expect(budget.usage).toMatchObject({ inputTokens: 100, outputTokens: 50 });
  second.settle(null);
  expect([budget.usage.inputTokens, budget.hasTurn]).toEqual([100, false]);
  // and they none beside a turn
  expect(budget.maxOutput(100)).toBe(750);
  expect(budget.admit('x'.repeat(100), 700)).toBeNull();
  expect(budget.admitBeside(50, 1, MODEL.prices)).toMatchObject({ code: 'token_limit', details: { used: 950, worst: 51 } });
  budget.charge(priced(80, 20, 0, MODEL.prices, false));
  letGo(budget.admitBeside(700, 50, MODEL.prices)).settle('worst');
  expect(budget.usage).toMatchObject({ inputTokens: 880, outputTokens: 120 });
});

test('AC03 requests of servers cost the run what their own model costs, in its currency alone', () => {
  const budget = new RunBudget({ steps: null, tokens: null, money: 0.01 }, MODEL);
  const dear = { input: 10, output: 100, currency: 'USD' } as const;
  expect(budget.admitBeside(1, 1, null)).toMatchObject({ code: 'no_price' });
  expect(budget.admitBeside(1, 1, { ...dear, currency: 'EUR' })).toMatchObject({ code: 'money_limit', details: { why: 'other_currency' } });
  const one = letGo(budget.admitBeside(100, 80, dear));
  expect(budget.admitBeside(100, 1, dear)).toMatchObject({ code: 'money_limit', details: { used: 0.009, worst: 0.0011 } });
  expect(budget.admit('x', 100)).toMatchObject({ code: 'money_limit', details: { used: 0.009 } });
  one.settle(priced(100, 10, 0, dear, false));
  expect(budget.usage.cost).toBeCloseTo(0.002);
  expect(budget.admit('x', 500)).toBeNull();
});

test('AC03 what nobody counted is told as an estimate in tokens, and counts against a limit as the most that it can have been', () => {
  const budget = new RunBudget({ steps: null, tokens: 6_000, money: null }, { ...MODEL, prices: null });
  expect(budget.admit('word '.repeat(800), 1_000)).toBeNull();
  budget.chargeBroken('some of the words');
  expect(budget.usage).toMatchObject({ inputTokens: tokensOf('word '.repeat(800)), outputTokens: tokensOf('some of the words'), estimated: true });
  expect(budget.admit('x'.repeat(900), 101)).toMatchObject({ code: 'token_limit', details: { used: 5_000, worst: 1_001 } });
});
