import { expect, test } from 'vitest';
import type { Question } from '../../../shared/question.ts';
import { isOpenGate, standingOf } from './question-standing.ts';

const base = { id: 'q', serverId: 's', serverName: 'S', invocationId: null, runId: null, capabilityId: null, round: 1, askedAt: 0, expiresAt: 1, endedAt: null, by: null, message: '' };
const url = (state: Question['state'], openedAt: number | null): Question => ({ ...base, state, kind: 'url', url: { url: 'https://a.example/', host: 'a.example', elicitationId: 'e', completedAt: null, thenContinue: true, openedAt } });
const sampling = (state: Question['state'], more: object = {}): Question => ({ ...base, state, kind: 'sampling', sampling: { messages: [], maxTokens: 10, asked: null, ...more } });

test('QU01 what is left for a person to do follows the state: answer, wait for the model, see the reply, wait for the page, nothing', () => {
  const asked = { modelId: 'm', at: 0 };
  expect(standingOf(sampling('waiting'))).toBe('asks');
  expect(standingOf(sampling('waiting', { asked }))).toBe('working');
  expect(standingOf(sampling('waiting', { asked, failed: { code: 'timeout', message: '' } }))).toBe('asks');
  expect(standingOf(sampling('review', { asked }))).toBe('review');
  expect(standingOf(url('waiting', null))).toBe('asks');
  expect(standingOf(url('waiting', 5))).toBe('opened');
  for (const state of ['answered', 'declined', 'cancelled', 'void'] as const) expect(standingOf(url(state, 5))).toBe('ended');
});

test('QU01 no button answers before the delay is over, while an answer is on its way, after expiry, or when nothing waits', () => {
  const facts = { standing: 'asks', armed: true, busy: false, expired: false } as const;
  expect(isOpenGate(facts)).toBe(true);
  for (const less of [{ armed: false }, { busy: true }, { expired: true }, { standing: 'ended' as const }]) expect(isOpenGate({ ...facts, ...less })).toBe(false);
});
