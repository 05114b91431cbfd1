import { expect, test } from 'vitest';
import { ReloadBudget } from './reload-budget.ts';

test('W09 a crashed page is loaded again three times in ten minutes, then the person is asked', () => {
  const budget = new ReloadBudget();
  expect([0, 1_000, 2_000, 3_000, 599_999].map((now) => budget.gone('crashed', now))).toEqual(['load', 'load', 'load', 'ask', 'ask']);
  expect(budget.gone('oom', 600_000)).toBe('load');
  budget.forgive();
  expect(budget.gone('killed', 600_001)).toBe('load');
});

test('W09 a page that was closed is left alone, and one whose files are not genuine is not loaded by itself', () => {
  const budget = new ReloadBudget();
  expect(budget.gone('clean-exit', 0)).toBe('nothing');
  expect(budget.gone('integrity-failure', 0)).toBe('ask');
});
