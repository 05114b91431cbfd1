import type { i18n } from 'i18next';
import { expect, test } from 'vitest';
import type { Answer } from '../../../shared/conversation.ts';
import { endingWords } from './ending-words.ts';

const words = { t: (key: string) => key, exists: (key: string) => !key.includes('because') } as unknown as i18n;
const answer = (part: Partial<Answer>): Answer => ({ text: '', ending: 'stop', code: null, citations: { cited: [], grounded: [], notGrounded: [], unknown: [], results: {} }, ...part });

test('AP20 words before it broke off are called unfinished, a run without words ended without an answer, and a person\'s stop has no code', () => {
  expect(endingWords({ answer: answer({ text: 'It is', code: 'model_busy' }) }, words)).toMatchObject({ sentence: 'agent.ending.broken code.model_busy.sentence', remedy: 'code.model_busy.remedy', code: 'model_busy' });
  expect(endingWords({ answer: answer({ text: ' ', code: 'model_busy' }) }, words).sentence).toBe('agent.ending.stop code.model_busy.sentence');
  expect(endingWords({ answer: answer({ text: 'It is', code: 'cancelled' }) }, words)).toEqual({ ending: 'stop', sentence: 'agent.ending.stopped', remedy: null, code: null });
  expect(endingWords({ answer: answer({ text: 'It is so.', ending: 'answer' }) }, words)).toMatchObject({ sentence: 'agent.ending.answer', code: null });
  expect(endingWords({ answer: null }, words).sentence).toBeNull();
});
