import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import type { EvidenceEvent } from '../shared/run.ts';
import { FallibleEndpoint } from './fixtures/fallible-endpoint.ts';
import { AgentPlay } from './support/agent-play.ts';
import { until } from './support/census.ts';

let play: AgentPlay;
let far: FallibleEndpoint;
const GOOD = { transport: 'stdio', tools: [{ name: 'echo', description: 'the good tool', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }] } as const;

beforeEach(async () => {
  far = new FallibleEndpoint([{ name: 'ask', description: 'the far tool' }]);
  await far.up();
  play = new AgentPlay();
  await play.start();
});
afterEach(async () => {
  await play.end();
  await far.down();
});

/** The far endpoint as a server whose tools the agent may use. */
const serveFar = async (serverId = 'far'): Promise<void> => {
  await play.ask('servers:add', { serverId, spec: { kind: 'http', url: far.url } });
  expect(await play.ask('servers:connect', { serverId })).toEqual({ state: 'ready' });
  for (const { id } of (await play.ask('capabilities:list', { serverId })).capabilities) await play.ask('capabilities:review', { capabilityId: id, tier: 'read_only', admit: true });
  await play.ask('access:set', { principal: BUILT_IN_AGENT, serverId, allowed: true });
};
/** The call has met the closed port. */
const noticed = (): Promise<void> => until('the host noticed', async () => (await play.server('far')).state !== 'ready');
const FAR = { id: 'f1', toolByDescription: 'the far tool', args: { text: 'a' } };
const NEAR = { id: 'g1', toolByDescription: 'the good tool', args: { text: 'b' } };
const freshLosses = (events: readonly EvidenceEvent[], turn: number): string[] => {
  const request = events.filter((event) => event.type === 'turn.request')[turn - 1]!;
  const stages = request.data['funnel'] as { stage: string; lost: { capabilityId: string; reason: string }[] }[];
  return stages.find(({ stage }) => stage === 'fresh_healthy')!.lost.map(({ reason }) => reason);
};
const results = (messages: readonly Record<string, unknown>[]): string[] => messages.filter((message) => message['role'] === 'tool').map((message) => String(message['content']));

