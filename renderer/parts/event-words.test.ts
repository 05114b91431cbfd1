import { expect, test } from 'vitest';
import type { EvidenceEvent } from '../../shared/run.ts';
import { EVIDENCE_TYPES } from '../../shared/run.ts';
import { decider } from './decider.ts';
import { en } from './en.ts';
import { sentenceKeys, sentenceValues } from './event-words.ts';

const event = (type: string, data: Record<string, unknown>): EvidenceEvent => ({ runId: 'r', seq: 1, prevHash: '', hash: '', at: 0, type, invocationId: null, data });

test('U68 every type of evidence has its sentence', () => {
  for (const type of EVIDENCE_TYPES) expect(en.event).toHaveProperty(type.replaceAll('.', '_'));
});

test('U68 a sentence is chosen by what was decided, and falls back to the type', () => {
  expect(sentenceKeys(event('call.policy', { effect: 'ask' }))).toEqual(['parts.event.call_policy_ask', 'parts.event.call_policy']);
  expect(sentenceKeys(event('call.intent', { state: 'odd value' }))).toEqual(['parts.event.call_intent']);
});

test('U68 values carry their unit, hashes are short, lists stay in the raw row', () => {
  expect(sentenceValues(event('x', { inputHash: 'ab'.repeat(32), inputBytes: 1204, waitMs: 250, ok: true, notices: [1] }), 'en')).toEqual({ inputHash: 'abab abab … abab', inputBytes: '1,204', waitMs: '0.25 s', ok: 'true' });
});

test('U69 who decided is told in the user’s words, a stranger’s name as it was written', () => {
  expect(decider('window', (key) => key)).toBe('parts.decider.window');
  expect(decider('outside:x\u202e', (key) => key)).toBe('outside:x⟨U+202E⟩');
});

test('U68 what was taken out of an input for the host is told with what was asked', () => {
  const taken = event('call.normalized', { inputHash: 'ab'.repeat(32), hostResult: { select: '/rows/39' } });
  expect(sentenceKeys(taken)[0]).toBe('parts.event.call_normalized_host_field');
  expect(sentenceValues(taken, 'en')['wanted']).toBe('"select":"/rows/39"');
  expect(sentenceKeys(event('call.normalized', { hostResult: null }))).toEqual(['parts.event.call_normalized']);
});

test('QU21 progress on record is told with its amount, and with the words that the server gave', () => {
  expect(sentenceKeys(event('call.progress', { progress: 3, total: 10, message: 'halfway', reports: 1 }))[0]).toBe('parts.event.call_progress_of_words');
  expect(sentenceKeys(event('call.progress', { progress: 3, reports: 1 }))[0]).toBe('parts.event.call_progress_at');
  expect(sentenceKeys(event('call.progress', { reports: 1 }))).toEqual(['parts.event.call_progress']);
  for (const key of ['of', 'of_words', 'at', 'at_words']) expect(en.event).toHaveProperty(`call_progress_${key}`);
});

test('AC02 a turn that was stopped is never told as a reply, and one that had begun never as none', () => {
  const key = (type: string, data: Record<string, unknown>) => sentenceKeys(event(type, { turn: 1, ...data }))[0]?.replace('parts.event.', '');
  const keys = [key('turn.failed', { code: 'cancelled', begun: true }), key('turn.failed', { code: 'model_failed', begun: true }), key('turn.reply', { partial: true, text: 'Half' }), key('turn.reply', { partial: true, text: '' })];
  expect(keys).toEqual(['turn_failed_cancelled', 'turn_failed_begun', 'turn_reply_partial', 'turn_reply_nothing']);
  for (const one of keys) expect(en.event).toHaveProperty(one!);
  expect(key('turn.reply', { text: '' })).toBe('turn_reply');
  expect(key('turn.failed', { code: 'model_failed' })).toBe('turn_failed');
});
