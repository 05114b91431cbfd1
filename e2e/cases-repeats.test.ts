import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Approval } from '../shared/approval.ts';
import type { ModelScript, ScriptedModel } from './fixtures/model/scripted-model.ts';
import { AgentPlay, PROVIDER_OF } from './support/agent-play.ts';
import { CASES_SKIPPED, hasCases, reproductionOf, type Scenario } from './support/case-play.ts';

/** What the model was told of its calls in one of its requests, in their order. */
const toldIn = (request: ScriptedModel['accepted'][number] | undefined): string[] =>
  (request?.messages ?? []).flatMap((message) => {
    if (message['role'] === 'tool') return [String(message['content'])];
    return Array.isArray(message['content']) ? (message['content'] as Record<string, unknown>[]).flatMap((block) => (block['type'] === 'tool_result' ? [JSON.stringify(block['content'])] : [])) : [];
  });

describe.skipIf(!hasCases)(`repeats, approvals and sources of equal names, played against the product ${CASES_SKIPPED}`, () => {
  let play: AgentPlay;
  let asked: Approval[];
  beforeEach(async () => {
    asked = [];
    play = new AgentPlay();
    await play.start();
  });
  afterEach(() => play.end());

  const modelOf = (caseId: string, script?: Partial<ModelScript>): Promise<ScriptedModel> => {
    const reported = reproductionOf(caseId).model!;
    return play.model({ ...reported, ...script }, PROVIDER_OF[reported.rules[0]!]!);
  };
  const question = (decide: (approval: Approval) => 'approve' | 'deny' = () => 'approve') =>
    play.question('one question', (approval) => {
      asked.push(approval);
      return decide(approval);
    });
  const inputs = (): unknown[] => asked.map(({ frozenInput }) => (JSON.parse(frozenInput) as { v?: unknown }).v);

  test('C081 of two servers with one tool name the one that was chosen is called, and removing the other changes no name', async () => {
    await play.serve('alpha', 'C081', 'alpha', 'high_write');
    await play.serve('beta', 'C081', 'beta', 'high_write');
    const turn = reproductionOf('C081').model!.turns[0]!;
    const model = await modelOf('C081', { turns: [turn, { text: 'done' }, turn, { text: 'done' }] });
    await question();
    const names = (at: number) => Object.fromEntries(model.accepted[at]!.tools.filter((tool) => /^runs on (alpha|beta)$/.test(tool.description)).map((tool) => [tool.description, tool.name]));
    const both = names(0);
    expect(new Set(Object.values(both)).size).toBe(2);
    expect(play.served('beta')).toEqual([{ name: 'execute_sql', arguments: { v: 'select 1' } }]);
    expect(play.served('alpha')).toEqual([]);
    expect(asked.map((approval) => approval.capabilityId)).toEqual(['mcp:beta:tool:execute_sql']);
    await play.ask('servers:remove', { serverId: 'alpha' });
    await question();
    expect(names(2)).toEqual({ 'runs on beta': both['runs on beta'] });
  });

  test('C083 a call that was cut off after it was carried out is sent once, told as unknown, and a new attempt is asked for anew', async () => {
    await play.serve('srv', 'C083', 'srv', 'high_write');
    const turn = reproductionOf('C083').model!.turns[0]!;
    const model = await modelOf('C083', { turns: [turn, { text: 'done' }] });
    const run = await question();
    expect(play.served('srv')).toEqual([{ name: 'order', arguments: { v: 'order-1' } }]);
    expect(play.records('srv').filter((event) => event.text === 'SIDE-EFFECT order-1')).toHaveLength(1);
    expect(toldIn(model.accepted.at(-1))[0]).toMatch(/outcome_unknown[\s\S]*may have been carried out[\s\S]*Check whether it happened before you repeat it/);
    expect(run.events.filter((event) => event.type === 'call.intent')).toHaveLength(1);
    expect(run.events.filter((event) => event.type === 'call.retry')).toEqual([]);
  });

  test('C083 a new attempt of the model in the same run is a second entry with an approval of its own, which says so', async () => {
    const silent = { ...(reproductionOf('C083').servers['srv'] as Scenario), script: [{ on: 'tools/call', do: [{ record: 'SIDE-EFFECT {{params.arguments.v}}' }] }] } as Scenario;
    await play.serve('srv', silent, 'srv', 'high_write');
    await play.ask('capabilities:review', { capabilityId: 'mcp:srv:tool:order', tier: 'high_write', admit: true, callClass: 'job_submission' });
    const turn = reproductionOf('C083').model!.turns[0]!;
    const model = await modelOf('C083', { turns: [turn, { ...turn, calls: turn.calls!.map((call) => ({ ...call, id: 't2' })) }, { text: 'done' }] });
    const run = await question((approval) => (approval.notices.some((notice) => notice.code === 'repeat_of_unknown') ? 'deny' : 'approve'));
    expect((await play.ask('runs:get', { runId: run.runId })).run.invocations?.map((call) => call.code)).toEqual(['outcome_unknown', 'denied']);
    expect(asked[1]!.notices.map((notice) => notice.code)).toEqual(expect.arrayContaining(['repeat', 'repeat_of_unknown']));
    expect(asked[1]!.previous).toMatchObject({ identical: true });
    expect(play.served('srv')).toHaveLength(1);
    expect(toldIn(model.accepted.at(-1))[0]).toMatch(/No answer within 3[\d.]* s/);
  });

  test.each<[string, Scenario['script']]>([
    ['a plain error result', [{ on: 'tools/call', do: [{ reply: { isError: true, content: [{ type: 'text', text: 'connection reset by peer' }] } }] }]],
    ['a JSON-RPC error', [{ on: 'tools/call', do: [{ error: { code: -32603, message: 'connection closed' } }] }]],
  ])('C083 %s never leads to a repeat', async (_what, script) => {
    await play.serve('srv', { ...(reproductionOf('C083').servers['srv'] as Scenario), script } as Scenario, 'srv', 'low_write');
    await modelOf('C083');
    await question();
    expect(play.served('srv')).toHaveLength(1);
  });

  test('C085 one yes covers one call: other arguments ask again, and so does another tool with equal ones', async () => {
    await play.serve('srv', 'C085', 'srv', 'high_write');
    await modelOf('C085');
    await question((approval) => (approval.capabilityId.endsWith(':book') && approval.frozenInput === '{"v":"1"}' ? 'approve' : 'deny'));
    expect(asked.map((approval) => [approval.capabilityId, approval.frozenInput])).toEqual([['mcp:srv:tool:book', '{"v":"1"}'], ['mcp:srv:tool:book', '{"v":"2"}'], ['mcp:srv:tool:cancel', '{"v":"1"}']]);
    expect(play.served('srv')).toEqual([{ name: 'book', arguments: { v: '1' } }]);
    // a used one opens nothing any more, after a restart either
    const decided = await play.rpc('approvals:decide', { approvalId: asked[0]!.id, decision: 'approve' });
    expect(decided).toMatchObject({ ok: true, value: { approval: { state: 'consumed' } } });
    expect(play.served('srv')).toHaveLength(1);
  });

  test.each([['keep', 'drop'], ['drop', 'keep']] as const)('C087 two calls of one turn have two approvals: %s is allowed and %s is denied', async (allowed, denied) => {
    await play.serve('srv', 'C087', 'srv', 'high_write');
    const model = await modelOf('C087');
    await question((approval) => (approval.frozenInput === JSON.stringify({ v: allowed }) ? 'approve' : 'deny'));
    expect(inputs().sort()).toEqual(['drop', 'keep']);
    expect(new Set(asked.map((approval) => approval.id)).size).toBe(2);
    expect(play.served('srv')).toEqual([{ name: 'rm', arguments: { v: allowed } }]);
    const told = toldIn(model.accepted.at(-1));
    expect(told).toHaveLength(2);
    const [keep, drop] = told;
    expect(allowed === 'keep' ? drop : keep).toMatch(/denied/);
    expect(allowed === 'keep' ? keep : drop).not.toMatch(/denied/);
    expect(denied).not.toBe(allowed);
  });

  test('C087 two equal calls of one turn, of a tool that takes a key, are one: one approval, one execution, two answers', async () => {
    const scenario = reproductionOf('C087').servers['srv'] as Scenario & { tools: { inputSchema: { properties: object } }[] };
    const tools = scenario.tools.map((tool) => ({ ...tool, inputSchema: { ...tool.inputSchema, properties: { ...tool.inputSchema.properties, idempotency_key: { type: 'string' } } } }));
    await play.serve('srv', { ...scenario, tools }, 'srv', 'high_write');
    await play.ask('capabilities:review', { capabilityId: 'mcp:srv:tool:rm', tier: 'high_write', admit: true, idempotency: { field: 'idempotency_key', required: true } });
    const call = { toolByDescription: 'remove item', args: { v: 'drop' } };
    const model = await modelOf('C087', { turns: [{ calls: [{ ...call, id: 't1' }, { ...call, id: 't2' }] }, { text: 'done' }] });
    const run = await question();
    expect(asked).toHaveLength(1);
    expect(play.served('srv')).toHaveLength(1);
    expect(toldIn(model.accepted.at(-1)).map((text) => text.includes('Nothing was sent now'))).toEqual([false, true]);
    expect(await play.ask('runs:verify', { runId: run.runId })).toMatchObject({ ok: true });
  });
});
