import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyRun } from '../evidence/verify-run.ts';
import { openTestLine } from './open-test-line.ts';
import type { TestLine } from './open-test-line.ts';
import type { CallLine } from './run-call.ts';

/** What must be true of one approval, kept beside the real thing. */
interface Model {
  state: 'pending' | 'consumed' | 'denied' | 'expired' | 'void';
  age: number;
}
interface Real {
  readonly t: TestLine;
  line: CallLine;
  readonly approvalId: string;
  readonly runId: string;
}
type Step = 'approve' | 'deny' | 'wait' | 'wait long' | 'drift' | 'new rule' | 'restart' | 'stop and resume' | 'look';

const apply = (model: Model, step: Step): void => {
  if (step === 'wait') model.age += 100_000;
  if (step === 'wait long') model.age += 300_000;
  if (model.state !== 'pending') return;
  // time is looked at by every step that looks at the approval
  const looks = step === 'approve' || step === 'deny' || step === 'look' || step === 'restart';
  if (looks && model.age >= 300_000) model.state = 'expired';
  else if (step === 'approve') model.state = 'consumed';
  else if (step === 'deny') model.state = 'denied';
  else if (step === 'drift' || step === 'new rule') model.state = 'void';
};

let version = 1;
const act = (real: Real, step: Step): void => {
  const { t, approvalId } = real;
  switch (step) {
    case 'approve':
    case 'deny':
      real.line.approvals.decide(approvalId, step, { by: 'me' });
      return;
    case 'wait':
      return t.clock.pass(100_000);
    case 'wait long':
      return t.clock.pass(300_000);
    case 'drift':
      t.world.tool({ name: 'write' }, (version += 1));
      return real.line.bindingsChanged('srv');
    case 'new rule':
      real.line.rules.add({ effect: 'ask', principal: null, capabilityId: null, serverId: 'x', tier: null, conditions: [], note: '', expiresAt: null }, 'me');
      return;
    case 'restart':
      real.line.approvals.close();
      real.line = t.restart();
      return real.line.recoverAtStart();
    case 'stop and resume':
      real.line.stopAll();
      real.line.approvals.decide(approvalId, 'approve', { by: 'me' });
      return real.line.resume();
    case 'look':
      real.line.approvals.get(approvalId);
  }
};

test('A01 A04 A05 A06 whatever happens in whatever order, the approval follows its model and at most one call goes out', async () => {
  const steps = fc.array(fc.constantFrom<Step>('approve', 'deny', 'wait', 'wait long', 'drift', 'new rule', 'restart', 'look'), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const t = openTestLine();
      const id = t.world.tool({ name: 'write' });
      const asked = await t.line.tryCall({ capabilityId: id, principal: 'user', input: { v: 1 } });
      if (!asked.ok) throw new Error('not asked');
      const real: Real = { t, line: t.line, approvalId: asked.value.approvalId ?? '', runId: asked.value.runId };
      const model: Model = { state: 'pending', age: 0 };
      for (const step of sequence) {
        apply(model, step);
        act(real, step);
        await new Promise((resolve) => setImmediate(resolve));
      }
      apply(model, 'look');
      const end = real.line.approvals.get(real.approvalId);
      expect(end.ok && end.value.state).toBe(model.state);
      // I1, I2: one effect for one consumed approval, none without
      expect(t.world.calls).toHaveLength(model.state === 'consumed' ? 1 : 0);
      // I3, I4
      const call = real.line.get(asked.value.invocationId);
      expect(call.ok && call.value.state).toBe(model.state === 'pending' ? 'awaiting_approval' : model.state === 'consumed' ? 'completed' : 'failed');
      expect(await verifyRun(t.store, real.runId)).toMatchObject({ ok: true, value: { ok: true } });
      await real.line.close();
      t.store.close();
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('A27 a stop between never lets a yes through', async () => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'write' });
  const asked = await t.line.tryCall({ capabilityId: id, principal: 'user', input: { v: 1 } });
  if (!asked.ok) throw new Error('not asked');
  const real: Real = { t, line: t.line, approvalId: asked.value.approvalId ?? '', runId: asked.value.runId };
  act(real, 'stop and resume');
  expect(t.world.calls).toHaveLength(0);
  expect(t.line.approvals.list('pending')).toHaveLength(1);
});