test('RC05 RC06 RC02 after a confirmed failure a run uses the source no more, also when it is back; the model is told, others serve, another run uses it', async () => {
  await play.serve('good', GOOD);
  await serveFar();
  const model = await play.model({ rules: ['openai-basic'], turns: [{ calls: [FAR, { ...FAR, id: 'f2' }, NEAR] }, { calls: [{ ...NEAR, id: 'g2' }] }, { text: 'done' }] }, 'openai');
  model.meanwhile = async (n) => {
    if (n === 1) await far.down();
    if (n !== 2) return;
    await far.up();
    expect(await play.ask('servers:connect', { serverId: 'far' })).toEqual({ state: 'ready' });
  };
  const { runId, state, events } = await play.question();
  expect(state).toBe('completed');
  expect(far.calls).toBe(0);
  expect(play.served('good')).toHaveLength(2);

  const [first, second, near] = results(model.accepted[1]!.messages);
  for (const said of [first!, second!]) expect(said).toMatch(/"class":"unavailable"[\s\S]*not called/);
  expect(second).toMatch(/could not be reached/);
  expect(near).toMatch(/"class":"ok"/);
  expect(near).toMatch(/\(Gantry, not a tool: the source "far" failed and did not come back/);
  const { spec } = (await play.ask('servers:get', { serverId: 'far' })).server as { spec: { url: string } };
  for (const { text } of model.accepted) expect(text).not.toContain(new URL(spec.url).host);
  expect(model.accepted.map((request) => request.tools.map((tool) => tool.description).sort())).toEqual([['the far tool', 'the good tool'], ['the good tool'], ['the good tool']]);
  expect(freshLosses(events, 2)).toEqual(['isolated_in_run: connection_failed']);
  expect(freshLosses(events, 3)).toEqual(['isolated_though_back: connection_failed']);

  const of = (type: string): EvidenceEvent[] => events.filter((event) => event.type === type);
  expect(of('call.recovery')[0]!.data).toMatchObject({ cause: 'not_reached', outcome: 'failed', sentAgain: false, waitMs: expect.any(Number) });
  expect(of('source.retry').map(({ data }) => [data['cause'], data['outcome']])).toContainEqual(['connection_failed', 'failed']);
  expect(of('source.isolated')).toHaveLength(1);
  expect(of('source.returned')[0]!.data).toMatchObject({ serverId: 'far', isolated: true });
  expect(await play.ask('runs:verify', { runId })).toMatchObject({ ok: true });

  const again = await play.model({ rules: ['openai-basic'], turns: [{ calls: [FAR] }, { text: 'done' }] }, 'openai');
  await play.question('a second question');
  expect(results(again.accepted[1]!.messages)[0]).toContain('answer of ask');
});

test('RC08 RC05 a source that comes back within its tries stays in the run: the next turn waits for it and shows its tools', async () => {
  await serveFar();
  const model = await play.model({ rules: ['openai-basic'], turns: [{ calls: [FAR] }, { calls: [{ ...FAR, id: 'f2' }] }, { text: 'done' }] }, 'openai');
  model.meanwhile = async (n) => {
    if (n !== 1) return;
    await far.down();
    void noticed().then(() => far.up());
  };
  const { events } = await play.question();
  expect(results(model.accepted[2]!.messages).map((text) => text.includes('answer of ask'))).toEqual([true, true]);
  expect(far.calls).toBe(2);
  expect(events.find((event) => event.type === 'call.recovery')!.data).toMatchObject({ outcome: 'recovered', sentAgain: true });
  expect(events.find((event) => event.type === 'source.retry')!.data).toMatchObject({ cause: 'connection_failed', outcome: 'recovered', waitMs: expect.any(Number) });
  expect(events.some((event) => event.type === 'source.isolated')).toBe(false);
});

test('RC07 a recovered connection is admitted anew and gains nothing: a changed tool and a new one wait for review, an unchanged one keeps its grant', async () => {
  far.tools = [{ name: 'same', description: 'stays' }, { name: 'moves', description: 'reads' }];
  await serveFar();
  await far.down();
  const calling = play.ask('calls:try', { capabilityId: 'mcp:far:tool:same', input: {}, wait: true });
  await noticed();
  far.tools = [{ name: 'same', description: 'stays' }, { name: 'moves', description: 'reads, and now sends' }, { name: 'added', description: 'the third' }];
  await far.up();
  expect(await calling).toMatchObject({ state: 'completed', class: 'ok' });
  const stands = async (name: string) => (await play.ask('capabilities:get', { capabilityId: `mcp:far:tool:${name}` })).capability;
  expect(await stands('same')).toMatchObject({ admitted: true, needsReview: false, grantedTo: [BUILT_IN_AGENT] });
  for (const name of ['moves', 'added']) expect(await stands(name)).toMatchObject({ admitted: false, needsReview: true, grantedTo: [] });
  const { stages } = await play.ask('funnel:get', { principal: BUILT_IN_AGENT, serverId: 'far' });
  expect(stages.find(({ stage }) => stage === 'fresh_healthy')!.capabilityIds).toEqual(['mcp:far:tool:same']);
});

test('RC09 two required servers ready and one optional unavailable is ready, and the full status says unavailable; a required one that fails is not', async () => {
  await play.add('one', GOOD);
  await play.add('two', GOOD);
  await serveFar();
  expect((await play.server('one')).required).toBe(false);
  for (const serverId of ['one', 'two']) await play.ask('servers:update', { serverId, required: true });
  for (const serverId of ['one', 'two']) expect(await play.ask('servers:connect', { serverId })).toEqual({ state: 'ready' });
  await far.down();
  await play.rpc('calls:try', { capabilityId: 'mcp:far:tool:ask', input: {}, wait: true });
  await until('its circuit is open', async () => (await play.server('far')).circuit.state !== 'closed');
  expect(await play.ask('health:ready', {})).toEqual({ ready: true });
  const status = await play.ask('health:status', {});
  expect(status).toMatchObject({ ready: true, servers: { total: 3, ready: 2 }, required: [{ serverId: 'one', state: 'ready' }, { serverId: 'two', state: 'ready' }] });
  const detail = status.serversDetail.find(({ serverId }) => serverId === 'far')!;
  expect(detail).toMatchObject({ required: false, circuit: expect.stringMatching(/open/) });
  await until('the full status says unavailable', async () => (await play.ask('health:status', {})).serversDetail.find(({ serverId }) => serverId === 'far')!.state === 'unavailable');
  await play.ask('servers:update', { serverId: 'far', required: true });
  await until('Gantry is not ready', async () => !(await play.ask('health:ready', {})).ready);
  await far.up();
  expect(await play.ask('servers:connect', { serverId: 'far' })).toEqual({ state: 'ready' });
  await until('Gantry is ready', async () => (await play.ask('health:ready', {})).ready);
});

test('RC03 the circuit is told with the server and in the funnel, by the code that calls use; a person’s retry resets it', async () => {
  await serveFar();
  await far.down();
  await play.rpc('calls:try', { capabilityId: 'mcp:far:tool:ask', input: {}, wait: true });
  await until('its circuit is open', async () => (await play.server('far')).circuit.state === 'open');
  const { circuit, facts } = await play.server('far');
  expect(circuit).toMatchObject({ code: 'connection_failed', message: expect.stringContaining('could not be reached'), until: expect.any(Number) });
  expect(facts.filter(({ step }) => step === 'retry').length).toBeGreaterThanOrEqual(2);
  const { stages } = await play.ask('funnel:get', { principal: BUILT_IN_AGENT, serverId: 'far' });
  expect(stages.find(({ stage }) => stage === 'fresh_healthy')!.lost[0]!.reason).toMatch(/^circuit_(open|half_open): connection_failed$/);
  expect(await play.ask('calls:try', { capabilityId: 'mcp:far:tool:ask', input: {}, wait: true })).toMatchObject({ state: 'failed', class: 'unavailable', fault: { message: expect.stringMatching(/failed several times in a row/) } });
  await far.up();
  expect(await play.ask('servers:connect', { serverId: 'far' })).toEqual({ state: 'ready' });
  expect((await play.server('far')).circuit).toEqual({ state: 'closed', failures: 0 });
});
