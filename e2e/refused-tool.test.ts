import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import { AgentPlay } from './support/agent-play.ts';
import type { Scenario } from './support/case-play.ts';

let play: AgentPlay;
beforeEach(async () => {
  play = new AgentPlay();
  await play.start();
});
afterEach(() => play.end());

const tools = (bad: object): Scenario => ({ transport: 'stdio', script: [], tools: [...['one', 'two', 'three', 'four', 'five'].map((name) => ({ name, description: `tool ${name}`, inputSchema: { type: 'object', properties: { text: { type: 'string' } } } })), { name: 'bad', description: 'tool bad', inputSchema: bad }] });
const funnelLoss = async (route: string) => {
  const funnel = await play.ask('funnel:get', { principal: BUILT_IN_AGENT, route });
  return funnel.stages.find(({ stage }) => stage === 'fits_route')!.lost.map(({ capabilityId, reason }) => [capabilityId, reason]);
};

test('RT33 a tool that the provider refuses is found, left out and remembered; the run goes on; a changed definition or model is tried anew', async () => {
  await play.serve('srv', tools({ type: 'object', properties: { marker: { type: 'string' } } }));
  const turns = [{ text: 'thinking' }];
  const model = await play.model({ rules: ['openai-basic'], turns }, 'openai', 'm-1');
  // an endpoint that refuses without saying why, whatever the form
  model.alsoRefuses = ({ tools: shown }) => (shown.some((tool) => tool.name === 'srv__bad') ? 'Bad Request' : null);
  const first = await play.question();
  expect(first.state).toBe('completed');
  expect(model.accepted.at(-1)!.tools.map((tool) => tool.name)).toHaveLength(5);
  const aside = first.events.find((event) => event.type === 'tool.set_aside')!;
  expect(aside.data).toMatchObject({ tool: 'srv__bad', capabilityId: 'mcp:srv:tool:bad', route: 'openai-chat', model: 'm-1', status: 400 });
  expect(String(aside.data['providerSays'])).toContain('Bad Request');
  expect(await funnelLoss('openai')).toEqual([['mcp:srv:tool:bad', 'set_aside: m-1']]);
  expect((await play.ask('renderings:get', { capabilityId: 'mcp:srv:tool:bad' })).rendering).toMatchObject({ state: 'left_out', setAside: { model: 'm-1', status: 400, runId: first.runId } });

  // from now on it costs nothing: one request, without it
  const before = model.refused.length;
  await play.question();
  expect(model.refused.length).toBe(before);

  // tried again by a person, the refusal is found anew
  expect(await play.ask('renderings:tryAgain', { capabilityId: 'mcp:srv:tool:bad', routeId: 'openai-chat' })).toEqual({ forgotten: 1 });
  await play.question();
  expect(model.refused.length).toBeGreaterThan(before);

  // another model is asked with all of them
  const other = await play.model({ rules: ['openai-basic'], turns }, 'openai', 'm-2');
  await play.question();
  expect(other.accepted[0]!.tools.map((tool) => tool.name)).toContain('srv__bad');
  expect(await funnelLoss('openai')).toEqual([]);
});

test('RT31 where the provider takes plain words the tool stays, and its answers are taken back into what the server declares', async () => {
  await play.serve('srv', tools({ type: 'object', properties: { level: { type: 'integer', enum: [1, 2] } }, required: ['level'] }));
  // a router that calls itself something else than what stands behind it
  const model = await play.model({ rules: ['gemini-subset'], turns: [{ calls: [{ id: 't1', toolByDescription: 'tool bad', args: { level: '2' } }] }, { text: 'done' }] }, 'openai', 'm-1');
  const run = await play.question();
  expect(run.events.find((event) => event.type === 'tool.in_plain_words')?.data).toMatchObject({ tool: 'srv__bad' });
  expect(model.accepted[0]!.tools).toHaveLength(6);
  expect(play.served('srv')).toEqual([{ name: 'bad', arguments: { level: 2 } }]);
});
