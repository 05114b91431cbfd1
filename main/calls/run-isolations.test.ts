import { expect, test } from 'vitest';
import { fault } from '../../shared/fault.ts';
import { openTestLine } from './open-test-line.ts';

const GONE = fault('connection_failed', 'The endpoint could not be reached.');
const valueOf = <T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown }): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};

test('RC05 RC06 a yes that comes after the source failed in the run, and after it came back, sends nothing; the next run is free', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write' });
  const run = t.line.beginRun({ kind: 'agent', title: 'x', principal: 'user' });
  t.line.isolations.uses(run.id, ['srv']);
  const asked = valueOf(await t.line.tryCall({ capabilityId: id, principal: 'user', run: { id: run.id }, wait: false }));
  expect(asked.state).toBe('awaiting_approval');
  t.line.isolations.confirmed('srv', GONE);
  t.line.isolations.confirmed('srv', GONE);
  t.line.isolations.back('srv');
  const waiting = valueOf(t.line.get(asked.invocationId)).approvalId!;
  t.line.approvals.decide(waiting, 'approve', { by: 'window' });
  await expect.poll(() => valueOf(t.line.get(asked.invocationId)).state).toBe('failed');
  expect(valueOf(t.line.get(asked.invocationId))).toMatchObject({ class: 'unavailable', fault: { message: expect.stringMatching(/could not be reached[\s\S]*stays out of this run[\s\S]*not called/), details: { code: 'connection_failed', isolated: true } } });
  expect(t.world.calls).toHaveLength(0);
  t.line.endRun(run.id, { state: 'completed', code: null });
  const next = t.line.beginRun({ kind: 'agent', title: 'y', principal: 'user' });
  expect(t.line.isolations.refusal(next.id, 'srv')).toBeNull();
});

test('RC05 only runs that use the source are concerned; a model is told once', () => {
  const t = openTestLine();
  const [one, other] = [1, 2].map(() => t.line.beginRun({ kind: 'agent', title: 'x', principal: 'user' }));
  t.line.isolations.uses(one!.id, ['srv', 'good']);
  t.line.isolations.uses(other!.id, ['good']);
  t.line.isolations.confirmed('srv', GONE);
  expect(t.line.isolations.refusal(one!.id, 'good')).toBeNull();
  expect(t.line.isolations.refusal(other!.id, 'srv')).toBeNull();
  expect([...t.line.isolations.reasons(one!.id)]).toEqual([['srv', 'isolated_in_run: connection_failed']]);
  expect(t.line.isolations.untold(one!.id).map(({ serverId }) => serverId)).toEqual(['srv']);
  expect(t.line.isolations.untold(one!.id)).toEqual([]);
});
