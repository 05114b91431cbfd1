import { expect, test } from 'vitest';
import type { EvidenceEvent } from '../../shared/run.ts';
import { carriedHistory } from './carried-history.ts';
import { lineStages } from './line-stages.ts';
import { isHeldAfterYes, queuedCalls } from './queued-calls.ts';

const row = (type: string, data: Record<string, unknown>): EvidenceEvent => ({ runId: 'r', seq: 1, prevHash: '', hash: '', at: 1, type, invocationId: 'i', data });
const reply = (turn: number, ...ids: readonly string[]): EvidenceEvent => row('turn.reply', { turn, calls: ids.map((id) => ({ id, name: id.startsWith('h') ? 'host__find' : `rec__${id}`, argumentsText: '{}' })) });
const planned = (turn: number, callId: string): EvidenceEvent => row('call.planned', { shown: { turn, callId, name: 'x' } });

test('AP13 calls of the last reply that are not on the line are queued while another is under way; the host\'s own are not', () => {
  const replies = [reply(1, 'a'), reply(2, 'a', 'b', 'c', 'h')];
  expect(queuedCalls(replies, [planned(1, 'a'), planned(2, 'b')], true)).toEqual([{ id: 'a', name: 'rec__a' }, { id: 'c', name: 'rec__c' }]);
  expect(queuedCalls(replies, [planned(2, 'b')], false)).toEqual([]);
  expect(queuedCalls([row('turn.reply', { turn: 1, calls: ['odd', { id: 3 }] }), row('turn.failed', { turn: 2 })], [], true)).toEqual([]);
  expect(queuedCalls([], [], true)).toEqual([]);
});

test('AP13 a call that a person approved and that is not sent yet awaits nobody, in words and on its line', () => {
  const asked = row('approval.asked', {});
  const decided = row('approval.decided', { decision: 'approve' });
  const waiting = { state: 'awaiting_approval', stage: 'approve', code: null, class: null } as const;
  expect(isHeldAfterYes(waiting, [asked])).toBe(false);
  expect(isHeldAfterYes(waiting, [asked, decided])).toBe(true);
  expect(isHeldAfterYes(waiting, [asked, decided, row('approval.voided', {})])).toBe(false);
  expect(isHeldAfterYes({ state: 'running' }, [asked, decided])).toBe(false);
  const markOf = (events: readonly EvidenceEvent[]) => lineStages(waiting, events).find(({ stage }) => stage === 'approve')?.mark;
  expect([markOf([asked]), markOf([asked, decided])]).toEqual(['awaits', 'active']);
});

test('RV04 what a request carried of the conversation is read from its record; odd ones tell nothing', () => {
  expect(carriedHistory(row('turn.request', { history: { bytes: 41_000, mostBytes: 48_000, leftOut: { questions: 3, results: 2 } } }))).toEqual({ bytes: 41_000, mostBytes: 48_000, questions: 3, results: 2 });
  expect(carriedHistory(row('turn.request', { history: { bytes: 5, mostBytes: 9, leftOut: { questions: -1, results: 'many' } } }))).toEqual({ bytes: 5, mostBytes: 9, questions: 0, results: 0 });
  expect(carriedHistory(row('turn.request', {}))).toBeNull();
  expect(carriedHistory(row('turn.request', { history: { bytes: 'x' } }))).toBeNull();
});
