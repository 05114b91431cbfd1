import { afterEach, expect, test, vi } from 'vitest';
import type { Approval, VoidCause } from '../../shared/approval.ts';
import { fault } from '../../shared/fault.ts';
import type { FaultCode } from '../../shared/fault-codes.ts';
import { readRun } from '../evidence/read-runs.ts';
import { openTestLine, type TestLine } from './open-test-line.ts';

afterEach(() => void vi.useRealTimers());

const SAYS = { by: 'window' };
const refuses = (t: TestLine, code: FaultCode, reason: string): void => {
  t.world.refusal = fault(code, reason, { details: { reason } });
  t.line.bindingsChanged('srv');
};
const rule = { effect: 'ask' as const, principal: null, capabilityId: null, serverId: 'other', tier: null, conditions: [], note: '' };

/** A run of the agent with a call that waits for its person and one that has its yes and waits for its server; another server's call beside them. */
const asked = async () => {
  const t = openTestLine();
  const ids = [t.world.tool({ name: 'write' }), t.world.tool({ name: 'later' }), t.world.tool({ name: 'write', serverId: 'elsewhere' })];
  const run = t.line.beginRun({ kind: 'agent', title: 'write', principal: 'agent:built-in' });
  const calls = ids.map((id) => t.line.tryCall({ capabilityId: id, principal: 'agent:built-in', input: { v: 1 }, run: { id: run.id }, wait: true }));
  await vi.waitFor(() => expect(t.line.approvals.list('pending')).toHaveLength(3));
  const of = (id: string): Approval => t.line.approvals.list().find(({ capabilityId }) => capabilityId === id)!;
  t.world.refusal = fault('not_connected', 'starting');
  expect(t.line.approvals.decide(of(ids[1]!).id, 'approve', SAYS)).toMatchObject({ ok: true, value: { state: 'approved' } });
  return { t, run, calls, of, ids };
};

type Cause = readonly [string, VoidCause, (t: TestLine, runId: string) => void, 'approval_void' | 'unavailable'];
const CAUSES: readonly Cause[] = [
  ['the server is switched off', 'disabled', (t) => t.line.serverGone('srv', 'disabled'), 'approval_void'],
  ['the server rests as switched off', 'disabled', (t) => t.line.sourceRests('srv', fault('disabled', 'The server is switched off.')), 'approval_void'],
  ['the server is removed', 'removed', (t) => t.line.serverGone('srv', 'removed'), 'approval_void'],
  ['the server is put in quarantine', 'quarantined', (t) => t.line.serverGone('srv', 'quarantined'), 'approval_void'],
  ['the server keeps crashing', 'source_failed', (t) => t.line.sourceRests('srv', fault('crash_loop', 'It keeps exiting.')), 'unavailable'],
  ['the server wants to be signed in at', 'source_failed', (t) => t.line.sourceRests('srv', fault('sign_in_required', 'It wants a sign-in.')), 'unavailable'],
  ['the server awaits consent to another launch', 'configuration_changed', (t) => t.line.sourceRests('srv', fault('consent_required', 'It changed.')), 'approval_void'],
  ['the configuration changes', 'configuration_changed', (t) => t.line.launchChanged('srv'), 'approval_void'],
  ['the definition changes', 'definition_changed', (t) => { for (const name of ['write', 'later']) t.world.tool({ name }, 2); t.world.refusal = null; t.line.bindingsChanged('srv'); }, 'approval_void'],
  ['the definition changes and so has no review', 'definition_changed', (t) => { for (const name of ['write', 'later']) t.world.tool({ name }, 2); refuses(t, 'not_allowed', 'needs_review'); }, 'approval_void'],
  ['the tool is offered no more', 'gone', (t) => refuses(t, 'unavailable', 'gone'), 'approval_void'],
  ['the tool is known no more', 'gone', (t) => refuses(t, 'unknown_capability', ''), 'approval_void'],
  ['the grant is taken away', 'access_revoked', (t) => refuses(t, 'not_allowed', 'not_granted'), 'approval_void'],
  ['the admission is withdrawn', 'not_admitted', (t) => refuses(t, 'not_allowed', 'not_admitted'), 'approval_void'],
];

