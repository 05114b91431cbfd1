import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import type { ModelTurn } from './fixtures/model/turn.ts';
import { AgentPlay } from './support/agent-play.ts';
import { until } from './support/census.ts';

const tool = (name: string, description = `${name} as it was`) => ({ name, description, inputSchema: { type: 'object', properties: { text: { type: 'string' } } } });
const CHANGED = { notify: { method: 'notifications/tools/list_changed' } };
/** A server whose `move` changes what it offers, announces it and answers. */
const moving = (tools: readonly object[], after: readonly object[]) => ({
  transport: 'stdio' as const, tools: [...tools, tool('move')],
  script: [{ on: 'tools/call', match: { params: { name: 'move' } }, do: [{ setTools: [...after, tool('move')] }, CHANGED, { reply: { content: [{ type: 'text', text: 'moved' }] } }] }],
});
const still = (tools: readonly object[]) => moving(tools, tools);
const calls = (...names: readonly string[]): ModelTurn => ({ calls: names.map((name, i) => ({ id: `call_${i}_${name}`, tool: name, args: {} })) });

let play: AgentPlay;
beforeEach(async () => {
  play = new AgentPlay();
  await play.start();
});
afterEach(() => play.end());

/** Runs the turns; what `meanwhile` does happens between the first request and its reply. The requests as they left, and what the model was told of each call. */
const run = async (turns: readonly ModelTurn[], meanwhile: () => Promise<unknown>) => {
  const model = await play.model({ rules: ['openai-basic'], turns }, 'openai');
  model.meanwhile = async (n) => void (n === 1 && (await meanwhile()));
  const { runId } = await play.ask('agent:run', { prompt: 'go on', wait: true });
  const { run: ended, events } = await play.ask('runs:get', { runId });
  expect(await play.ask('runs:verify', { runId })).toMatchObject({ ok: true });
  const requests = model.accepted;
  const told = (request: number, callId: string): string => String(requests[request]!.messages.find((message) => message['tool_call_id'] === callId)?.['content']);
  const shown = (request: number): Record<string, string> => Object.fromEntries(requests[request]!.tools.map(({ name, description }) => [name, description]));
  return { runId, ended, events, told, shown };
};
/** A person has the servers move, and what they offer then is read. */
const move = async (...servers: readonly (readonly [serverId: string, isRead: (tool: { readonly name: string; readonly description?: string | undefined; readonly available: boolean }) => boolean])[]): Promise<void> => {
  for (const [serverId, isRead] of servers) {
    expect(await play.ask('calls:try', { capabilityId: `mcp:${serverId}:tool:move`, input: {}, wait: true })).toMatchObject({ class: 'ok' });
    await until('the list is read anew', async () => (await play.ask('capabilities:list', { serverId })).capabilities.some(isRead), 60_000);
  }
};
const isNow = ({ description }: { readonly description?: string | undefined }): boolean => description === 'note as it is now';
const served = (serverId: string): string[] => play.served(serverId).map(({ name }) => name);

test('BD07 S15 a definition that drifts within a turn is refused with class, fact and remedy; the next request shows the new one, and a call of that is made', async () => {
  await play.serve('srv', moving([tool('note')], [tool('note', 'note as it is now')]));
  const { told, shown, ended, events } = await run([calls('srv__note'), calls('srv__note'), { text: 'done' }], async () => {
    await move(['srv', isNow]);
    await play.ask('capabilities:review', { capabilityId: 'mcp:srv:tool:note', tier: 'read_only', admit: true });
    await play.ask('access:set', { principal: BUILT_IN_AGENT, capabilityId: 'mcp:srv:tool:note', allowed: true });
  });
  expect(ended.state).toBe('completed');
  expect(shown(0)).toMatchObject({ srv__note: 'note as it was' });
  const [head] = told(1, 'call_0_srv__note').split('\n');
  expect(JSON.parse(head!)).toMatchObject({ class: 'not_sent', code: 'binding_changed', fact: expect.stringContaining('its definition changed (description)'), remedy: expect.stringContaining('next request shows') });
  expect(shown(1)).toMatchObject({ srv__note: 'note as it is now' });
  expect(served('srv')).toEqual(['move', 'note']);
  // the turn, its name and its binding stand beside each call
  const refused = events.find((event) => event.type === 'call.refused')!;
  const bindings = events.filter((event) => event.type === 'turn.request').map(({ data }) => (data['exposed'] as { name: string; bindingFingerprint: string }[]).find((one) => one.name === 'srv__note')!.bindingFingerprint);
  expect(refused.data).toMatchObject({ code: 'binding_changed', shown: { turn: 1, name: 'srv__note', callId: 'call_0_srv__note', bindingFingerprint: bindings[0] } });
  expect(bindings[1]).not.toBe(bindings[0]);
  const planned = events.find((event) => event.type === 'call.planned' && event.data['capabilityId'] === 'mcp:srv:tool:note')!;
  expect(planned.data).toMatchObject({ bindingFingerprint: bindings[1], shown: { turn: 2, bindingFingerprint: bindings[1] } });
});

