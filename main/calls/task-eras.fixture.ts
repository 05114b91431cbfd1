import { expect } from 'vitest';
import { until } from '../servers/pool-harness.fixture.ts';
import { openTasks } from '../store/tasks.ts';
import { openTaskLine } from './task-line.fixture.ts';

export const keepsDistance = async (era: 'legacy' | 'modern'): Promise<void> => {
  const o = await openTaskLine(era);
  expect(await o.call('hasty')).toMatchObject({ class: 'ok' });
  expect(Math.min(...o.waits)).toBeGreaterThanOrEqual(1900);
  expect(Math.max(...o.waits)).toBeLessThanOrEqual(2000);
  o.waits.length = 0;
  expect(await o.call('lazy')).toMatchObject({ class: 'ok' });
  expect(Math.max(...o.waits)).toBe(300_000);
};

export const neverDone = async (era: 'legacy' | 'modern'): Promise<void> => {
  const o = await openTaskLine(era, 'stdio', { followMs: 10_000, quick: true });
  const outcome = await o.call('endless');
  expect(outcome).toMatchObject({ state: 'failed', class: 'outcome_unknown', code: 'outcome_unknown', fault: { details: { cause: 'timeout', mayHaveRun: true, taskCancel: era === 'legacy' ? 'cancelled' : 'acknowledged' } } });
  expect(o.said('tasks/cancel')).toHaveLength(1);
  expect(o.said('tasks/get').length).toBeLessThanOrEqual(6);
  expect(o.typesOf(outcome.runId)).toEqual(['task.created', 'task.cancel', 'task.ended']);
  expect(await o.call('endless', { tier: 'read_only' })).toMatchObject({ class: 'timeout', code: 'timeout' });
  // a read that ran out of time as a task is not begun once more
  expect(o.said('tools/call')).toHaveLength(2);
};

export const errorsOf = async (era: 'legacy' | 'modern'): Promise<void> => {
  const o = await openTaskLine(era);
  expect(await o.call('broken')).toMatchObject({ state: 'failed', class: 'protocol_error', fault: { details: { rpcCode: -32050, mayHaveRun: true } } });
  expect(await o.call('refused')).toMatchObject({ state: 'failed', class: 'tool_error', fault: { details: { serverWords: 'no paper' } } });
  expect(await o.call('withdrawn')).toMatchObject({ state: 'failed', class: 'outcome_unknown', fault: { details: { cause: 'cancelled', taskStatus: 'cancelled' } } });
  expect(await o.call('withdrawn', { tier: 'read_only' })).toMatchObject({ class: 'interrupted' });
  expect(await o.call('forgotten')).toMatchObject({ class: 'outcome_unknown', fault: { details: { cause: 'not_found' } } });
  expect(o.said('tools/call')).toHaveLength(5);
};

export const stopped = async (era: 'legacy' | 'modern'): Promise<void> => {
  const o = await openTaskLine(era);
  const running = o.call('endless');
  const [row] = await until(() => o.t.store.read(openTasks).length > 0 && o.t.store.read(openTasks));
  expect(o.t.line.stop(row!.invocationId)).toMatchObject({ ok: true });
  const outcome = await running;
  expect(outcome).toMatchObject({ state: 'failed', code: 'outcome_unknown', fault: { details: { mayHaveRun: true } } });
  expect(o.said('tasks/cancel').map(({ message }) => message.params!['taskId'])).toEqual([row!.handle.taskId]);
  const [called] = o.said('tools/call');
  expect(o.said('notifications/cancelled').map(({ message }) => message.params!['requestId'])).not.toContain(called!.message.id);
  expect(o.events(outcome.runId).find(({ type }) => type === 'task.cancel')!.data).toMatchObject({ why: 'stopped' });
};

export const unusableIds = async (era: 'legacy' | 'modern'): Promise<void> => {
  const o = await openTaskLine(era);
  for (const name of ['noid', 'stranger', 'odd']) expect([name, await o.call(name)]).toMatchObject([name, { state: 'failed', class: 'protocol_error', code: 'protocol_error', fault: { details: { mayHaveRun: true } } }]);
  expect(o.said('tools/call')).toHaveLength(3);
};

export const reusedIds = async (era: 'legacy' | 'modern'): Promise<void> => {
  const o = await openTaskLine(era);
  const first = o.call('reused');
  const [row] = await until(() => o.t.store.read(openTasks).length > 0 && o.t.store.read(openTasks));
  expect(await o.call('reused')).toMatchObject({ class: 'protocol_error', fault: { message: expect.stringContaining('belongs to another call') } });
  expect(o.said('tasks/cancel')).toEqual([]);
  o.t.line.stop(row!.invocationId);
  await first;
  expect(await o.call('reused')).toMatchObject({ class: 'protocol_error' });
};
