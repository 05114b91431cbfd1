import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import { ScriptedModel } from './fixtures/model/scripted-model.ts';
import { until } from './support/census.ts';
import { InProcess } from './support/in-process.ts';

const host = new InProcess();
const model = new ScriptedModel({ rules: ['openai-basic'], turns: [{ text: 'done' }, { calls: [{ id: 't1', toolByDescription: 'Writes a note', args: { text: 'a' } }] }, { text: 'later' }, { text: 'later' }, { calls: [{ id: 't2', toolByDescription: 'Writes a note', args: { text: 'b' } }] }] });
beforeAll(async () => {
  await host.start();
  await host.ask('models:set', { provider: 'openai', baseUrl: await model.start(), model: 'scripted-1' });
});
afterAll(async () => {
  await model.close();
  await host.end();
});

test('AC18 a run whose question cannot be written ends at once, and asks no model', async () => {
  const other = new Database(join(host.folder, 'data', 'gantry.db'));
  other.exec("CREATE TRIGGER refuses BEFORE INSERT ON agent_runs BEGIN SELECT RAISE(ABORT, 'no'); END");
  const refused = await host.rpc('agent:run', { prompt: 'look', wait: true });
  other.exec('DROP TRIGGER refuses');
  other.close();
  expect(refused).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect((await host.ask('runs:list', {})).runs).toMatchObject([{ kind: 'agent', state: 'failed', code: 'internal' }]);
  expect(model.accepted).toEqual([]);
  expect(await host.ask('agent:run', { prompt: 'look again', wait: true })).toMatchObject({ runId: expect.any(String) as string });
});

test('AC18 AP15 AC04 a run that a restart left with a waiting call ends with that call; a later question hears that it waits, and then what became of it, like of any', async () => {
  await host.serve('rec', join(import.meta.dirname, 'fixtures', 'recording-server.mjs'), { RECORD_FILE: join(host.folder, 'record.jsonl') });
  for (const { id } of (await host.ask('capabilities:list', { serverId: 'rec' })).capabilities) await host.ask('capabilities:review', { capabilityId: id, tier: 'high_write', admit: true });
  await host.ask('access:set', { principal: BUILT_IN_AGENT, serverId: 'rec', allowed: true });
  const { runId, conversationId } = await host.ask('agent:run', { prompt: 'write' });
  const hears = async (): Promise<string> => {
    await host.ask('agent:run', { prompt: 'and?', conversationId, wait: true });
    return model.accepted.at(-1)!.text;
  };
  const waiting = async () => (await host.ask('approvals:list', { state: 'pending' })).approvals;
  await until('the call waits', async () => (await waiting()).length === 1);
  expect((await waiting())[0]).not.toHaveProperty('runLeft');
  await host.leaveAsKilled();
  expect((await host.ask('runs:get', { runId })).run).toMatchObject({ state: 'awaiting_approval', endedAt: null });
  // whoever decides is told that nobody goes on with the result
  expect((await waiting())[0]).toMatchObject({ runId, runLeft: true });
  expect(await hears()).toMatch(/awaiting_approval[^}]*still waits for a person/);
  await host.ask('approvals:decide', { approvalId: (await waiting())[0]!.id, decision: 'deny' });
  await until('the run ends', async () => (await host.ask('runs:get', { runId })).run.endedAt !== null);
  expect((await host.ask('runs:get', { runId })).run).toMatchObject({ state: 'failed', code: 'interrupted' });
  expect(await host.ask('runs:verify', { runId })).toMatchObject({ ok: true });
  expect(await hears()).toMatch(/not_sent[^}]*denied[^}]*taken from the record[^}]*"server\\":\\"rec/);
});

test('AC21 Stop all ends a run that waits for a person, and no question is taken until it is resumed', async () => {
  expect(await host.ask('servers:connect', { serverId: 'rec' })).toMatchObject({ state: 'ready' });
  const { runId } = await host.ask('agent:run', { prompt: 'write' });
  const waiting = async () => (await host.ask('approvals:list', { state: 'pending' })).approvals;
  await until('the call waits', async () => (await waiting()).length === 1);
  await host.ask('calls:stopAll', {});
  await until('the run ends', async () => (await host.ask('runs:get', { runId })).run.endedAt !== null);
  expect((await host.ask('runs:get', { runId })).run).toMatchObject({ state: 'failed', code: 'cancelled' });
  expect(await waiting()).toEqual([]);
  const asked = model.accepted.length;
  expect(await host.rpc('agent:run', { prompt: 'write again', wait: true })).toMatchObject({ ok: false, error: { code: 'stopped' } });
  expect(model.accepted).toHaveLength(asked);
  await host.ask('calls:resume', {});
  expect(await host.ask('agent:run', { prompt: 'look' })).toMatchObject({ runId: expect.any(String) as string });
  expect(await host.ask('runs:verify', { runId })).toMatchObject({ ok: true });
});
