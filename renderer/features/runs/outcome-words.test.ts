import { expect, test } from 'vitest';
import { en } from './en.ts';
import { outcomeWord } from './outcome-words.ts';

test('U65 the end of a row says how the call stands, and tells a rule from a person', () => {
  expect(outcomeWord({ state: 'failed', stage: 'policy', code: 'denied', class: 'not_sent' })).toEqual({ key: 'denied_by_rule', tone: 'bad' });
  expect(outcomeWord({ state: 'failed', stage: 'approve', code: 'denied', class: 'not_sent' })).toEqual({ key: 'denied_by_person', tone: 'bad' });
  expect(outcomeWord({ state: 'failed', stage: 'dispatch', code: 'outcome_unknown', class: 'outcome_unknown' }).tone).toBe('unsure');
  expect(outcomeWord({ state: 'completed', stage: 'evidence', code: null, class: 'suspect_success' }).tone).toBe('unsure');
  expect(outcomeWord({ state: 'completed', stage: 'evidence', code: null, class: 'ok', startedAt: null })).toEqual({ key: 'repeat', tone: 'quiet' });
  expect(outcomeWord({ state: 'failed', stage: 'plan', code: 'from_a_newer_host', class: null })).toEqual({ key: 'failed', tone: 'bad' });
});

test('U65 every word of an outcome exists', () => {
  for (const code of ['timeout', 'exited', 'approval_void', 'denied', 'outcome_unknown', 'store_write_failed', 'nonsense'])
    expect(en.outcome).toHaveProperty(outcomeWord({ state: 'failed', stage: 'dispatch', code, class: null }).key);
});

test('QU16 a call whose server waits for an answer awaits the person, as long as it runs', () => {
  expect(outcomeWord({ state: 'running', stage: 'dispatch', code: null, class: null }, true)).toEqual({ key: 'awaits', tone: 'awaits' });
  expect(outcomeWord({ state: 'running', stage: 'dispatch', code: null, class: null })).toEqual({ key: 'running', tone: 'quiet' });
  expect(outcomeWord({ state: 'completed', stage: 'evidence', code: null, class: 'ok', startedAt: 1 }, true).key).toBe('done');
});
