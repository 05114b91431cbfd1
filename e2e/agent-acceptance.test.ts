import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import type { ScriptedModel } from './fixtures/model/scripted-model.ts';
import type { ModelCall, ModelTurn } from './fixtures/model/turn.ts';
import { AgentPlay } from './support/agent-play.ts';
import type { Scenario } from './support/case-play.ts';
import { resultsIn } from './support/told-results.ts';

const TOOLS = ['table', 'empty', 'error', 'invalid', 'secret', 'changer', 'changes', 'drifts'] as const;
const SECRET = 'canary-value-of-a-header-9f8e7d';
const definition = (transport: string, name: string, more: Record<string, unknown> = {}) => ({ name, description: `${transport} ${name}`, inputSchema: { type: 'object', properties: { v: { type: 'string' } } }, ...(name === 'invalid' ? { outputSchema: { type: 'object', properties: { temp: { type: 'number' } }, required: ['temp'] } } : {}), ...more });
const answers = (transport: string, name: string): readonly unknown[] =>
  ({
    table: [{ reply: { content: [], structuredContent: { rows: [{ city: 'Bern' }, { city: '北京' }] } } }],
    empty: [{ reply: { content: [], structuredContent: { columns: ['city'], rows: [] } } }],
    error: [{ reply: { content: [{ type: 'text', text: `rate limit of 5 exceeded, says ${process.execPath}` }], isError: true } }],
    invalid: [{ reply: { content: [{ type: 'text', text: 'temperature 21' }], structuredContent: { temp: '21' } } }],
    secret: [{ reply: { content: [{ type: 'text', text: `the header is ${SECRET} and that is all` }] } }],
    changer: [{ setTools: TOOLS.map((one) => definition(transport, one, one === 'changes' ? { description: `${transport} changes, described anew` } : {})) }, { notify: { method: 'notifications/tools/list_changed' } }, { reply: { content: [{ type: 'text', text: 'changed' }] } }],
    changes: [{ reply: { content: [{ type: 'text', text: 'as described' }] } }],
    drifts: [{ reply: { content: [{ type: 'text', text: 'never' }] } }],
  })[name]!;
const scenario = (transport: 'stdio' | 'http'): Scenario => ({
  transport,
  tools: TOOLS.map((name) => definition(transport, name)),
  script: TOOLS.map((name) => ({ on: 'tools/call', match: { params: { name } }, do: answers(transport, name) })),
});
const call = (transport: string, name: string): ModelCall => ({ id: `c_${name}`, toolByDescription: `${transport} ${name}`, args: {} });

let play: AgentPlay;
let model: ScriptedModel;
const admit = async (serverId: string): Promise<void> => {
  expect(await play.ask('servers:connect', { serverId })).toMatchObject({ state: 'ready' });
  for (const { id } of (await play.ask('capabilities:list', { serverId })).capabilities) await play.ask('capabilities:review', { capabilityId: id, tier: 'read_only', admit: true });
  await play.ask('access:set', { principal: BUILT_IN_AGENT, serverId, allowed: true });
};
beforeAll(async () => {
  play = new AgentPlay();
  await play.start();
  await play.add('local', scenario('stdio'), { env: { CANARY_ENVIRONMENT_NAME: 'plain-canary-value' } });
  await play.addRemote('remote', scenario('http'));
  // the same endpoint again, with a header
  const { spec } = (await play.ask('servers:get', { serverId: 'remote' })).server;
  await play.ask('servers:remove', { serverId: 'remote' });
  await play.ask('servers:add', { serverId: 'remote', spec, headers: { 'X-Canary-Header': { secret: SECRET } } });
  await admit('local');
  await admit('remote');
});
afterAll(() => play.end());

const asked = async (turns: readonly ModelTurn[], meanwhile: (n: number) => Promise<void> = () => Promise.resolve()) => {
  model = await play.model({ rules: ['anthropic-basic'], turns }, 'anthropic');
  model.meanwhile = meanwhile;
  const { runId } = await play.ask('agent:run', { prompt: 'look at everything', wait: true });
  const { run, events } = await play.ask('runs:get', { runId });
  expect(model.refused).toEqual([]);
  expect([run.state, run.code]).toEqual(['completed', null]);
  return { runId, events };
};

