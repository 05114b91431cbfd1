import { expect, test } from 'vitest';
import type { EvidenceEvent } from '../../shared/run.ts';
import { lineStages } from './line-stages.ts';
import type { LineInvocation } from './line-stages.ts';

const marks = (invocation: Partial<LineInvocation>): string =>
  lineStages({ state: 'running', stage: 'plan', code: null, class: null, ...invocation }).map((s) => s.mark).join(' ');
const event = (type: string, data: Record<string, unknown> = {}): EvidenceEvent => ({ runId: 'r', seq: 1, prevHash: '', hash: '', at: 0, type, invocationId: 'i', data });

test('U56 the line fills as stages happen and a completed one is full', () => {
  expect(marks({ state: 'completed', stage: 'evidence', class: 'ok' })).toBe('done done done done done done done');
  expect(marks({ state: 'running', stage: 'dispatch' })).toBe('done done done done active open open');
  expect(marks({ state: 'queued', stage: 'plan' })).toBe('open open open open open open open');
});

test('U56 a repeat that the first result answers asked nobody and sent nothing', () => {
  expect(marks({ state: 'completed', stage: 'evidence', class: 'ok', startedAt: null })).toBe('done done done open open open done');
  expect(marks({ state: 'completed', stage: 'evidence', class: 'ok', startedAt: 1 })).toBe('done done done done done done done');
});

test('U56 waiting for a person is its own mark', () => {
  expect(marks({ state: 'awaiting_approval', stage: 'approve' })).toBe('done done done awaits open open open');
});

test('U56 a call in which the server asks awaits a person until each of its questions has ended', () => {
  const dispatched = (events: readonly EvidenceEvent[]): string => lineStages({ state: 'running', stage: 'dispatch', code: null, class: null }, events).find(({ stage }) => stage === 'dispatch')!.mark;
  const asked = [event('call.intent'), event('question.asked', { questionId: 'a' }), event('question.asked', { questionId: 'b' })];
  expect(dispatched(asked)).toBe('awaits');
  expect(dispatched([...asked, event('question.answered', { questionId: 'a' })])).toBe('awaits');
  expect(dispatched([...asked, event('question.answered', { questionId: 'a' }), event('question.voided', { questionId: 'b' })])).toBe('active');
});

test('U56 a failed line stops where it stopped and still has evidence', () => {
  expect(marks({ state: 'failed', stage: 'dispatch', code: 'timeout' })).toBe('done done done done stopped open done');
  expect(marks({ state: 'failed', stage: 'policy', code: 'denied' })).toBe('done done stopped open open open done');
  expect(marks({ state: 'failed', stage: 'evidence', code: 'invalid_input' })).toBe('done stopped open open open open done');
  expect(marks({ state: 'failed', stage: 'evidence', code: 'tool_error' })).toBe('done done done done done stopped done');
});

test('U56 an outcome nobody knows is uncertain, not stopped', () => {
  expect(marks({ state: 'failed', stage: 'dispatch', code: 'outcome_unknown' })).toBe('done done done done uncertain open done');
  expect(marks({ state: 'failed', stage: 'evidence', code: 'interrupted' })).toBe('done done done done uncertain open done');
});

test('U57 every event of the line stands behind one stage', () => {
  const stages = lineStages({ state: 'failed', stage: 'plan', code: 'not_allowed', class: null }, [
    event('run.started'), event('call.refused', { code: 'not_allowed' }), event('call.outcome', { code: 'not_allowed' }),
  ]);
  expect(stages.filter((s) => s.events.length > 0).map((s) => [s.stage, s.events.length])).toEqual([['plan', 1], ['evidence', 1]]);
});
