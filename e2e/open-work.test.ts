import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgentPlay } from './support/agent-play.ts';
import type { Scenario } from './support/case-play.ts';
import { resultsIn } from './support/told-results.ts';

const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: 'object', properties: { job_id: { type: 'string' }, q: { type: 'string' } } } });
const said = (structuredContent: unknown) => ({ reply: { content: [], structuredContent } });
const JOBS: Scenario = {
  transport: 'stdio',
  tools: [tool('start_a', 'starts job a'), tool('start_b', 'starts job b'), tool('ask', 'asks for a job'), tool('search', 'search of jobs')],
  script: [
    { on: 'tools/call', match: { params: { name: 'start_a' } }, do: [said({ status: 'queued', job_id: 'job-a' })] },
    { on: 'tools/call', match: { params: { name: 'start_b' } }, do: [said({ status: 'queued', job_id: 'job-b' })] },
    { on: 'tools/call', match: { params: { name: 'ask', arguments: { job_id: 'job-a' } } }, times: 1, do: [said({ status: 'running', job_id: 'job-a' })] },
    { on: 'tools/call', match: { params: { name: 'ask', arguments: { job_id: 'job-a' } } }, do: [said({ status: 'done', job_id: 'job-a', rows: [1] })] },
    { on: 'tools/call', match: { params: { name: 'ask' } }, do: [said({ status: 'processing', job_id: 'job-b' })] },
    { on: 'tools/call', match: { params: { name: 'search' } }, do: [{ reply: { content: [{ type: 'text', text: 'Error: index is gone' }], isError: true } }] },
  ],
};
const OTHER: Scenario = { transport: 'stdio', tools: [tool('search', 'search elsewhere'), tool('find', 'finds elsewhere')], script: [{ on: 'tools/call', do: [{ reply: { content: [{ type: 'text', text: 'found' }] } }] }] };

let play: AgentPlay;
beforeEach(async () => {
  play = new AgentPlay();
  await play.start();
  await play.serve('jobs', JOBS);
  await play.serve('other', OTHER);
});
afterEach(() => play.end());

const ask = (id: string, job: string) => ({ id, toolByDescription: 'asks for a job', args: { job_id: job } });

test('RS33 what a server goes on with is followed by the run: ended by its answer, and told as not done where the run ends first', async () => {
  const model = await play.model({
    rules: ['anthropic-basic'],
    turns: [
      { calls: [{ id: 'a', toolByDescription: 'starts job a', args: {} }, { id: 'b', toolByDescription: 'starts job b', args: {} }] },
      { calls: [ask('a1', 'job-a'), ask('b1', 'job-b')] },
      { calls: [ask('a2', 'job-a')] },
      { text: 'a is done' },
    ],
  }, 'anthropic');
  const { runId, state } = await play.question();
  expect(state).toBe('completed');
  expect(resultsIn(model).map(({ head }) => head['class'])).toEqual(['pending', 'pending', 'pending', 'pending', 'ok']);
  const { events } = await play.ask('runs:get', { runId });
  const work = events.filter(({ type }) => type.startsWith('work.'));
  expect(work.map(({ type, data }) => [type, data['serverId'], data['named'], data['said']])).toEqual([
    ['work.ended', 'jobs', 'job_id job-a', 'running'],
    ['work.open', 'jobs', 'job_id job-b', 'processing'],
  ]);
  expect(await play.ask('runs:verify', { runId })).toMatchObject({ ok: true });
});

test('RS34 where a read failed at its source, other tools of the request that do the same are named; where it may have had an effect, none is', async () => {
  const search = { id: 's1', toolByDescription: 'search of jobs', args: { q: 'x' } };
  const turns = [{ calls: [search] }, { text: 'done' }];
  const first = await play.model({ rules: ['anthropic-basic'], turns }, 'anthropic');
  await play.question();
  expect(resultsIn(first)[0]).toMatchObject({ head: { class: 'tool_error', alternatives: ['other__search'] } });
  // of the same purpose, by review; and not what is switched off
  await play.ask('capabilities:review', { capabilityId: 'mcp:jobs:tool:search', tier: 'read_only', admit: true, purpose: 'looks things up' });
  await play.ask('capabilities:review', { capabilityId: 'mcp:other:tool:find', tier: 'read_only', admit: true, purpose: 'Looks things up' });
  await play.ask('access:set', { principal: 'agent:default', capabilityId: 'mcp:other:tool:search', allowed: false });
  const second = await play.model({ rules: ['anthropic-basic'], turns }, 'anthropic');
  await play.question();
  expect(resultsIn(second)[0]).toMatchObject({ head: { class: 'tool_error', alternatives: ['other__find'] } });
  await play.ask('capabilities:review', { capabilityId: 'mcp:jobs:tool:search', tier: 'low_write', admit: true, purpose: 'looks things up' });
  const third = await play.model({ rules: ['anthropic-basic'], turns }, 'anthropic');
  await play.question();
  expect(resultsIn(third)[0]!.head).toMatchObject({ class: 'tool_error', mayHaveRun: true });
  expect(resultsIn(third)[0]!.head).not.toHaveProperty('alternatives');
});