test.each(CAUSES)('CL33 A04 %s: its approvals end at once as %s, their calls with them, and the run hears of each', async (_what, cause, happens, code) => {
  const { t, run, calls, of, ids } = await asked();
  const told = t.heard.filter(({ name }) => name === 'approval:changed').length;
  happens(t, run.id);
  t.world.refusal = null;
  for (const call of calls.slice(0, 2)) expect(await call).toMatchObject({ ok: true, value: { state: 'failed', code, fault: { details: { cause } } } });
  for (const id of ids.slice(0, 2)) expect(of(id)).toMatchObject({ state: 'void', reason: cause });
  // the windows' badge and pages follow the event and the count
  expect(t.heard.filter(({ name }) => name === 'approval:changed').slice(told)).toMatchObject([{ payload: { approval: { state: 'void', reason: cause } } }, { payload: { approval: { state: 'void', reason: cause } } }]);
  expect(of(ids[2]!).state).toBe('pending');
  expect(t.line.approvals.countPending()).toBe(1);
  const events = readRun(t.store, run.id);
  expect(events.ok && events.value.events.filter(({ type }) => type === 'approval.voided').map(({ data }) => data['cause'])).toEqual([cause, cause]);
  expect(t.world.calls).toEqual([]);
});

test('CL33 the scope of a profile, a rule and a stop end them as well, whatever the server', async () => {
  const narrowed = await asked();
  narrowed.t.world.refusal = fault('not_allowed', 'out', { details: { reason: 'out_of_scope: server' } });
  narrowed.t.line.bindingsChanged(null);
  for (const call of narrowed.calls) expect(await call).toMatchObject({ value: { code: 'approval_void', fault: { details: { cause: 'out_of_scope' } } } });
  const ruled = await asked();
  ruled.t.world.refusal = null;
  ruled.t.line.rules.add({ ...rule, expiresAt: null }, 'me');
  for (const call of ruled.calls) expect(await call).toMatchObject({ value: { code: 'approval_void', fault: { details: { cause: 'rules_changed' } } } });
  const stopped = await asked();
  for (const id of stopped.ids) stopped.t.line.stop(stopped.of(id).invocationId);
  for (const call of stopped.calls) expect(await call).toMatchObject({ value: { code: 'cancelled', fault: { details: { cause: 'stopped' } } } });
});

test('CL33 a rule that runs out while somebody is asked ends the question when it does', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write' });
  t.line.rules.add({ ...rule, expiresAt: t.clock.now() + 60_000 }, 'me');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const outcome = await t.line.tryCall({ capabilityId: id, principal: 'user', input: {} });
  const approvalId = (outcome.ok && outcome.value.approvalId) || '';
  vi.advanceTimersByTime(59_000);
  expect(t.line.approvals.get(approvalId)).toMatchObject({ value: { state: 'pending' } });
  t.clock.pass(60_000);
  vi.advanceTimersByTime(1_000);
  expect(t.line.approvals.list().find((one) => one.id === approvalId)).toMatchObject({ state: 'void', reason: 'rules_changed' });
});

test('CL33 RC05 a run that stopped using a failed source asks nobody about it any more; another run may', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write' });
  const run = t.line.beginRun({ kind: 'agent', title: 'write', principal: 'agent:built-in' });
  t.line.isolations.uses(run.id, ['srv']);
  const call = t.line.tryCall({ capabilityId: id, principal: 'agent:built-in', input: {}, run: { id: run.id }, wait: true });
  const other = await t.line.tryCall({ capabilityId: id, principal: 'user', input: {} });
  t.line.sourceConfirmed('srv', fault('connection_failed', 'It did not come back.'));
  expect(await call).toMatchObject({ value: { code: 'unavailable', class: 'unavailable', fault: { details: { cause: 'source_failed', isolated: true } } } });
  expect(other.ok && t.line.approvals.get(other.value.approvalId ?? '')).toMatchObject({ value: { state: 'pending' } });
});

test.each(['not_connected', 'secret_store_locked'] as const)('CL33 A06 a server that rests as %s comes back by itself, and so ends no approval', async (code) => {
  const { t, of, ids } = await asked();
  t.line.sourceRests('srv', fault(code, 'for now'));
  expect(ids.map((id) => of(id).state)).toEqual(['pending', 'approved', 'pending']);
});