test.each([['stdio', 'local', 'remote', 'http'], ['http', 'remote', 'local', 'stdio']])('AC13 over %s the next request tells a table, an empty one, an error and an invalid result as what they are; what changed is new, drift is refused, and another source serves', async (transport, serverId, other, otherTransport) => {
  const named = (name: string): string => `mcp:${serverId}:tool:${name}`;
  await asked([{ calls: ['table', 'empty', 'error', 'invalid', 'changer'].map((name) => call(transport, name)) }, { calls: [call(transport, 'table')] }, { text: 'done' }]);
  const [table, empty, error, invalid] = resultsIn(model, 1);
  expect(table).toMatchObject({ head: { class: 'ok', source: { server: serverId } }, isError: false });
  expect(table!.text).toContain('{"rows":[{"city":"Bern"},{"city":"北京"}]}');
  expect(empty).toMatchObject({ head: { class: 'ok_empty', fact: expect.stringContaining('not an error') }, isError: false });
  expect(empty!.text).toContain('{"columns":["city"],"rows":[]}');
  expect(error).toMatchObject({ head: { class: 'tool_error', category: expect.any(String), retryable: expect.any(Boolean) }, isError: true });
  expect(invalid!.head).toMatchObject({ class: 'invalid_result', code: 'invalid_result', citable: false });
  // the changed description waits for its review and is in the request after it; the old one is in none
  const shown = (request: number): string => model.accepted[request]!.tools.map(({ description }) => description).join('\n');
  expect(shown(0)).toContain(`${transport} changes`);
  expect(shown(1)).not.toContain(`${transport} changes`);
  await play.ask('capabilities:review', { capabilityId: named('changes'), tier: 'read_only', admit: true });
  await play.ask('access:set', { principal: BUILT_IN_AGENT, capabilityId: named('changes'), allowed: true });
  // within a turn the definition moves away under the model's answer, which is refused; the other source serves in the same turn
  await asked([{ calls: [call(transport, 'drifts'), call(otherTransport, 'table')] }, { text: 'done' }], async (n) => {
    if (n === 1) await play.ask('capabilities:review', { capabilityId: named('drifts'), tier: 'high_write', admit: true });
  });
  expect(shown(0)).toContain('described anew');
  const [drift, served] = resultsIn(model);
  expect(drift!.head).toMatchObject({ class: 'not_sent', code: 'binding_changed' });
  expect(served).toMatchObject({ head: { class: 'ok', source: { server: other } } });
  expect(play.served(serverId).map(({ name }) => name)).not.toContain('drifts');
});

test('AC13 a result over what is kept tells its size, and another source serves on', async () => {
  const maxResultBytes = 16 * 1024 * 1024;
  await play.serve('large', { transport: 'stdio', tools: [{ name: 'huge', description: 'huge result', inputSchema: { type: 'object' } }], script: [{ on: 'tools/call', do: [{ reply: { content: [{ type: 'text', text: `{{fill:x:${maxResultBytes + 1_048_576}}}` }] } }] }] });
  await asked([{ calls: [{ id: 'h', toolByDescription: 'huge result', args: {} }, call('stdio', 'table')] }, { text: 'done' }]);
  const [huge, table] = resultsIn(model);
  expect(huge!.head).toMatchObject({ class: 'too_large', code: 'too_large' });
  expect(table!.head).toMatchObject({ class: 'ok' });
});

test('AC07 no request holds a launch, an address, a header or an environment name; a result is in evidence as it was masked and as it was told', async () => {
  const { events } = await asked([{ calls: [call('http', 'secret'), call('stdio', 'table'), call('stdio', 'error')] }, { text: 'done' }]);
  const { spec } = (await play.ask('servers:get', { serverId: 'remote' })).server as { spec: { url: string } };
  const url = new URL(spec.url);
  for (const { text } of model.accepted) {
    for (const hidden of [process.execPath, 'fake-server.mjs', 'CANARY_ENVIRONMENT_NAME', 'plain-canary-value', 'FAKE_MCP_RECORD', 'X-Canary-Header', 'x-canary-header', SECRET, url.host, url.origin, play.folder]) expect(text).not.toContain(hidden);
  }
  const told = events.filter(({ type }) => type === 'call.told');
  const { invocation } = await play.ask('calls:get', { invocationId: told[0]!.invocationId! });
  expect(invocation.result!.masked).not.toEqual([]);
  expect(JSON.stringify(invocation.result)).not.toContain(SECRET);
  expect(JSON.stringify(events)).not.toContain(SECRET);
  expect(resultsIn(model).filter(({ text }) => text.includes('rate limit of 5 exceeded, says [its configuration]'))).toHaveLength(1);
  // what evidence says was told is what the request carried
  expect(resultsIn(model).map(({ text }) => text)).toEqual(told.map(({ data }) => data['text']));
  // the request on record is the one that was sent
  const recorded = events.filter(({ type }) => type === 'turn.request').map(({ data }) => data['request']);
  expect(recorded).toEqual(model.accepted.map(({ text }) => text));
});
