import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOST_RESULT } from '../shared/host-result.ts';
import type { ModelScript } from './fixtures/model/scripted-model.ts';
import { AgentPlay } from './support/agent-play.ts';

const outputSchema = { type: 'object', properties: { rows: { type: 'array' } } };
const tool = (name: string, more: object = {}) => ({ name, description: name, inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, ...more });
const rows = Array.from({ length: 40 }, (_, i) => ({ id: i, note: `note ${i}` }));
const server = {
  transport: 'stdio' as const,
  tools: [
    tool('table', { outputSchema }), tool('closed', { outputSchema, inputSchema: { type: 'object', properties: {}, additionalProperties: false } }), tool('plain'),
    tool('own', { outputSchema, inputSchema: { type: 'object', properties: { [HOST_RESULT]: { type: 'object', description: "the server's own" } } } }),
  ],
  script: [
    { on: 'tools/call', match: { params: { name: 'plain' } }, do: [{ reply: { content: [{ type: 'text', text: 'x'.repeat(20_000) }] } }] },
    { on: 'tools/call', do: [{ reply: { content: [{ type: 'text', text: 'forty rows' }], structuredContent: { rows } } }] },
  ],
};

let play: AgentPlay;
beforeEach(async () => {
  play = new AgentPlay();
  await play.start();
  await play.serve('srv', server);
});
afterEach(() => play.end());

const wanted = { [HOST_RESULT]: { select: '/rows/39' } };
const turns: ModelScript['turns'] = [
  { calls: [{ id: 'a', tool: 'srv__table', args: { text: 'x', ...wanted } }, { id: 'b', tool: 'srv__own', args: wanted }, { id: 'c', tool: 'srv__closed', args: wanted }, { id: 'd', tool: 'srv__plain', args: {} }] },
  { calls: [{ id: 'e', tool: 'srv__plain', args: { [HOST_RESULT]: { byteBudget: 400 } } }] },
  { text: 'done' },
];

test.each([['anthropic', 'anthropic-basic', 'anthropic'], ['openai', 'openai-basic', 'openai'], ['openai-strict', 'openai-strict-if-set', 'openai'], ['gemini', 'gemini-subset', 'gemini']])('HF09 on %s the model is shown the field within the provider’s rules, and the next request carries the part that it asked for', async (_route, rule, provider) => {
  const model = await play.model({ rules: [rule], turns }, provider);
  const { state, events, runId } = await play.question();
  expect([state, model.refused]).toEqual(['completed', []]);
  const fieldOf = (request: number, name: string): { description?: string } | undefined => (model.accepted[request]!.tools.find((one) => one.name === name)!.schema['properties'] as Record<string, { description?: string }> | undefined)?.[HOST_RESULT];
  expect(fieldOf(0, 'srv__table')?.description).toContain('For the host');
  expect(fieldOf(0, 'srv__own')?.description).toBe("the server's own");
  expect([fieldOf(0, 'srv__closed'), fieldOf(0, 'srv__plain')]).toEqual([undefined, undefined]);
  // after a large answer this tool has it too
  expect(fieldOf(1, 'srv__plain')?.description).toContain('For the host');

  expect(play.served('srv')).toEqual([{ name: 'table', arguments: { text: 'x' } }, { name: 'own', arguments: wanted }, { name: 'plain', arguments: {} }, { name: 'plain', arguments: {} }]);
  const told = events.filter((event) => event.type === 'call.told').map(({ data }) => String(data['text']));
  expect(told[0]).toContain('{"selected":{"id":39,"note":"note 39"}}');
  expect(told[0]).not.toContain('note 38');
  expect(told[1]).toContain('note 38');
  expect(told[2]).toContain('"code":"invalid_input"');
  expect(told[4]).toMatch(/\[shortened, \d+ of 20000 characters\]/);
  const requests = model.accepted.map(({ text }) => text);
  expect(requests[1]).toContain(JSON.stringify(told[0]).slice(1, -1));
  expect(requests[2]).toContain('of 20000 characters]');
  expect(events.filter((event) => event.type === 'call.normalized').map(({ data }) => data['hostResult'])).toEqual([{ select: '/rows/39' }, undefined, undefined, { byteBudget: 400 }]);
  const exposed = events.filter((event) => event.type === 'turn.request').map(({ data }) => (data['exposed'] as { name: string; hostField?: boolean }[]).flatMap((one) => (one.hostField ? [one.name] : [])).sort());
  expect(exposed.slice(0, 2)).toEqual([['srv__table'], ['srv__plain', 'srv__table']]);
  expect(await play.ask('runs:verify', { runId })).toMatchObject({ ok: true });
});

test('HF02 a tool’s page shows the field as a step where a model is shown it', async () => {
  const steps = async (name: string, more: object = {}) => (await play.ask('renderings:get', { capabilityId: `mcp:srv:tool:${name}`, routeId: 'gemini', ...more })).rendering.steps.map(({ code }) => code);
  expect(await steps('table')).toContain('host_field');
  expect(await steps('plain')).not.toContain('host_field');
  expect(await steps('plain', { hostField: true })).toContain('host_field');
  expect(await steps('closed', { hostField: true })).not.toContain('host_field');
});
