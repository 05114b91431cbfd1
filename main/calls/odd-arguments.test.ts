import { expect, test } from 'vitest';
import { exportRun } from '../evidence/export-run.ts';
import { verifyRun } from '../evidence/verify-run.ts';
import { openTestLine, World } from './open-test-line.ts';

test('F14 arguments and results with members named like those of every object are carried literally from the text to the export', async () => {
  const t = openTestLine();
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const schema = JSON.parse(`{"type":"object","properties":{${names.map((name) => `"${name}":{"type":"object"}`).join()}},"required":${JSON.stringify(names)},"additionalProperties":false}`);
  const id = t.world.tool({ name: 'write', inputSchema: schema, outputSchema: schema });
  const text = `{"constructor":{"prototype":{"polluted":1}},"__proto__":{"polluted":{"__proto__":2}},"toString":{},"hasOwnProperty":{}}`;
  const canonical = `{"__proto__":{"polluted":{"__proto__":2}},"constructor":{"prototype":{"polluted":1}},"hasOwnProperty":{},"toString":{}}`;
  t.world.answer = () => World.result({ content: [], structuredContent: JSON.parse(text) });
  for (const input of [{ inputText: text }, { input: JSON.parse(text) }]) {
    const asked = await t.line.tryCall({ capabilityId: id, principal: 'user', ...input });
    if (!asked.ok || asked.value.approvalId === undefined) throw new Error(JSON.stringify(asked));
    const approval = t.line.approvals.get(asked.value.approvalId);
    expect(approval).toMatchObject({ ok: true, value: { frozenInput: canonical } });
    t.line.approvals.decide(asked.value.approvalId, 'approve', { by: 'me' });
    await expect.poll(() => t.line.runningCount()).toBe(0);
    expect(t.world.calls.at(-1)?.frozenArguments).toBe(canonical);
    const whole = t.line.wholeResult(asked.value.invocationId);
    expect(whole.ok && JSON.stringify(whole.value.structuredContent)).toContain('"__proto__":{"polluted":{"__proto__":2}}');
    const exported = exportRun(t.store, asked.value.runId);
    expect(exported.ok && exported.value.text).toContain('__proto__');
    expect(await verifyRun(t.store, asked.value.runId)).toMatchObject({ ok: true, value: { ok: true } });
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
