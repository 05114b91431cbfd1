import { expect, test } from 'vitest';
import type { Invocation } from '../../../shared/call.ts';
import type { EvidenceEvent } from '../../../shared/run.ts';
import { withDelta } from '../../stores/streamed.ts';
import { hostOf } from '../../parts/link-host.ts';
import { recordedFunnel } from '../../parts/recorded-funnel.ts';
import { lastRetry, lastTurn, timelineOf } from './timeline-of.ts';

const event = (seq: number, type: string, data: Record<string, unknown>): EvidenceEvent => ({ runId: 'r', seq, prevHash: '', hash: '', at: seq, type, invocationId: null, data });
const call = (id: string, seq: number) => ({ call: { id } as Invocation, events: [event(seq, 'call.planned', {})] });
const drawn = (...args: Parameters<typeof timelineOf>): string => timelineOf(...args).map((one) => (one.kind === 'call' ? one.call.id : one.kind === 'said' ? one.text : `failed ${one.code}`)).join(' | ');
const REPLIES = [event(2, 'turn.reply', { turn: 1, text: 'first I look' }), event(9, 'turn.reply', { turn: 2, text: ' all done \n' }), event(4, 'turn.reply', { turn: 1, text: '' })];

test('AP05 words and calls stand in the order of the evidence, and the answer stands once', () => {
  expect(drawn(REPLIES, [call('b', 7), call('a', 5)], 'all done')).toBe('first I look | a | b');
  expect(drawn(REPLIES, [call('a', 5)], null)).toBe('first I look | a | all done');
  expect(drawn([...REPLIES, event(12, 'turn.failed', { turn: 3, code: 'model_failed' })], [], 'all done')).toBe('first I look | all done | failed model_failed');
  expect(lastTurn([...REPLIES, event(12, 'turn.failed', { turn: 3 })])).toBe(3);
  expect(lastTurn([])).toBe(0);
});

test('AP06 words that come are added to those of the same turn and attempt; another begins anew', () => {
  const one = withDelta(undefined, { turn: 1, attempt: 1, text: 'a' });
  const two = withDelta(one, { turn: 1, attempt: 1, text: 'b' });
  expect(two.text).toBe('ab');
  expect(withDelta(two, { turn: 1, attempt: 2, text: 'c' })).toEqual({ turn: 1, attempt: 2, text: 'c' });
  expect(withDelta(two, { turn: 2, attempt: 1, text: 'd' }).text).toBe('d');
});

test('AP02 a link of a model is named by its host in the form that is dialled, or by its scheme', () => {
  expect(hostOf('https://user@example.com:8443/a?b')).toBe('example.com:8443');
  expect(hostOf('https://аpple.com/')).toBe('xn--pple-43d.com');
  expect(hostOf('javascript:alert(1)')).toBe('javascript:');
  expect(hostOf('/relative')).toBeNull();
});

test('SE41 AP07 how the candidates of a turn were ranked is read from its record; what is odd is left out', () => {
  const ranked = [{ capabilityId: 'x', place: 1, score: 0.4, parts: { words: 0.3, odd: 'x' }, exposed: true, reason: 'rank' }, null, { capabilityId: 'y' }];
  expect(recordedFunnel(event(1, 'turn.request', { selection: { of: 3, topK: 2, semantic: { tookPart: false, reason: 'all_fit' }, ranked } }), 'p').selection).toEqual({ of: 3, topK: 2, semantic: { tookPart: false, reason: 'all_fit' }, ranked: [{ capabilityId: 'x', place: 1, score: 0.4, parts: { words: 0.3 }, exposed: true, reason: 'rank' }] });
  expect(recordedFunnel(event(1, 'turn.request', { selection: 'odd' }), 'p').selection).toBeUndefined();
});

test('AP07 the funnel of a turn is read from its record; what no funnel has is left out', () => {
  const funnel = recordedFunnel(event(1, 'turn.request', { exposed: [{ capabilityId: 'x' }, 3], funnel: [{ stage: 'granted', evaluated: true, count: 2, lost: [{ capabilityId: 'y', reason: 'not_granted' }, null] }, { stage: 'no such' }, 'odd', { stage: 'exposed', evaluated: true, count: 1 }] }), 'agent:default');
  expect(funnel).toEqual({ principal: 'agent:default', stages: [{ stage: 'granted', evaluated: true, count: 2, capabilityIds: [], lost: [{ capabilityId: 'y', reason: 'not_granted' }] }, { stage: 'exposed', evaluated: true, count: 1, capabilityIds: ['x'], lost: [] }] });
  expect(recordedFunnel(event(1, 'turn.request', {}), 'p').stages).toEqual([]);
});

test('AP20 the last try of the turn that is under way is told, and no try of a turn that ended', () => {
  const tries = [event(3, 'turn.retry', { turn: 1, tries: 1, code: 'model_busy' }), event(4, 'turn.retry', { turn: 1, tries: 2, code: 'connection_failed' })];
  expect(lastRetry(tries, 0)).toEqual({ tries: 2, code: 'connection_failed', at: 4 });
  expect(lastRetry(tries, 1)).toBeNull();
  expect(lastRetry([], 0)).toBeNull();
});
