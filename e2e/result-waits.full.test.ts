import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentPlay } from './support/agent-play.ts';
import type { Scenario } from './support/case-play.ts';
import { until } from './support/census.ts';
import { resultsIn } from './support/told-results.ts';

vi.setConfig({ testTimeout: 400_000 });

const SERVER: Scenario = {
  transport: 'stdio',
  tools: ['silent', 'asks'].map((name) => ({ name, description: `tool ${name}`, inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } })),
  script: [{ on: 'tools/call', match: { params: { name: 'silent' } }, do: [{ record: 'never answers' }] }],
};

let play: AgentPlay;
beforeEach(async () => {
  play = new AgentPlay();
  await play.start();
  await play.serve('srv', SERVER);
  await play.ask('capabilities:review', { capabilityId: 'mcp:srv:tool:asks', tier: 'high_write', admit: true });
});
afterEach(() => play.end());

const call = (name: string, n: number) => ({ id: `c${n}`, toolByDescription: `tool ${name}`, args: { n } });

test('RS02 timeout: no answer is told as such, with whether it may have happened', async () => {
  const model = await play.model({ rules: ['anthropic-basic'], turns: [{ calls: [call('silent', 1)] }, { text: 'done' }] }, 'anthropic');
  const { runId } = await play.ask('agent:run', { prompt: 'wait for it' });
  await until('the run ends', async () => (await play.ask('runs:get', { runId })).run.state === 'completed', 300_000);
  expect(resultsIn(model)[0]).toMatchObject({ isError: true, body: null, head: { class: 'timeout', code: 'timeout', mayHaveRun: true, remedy: expect.any(String) } });
});

test('RS02 approval_expired: nobody decided, nothing was sent, and that is told', async () => {
  await play.ask('settings:set', { approvalExpiryMinutes: 1 });
  const model = await play.model({ rules: ['anthropic-basic'], turns: [{ calls: [call('asks', 1)] }, { text: 'done' }] }, 'anthropic');
  const { runId } = await play.ask('agent:run', { prompt: 'ask me' });
  await until('the run ends', async () => (await play.ask('runs:get', { runId })).run.state === 'completed', 180_000);
  expect(resultsIn(model)[0]).toMatchObject({ isError: true, body: null, head: { class: 'not_sent', code: 'approval_expired', mayHaveRun: false } });
  expect(play.served('srv')).toEqual([]);
});

test('RS02 rate_limited: the sixty-first question of a run is not asked, and that is told', async () => {
  const model = await play.model({ rules: ['anthropic-basic'], turns: [{ calls: Array.from({ length: 61 }, (_, n) => call('asks', n)) }, { text: 'done' }] }, 'anthropic');
  const { runId } = await play.ask('agent:run', { prompt: 'ask me often' });
  await until('the run ends', async () => {
    for (const { id } of (await play.ask('approvals:list', { state: 'pending' })).approvals) await play.ask('approvals:decide', { approvalId: id, decision: 'approve' });
    return (await play.ask('runs:get', { runId })).run.state === 'completed';
  }, 300_000);
  const results = resultsIn(model);
  expect(results[59]).toMatchObject({ isError: false, head: { class: 'ok' } });
  expect(results[60]).toMatchObject({ isError: true, head: { class: 'not_sent', code: 'rate_limited', mayHaveRun: false } });
});
