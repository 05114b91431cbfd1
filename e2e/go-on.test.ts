import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import { ScriptedModel } from './fixtures/model/scripted-model.ts';
import { until } from './support/census.ts';
import { InProcess } from './support/in-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const host = new InProcess();
const note = (id: string, args: Record<string, unknown>) => ({ id, toolByDescription: 'Writes a note', args });
const model = new ScriptedModel({
  rules: ['openai-basic'],
  turns: [
    { calls: [{ id: 'l1', toolByDescription: 'Looks a note up', args: { text: 'found' } }] },
    { calls: [note('n1', { text: 'slow', waitMs: 60_000 }), note('n2', { text: 'never' })] },
    { text: 'went on [r1]' },
    { text: 'later' },
    { text: 'the first words and the rest', half: 'stalls' },
    { text: 'went on again' },
    { text: 'half of what', half: 'stalls' },
  ],
});
const RECORD = join(host.folder, 'record.jsonl');
const sent = (): string[] => readFileSync(RECORD, 'utf8').split('\n').filter((line) => line !== '').map((line) => { const { tool, arguments: args } = JSON.parse(line) as { tool: string; arguments: { text: string } }; return `${tool} ${args.text}`; });

beforeAll(async () => {
  await host.start();
  await host.ask('models:set', { provider: 'openai', baseUrl: await model.start(), model: 'scripted-1' });
  await host.serve('rec', join(import.meta.dirname, 'fixtures', 'recording-server.mjs'), { RECORD_FILE: RECORD });
  for (const { id, name } of (await host.ask('capabilities:list', { serverId: 'rec' })).capabilities) await host.ask('capabilities:review', { capabilityId: id, tier: name === 'look' ? 'read_only' : 'high_write', admit: true });
  await host.ask('access:set', { principal: BUILT_IN_AGENT, serverId: 'rec', allowed: true });
});
afterAll(async () => {
  await model.close();
  await host.end();
});

test('AC24 C090 a question that a restart cut is gone on with once, from the mended history: what was finished, what was not and what is unknown is told, and nothing is sent again', async () => {
  const scope = { servers: ['rec'], capabilities: null, topTier: null };
  const { runId, conversationId } = await host.ask('agent:run', { prompt: 'find it and write it down', scope });
  const waiting = async () => (await host.ask('approvals:list', { state: 'pending' })).approvals;
  await until('both writes wait', async () => (await waiting()).length === 2);
  expect(await host.rpc('agent:goOn', { runId })).toMatchObject({ ok: false, error: { code: 'conflict', details: { state: 'awaiting_approval' } } });
  await host.ask('approvals:decide', { approvalId: (await waiting()).find(({ frozenInput }) => frozenInput.includes('slow'))!.id, decision: 'approve' });
  await until('the slow one is out', () => Promise.resolve(sent().includes('note slow')));
  await host.leaveAsKilled();
  // what waits for a person is decided first
  expect(await host.rpc('agent:goOn', { runId })).toMatchObject({ ok: false, error: { code: 'conflict' } });
  await host.ask('approvals:decide', { approvalId: (await waiting())[0]!.id, decision: 'deny' });
  await until('the run ends', async () => (await host.ask('runs:get', { runId })).run.endedAt !== null);
  expect((await host.ask('runs:get', { runId })).run).toMatchObject({ state: 'failed', code: 'interrupted' });

  const begun = await Promise.all([host.rpc('agent:goOn', { runId, words: '请继续。', wait: true }), host.rpc('agent:goOn', { runId, wait: true })]);
  expect(begun).toMatchObject([{ ok: true, value: { conversationId } }, { ok: false, error: { code: 'conflict', field: expect.any(String) as string } }]);
  const next = begun[0]!.ok ? begun[0]!.value.runId : '';
  const { run, events } = await host.ask('runs:get', { runId: next });
  expect(run).toMatchObject({ state: 'completed', title: '请继续：find it and write it down' });
  expect(events.find(({ type }) => type === 'run.prompt')!.data).toMatchObject({ prompt: '请继续。', scope, goesOn: { runId, asked: 'find it and write it down' } });
  const last = model.accepted.at(-1)!;
  const question = String(last.messages.at(-1)!['content']);
  expect(question).toMatch(/^请继续。\n\n\(Gantry, not a person: [^]*Gantry ended while it was being answered/);
  expect(question).toMatch(/finished; [^\n]*\["rec: look"\]\n[^\n]*nobody knows [^\n]*\["rec: note"\]\n[^\n]*not made; [^\n]*\["rec: note"\]/);
  // the finished result is in the history and may be cited, and each call has exactly one result
  expect(last.text).toContain('look: found');
  expect((await host.ask('conversations:get', { conversationId })).runs.at(-1)?.answer?.citations).toMatchObject({ grounded: ['r1'] });
  expect(sent()).toEqual(['look found', 'note slow']);
  // once it was gone on with, or answered, it is over
  expect(await host.rpc('agent:goOn', { runId })).toMatchObject({ ok: false, error: { code: 'conflict', details: { state: 'passed' } } });
  expect(await host.rpc('agent:goOn', { runId: next })).toMatchObject({ ok: false, error: { code: 'conflict', details: { state: 'completed' } } });
  expect(await host.rpc('agent:goOn', { runId: 'none' })).toMatchObject({ ok: false, error: { code: 'not_found', field: '/runId' } });
  // a later question hears it as it was said
  await host.ask('agent:run', { prompt: 'and?', conversationId, wait: true });
  expect(model.accepted.at(-1)!.text).toContain('nobody knows');
  expect(await host.ask('runs:verify', { runId: next })).toMatchObject({ ok: true });
});

test('AC24 an answer during which Gantry is closed ends as cut off by that, with the words that had come, and not as stopped by a person; it is gone on with', async () => {
  const begins = async (prompt: string) => {
    const told = Promise.withResolvers<void>();
    const unhear = host.host.bus.on('agent:delta', () => told.resolve());
    const begun = await host.ask('agent:run', { prompt });
    await told.promise;
    unhear();
    return begun;
  };
  const { runId, conversationId } = await begins('tell it slowly');
  await host.restart();
  const { run, events } = await host.ask('runs:get', { runId });
  expect(run).toMatchObject({ state: 'failed', code: 'interrupted' });
  expect(events.find(({ type }) => type === 'run.answer')!.data).toMatchObject({ ending: 'stop', code: 'interrupted', text: expect.stringMatching(/^the first/) as string });
  expect((await host.ask('conversations:get', { conversationId })).runs).toMatchObject([{ answer: { ending: 'stop', code: 'interrupted' } }]);
  expect(await host.ask('runs:verify', { runId })).toMatchObject({ ok: true });
  const next = await host.ask('agent:goOn', { runId, wait: true });
  expect((await host.ask('runs:get', { runId: next.runId })).run).toMatchObject({ state: 'completed', title: 'Go on: tell it slowly' });
  expect(String(model.accepted.at(-1)!.messages.at(-1)!['content'])).toContain('Gantry ended while it was being answered');
  // a stop stays the person's, also where Gantry is closed after it
  const stopped = await begins('and again');
  await host.ask('agent:stop', { runId: stopped.runId });
  await host.restart();
  expect((await host.ask('runs:get', { runId: stopped.runId })).run).toMatchObject({ state: 'failed', code: 'cancelled' });
});