test('BD07 a changed definition that nobody has reviewed is in no further request', async () => {
  await play.serve('srv', moving([tool('note')], [tool('note', 'note as it is now')]));
  const { told, shown, events } = await run([calls('srv__note'), calls('srv__note'), { text: 'done' }], () => move(['srv', isNow]));
  expect(told(1, 'call_0_srv__note')).toMatch(/"remedy":"[^"]*review/);
  expect(Object.keys(shown(1)).sort()).toEqual(['srv__move']);
  expect(events.filter((event) => event.type === 'call.refused').map(({ data }) => data['code'])).toEqual(['binding_changed', 'binding_changed']);
  expect(served('srv')).toEqual(['move']);
});

test('BD05 two servers that swap their tools within a turn are called for neither, and no like-named tool of another steps in', async () => {
  await play.serve('a', moving([tool('read')], [tool('fetch')]));
  await play.serve('b', moving([tool('fetch')], [tool('read')]));
  const { told, shown } = await run([calls('a__read', 'b__fetch'), { text: 'done' }], async () => {
    await move(['a', ({ name, available }) => name === 'fetch' && available], ['b', ({ name, available }) => name === 'read' && available]);
    for (const id of ['mcp:a:tool:fetch', 'mcp:b:tool:read']) {
      await play.ask('capabilities:review', { capabilityId: id, tier: 'read_only', admit: true });
      await play.ask('access:set', { principal: BUILT_IN_AGENT, capabilityId: id, allowed: true });
    }
  });
  for (const callId of ['call_0_a__read', 'call_1_b__fetch']) expect(told(1, callId)).toContain('"code":"binding_changed","fact":"The tool is not what this turn was shown: its server does not offer it any more.');
  expect(Object.keys(shown(1)).filter((name) => name.startsWith('a__') || name.startsWith('b__')).sort()).toEqual(['a__fetch', 'a__move', 'b__move', 'b__read']);
  expect([served('a'), served('b')]).toEqual([['move'], ['move']]);
});

test('BD02 a server that is started another way within a turn is not called by the old binding; the next request binds to the new', async () => {
  await play.serve('srv', still([tool('note')]));
  const { told, events } = await run([calls('srv__note'), calls('srv__note'), { text: 'done' }], async () => {
    await play.ask('servers:update', { serverId: 'srv', env: { EXTRA: 'another' }, consent: true });
    await play.becomes('srv', 'ready');
  });
  expect(told(1, 'call_0_srv__note')).toContain('what its server runs, or the address, changed');
  const launches = events.filter((event) => event.type === 'turn.request').map(({ data }) => (data['sources'] as Record<string, { launchFingerprint: string }>)['srv']!.launchFingerprint);
  expect(launches[1]).not.toBe(launches[0]);
  expect(served('srv')).toEqual(['note']);
});

test('BD04 what a person takes away within a turn is not called: a grant, an admission, a server', async () => {
  for (const serverId of ['granted', 'admitted', 'enabled']) await play.serve(serverId, still([tool('note')]));
  const names = ['granted__note', 'admitted__note', 'enabled__note'];
  const { told, shown } = await run([calls(...names), { text: 'done' }], async () => {
    await play.ask('access:set', { principal: BUILT_IN_AGENT, serverId: 'granted', allowed: false });
    await play.ask('capabilities:review', { capabilityId: 'mcp:admitted:tool:note', tier: 'read_only', admit: false });
    await play.ask('servers:disable', { serverId: 'enabled' });
  });
  expect(names.map((name, i) => JSON.parse(told(1, `call_${i}_${name}`).split('\n')[0]!) as unknown)).toMatchObject([
    { class: 'not_sent', code: 'not_allowed' }, { class: 'not_sent', code: 'not_allowed' }, { class: 'unavailable', code: 'unavailable', fact: expect.stringContaining('switched off') },
  ]);
  expect(names.filter((name) => name in shown(1))).toEqual([]);
  expect(['granted', 'admitted', 'enabled'].flatMap(served)).toEqual([]);
});

test('A04 access that is taken away, or a profile that is removed, voids what waits at once: the run goes on without anybody being asked', async () => {
  await play.serve('srv', still([tool('note'), tool('send')]));
  for (const name of ['note', 'send']) await play.ask('capabilities:review', { capabilityId: `mcp:srv:tool:${name}`, tier: 'high_write', admit: true });
  const { profile } = await play.ask('profiles:set', { name: 'Errands', accessLike: BUILT_IN_AGENT });
  const takings: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['default', () => play.ask('access:set', { principal: BUILT_IN_AGENT, serverId: 'srv', allowed: false })],
    [profile.id, () => play.ask('profiles:remove', { id: profile.id })],
  ];
  for (const [profileId, take] of takings) {
    const model = await play.model({ rules: ['openai-basic'], turns: [calls('srv__note', 'srv__send'), { text: 'done' }] }, 'openai');
    const { runId } = await play.ask('agent:run', { prompt: 'go on', profileId });
    await until('both wait', async () => (await play.ask('approvals:list', { state: 'pending' })).approvals.length === 2, 60_000);
    await take();
    expect((await play.ask('approvals:list', { state: 'pending' })).approvals).toEqual([]);
    await until('the run ends', async () => (await play.ask('runs:get', { runId })).run.state === 'completed', 60_000);
    for (const id of ['call_0_srv__note', 'call_1_srv__send']) expect(String(model.accepted[1]!.messages.find((message) => message['tool_call_id'] === id)?.['content'])).toContain('"code":"approval_void"');
  }
  expect(served('srv')).toEqual([]);
});
