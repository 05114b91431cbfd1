import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Funnel, FunnelStage } from '../../shared/capability.ts';
import { BUILT_IN_AGENT } from '../../shared/principal.ts';
import { TestRegistry } from '../capabilities/open-test-registry.ts';
import { Renderings } from '../capabilities/routes/renderings.ts';
import { SchemaChecker } from '../capabilities/schema-checker.ts';
import type { RouteRefusal } from '../store/route-refusals.ts';
import { HostTools } from '../calls/host-tools/host-tools.ts';
import { SEARCH_CAPABILITIES, searchCapabilitiesTool } from '../calls/host-tools/search-capabilities.ts';
import { FoundCapabilities } from './find-capabilities.ts';
import { SelectionPipeline, type Ranking } from './selection/pipeline.ts';
import { asFunctionTool } from './exposed-tool.ts';
import { ToolSelector } from './selection/tool-selector.ts';
import { funnelOfRequest, turnTools, type TurnQuery } from './turn-tools.ts';

const schemas = new SchemaChecker();
afterAll(() => schemas.close());
let world: TestRegistry;
beforeEach(() => {
  world = new TestRegistry(schemas);
  world.server('srv');
});
afterEach(() => world.close());

const large = { type: 'object', properties: { v: { enum: Array.from({ length: 9_000 }, (_, i) => `value ${i}`) } } };
const allow = (name: string): void => {
  world.registry.review({ capabilityId: `mcp:srv:tool:${name}`, tier: 'read_only', admit: true }, 'test');
  world.registry.setAccess({ principal: BUILT_IN_AGENT, capabilityId: `mcp:srv:tool:${name}`, allowed: true }, 'test');
};
const ask = (more: { readonly refusals?: readonly RouteRefusal[]; readonly unread?: ReadonlySet<string>; readonly rank?: NonNullable<TurnQuery['rank']>; readonly searchTools?: NonNullable<TurnQuery['searchTools']>; readonly found?: readonly string[]; readonly wishes?: NonNullable<TurnQuery['wishes']> } = {}) => turnTools({ registry: world.registry, renderings: new Renderings() }, { principal: BUILT_IN_AGENT, routeId: 'openai-chat', refusals: [], ...more });
const quiet = { warn: () => undefined, error: () => undefined };
const pipeline = new SelectionPipeline({ selector: new ToolSelector(fileURLToPath(new URL('../../assets/selection', import.meta.url))), choices: { opinion: () => () => 0 }, semantic: null, log: quiet });
const rankFor = (request: string): NonNullable<TurnQuery['rank']> => (tools, how) =>
  pipeline.rank({ request, principal: BUILT_IN_AGENT, candidates: tools.map(({ capability: { id, serverId }, definition, definitionFingerprint }) => ({ id, serverId, serverTitle: serverId, definition, definitionFingerprint })), ...how });
const NOT_RANKED: Ranking = { of: 0, topK: 0, semantic: { tookPart: false, reason: 'off' }, failed: true, tools: [] };
const lostAt = (funnel: Funnel, stage: FunnelStage) => funnel.stages.find((one) => one.stage === stage)!.lost.map(({ capabilityId, reason }) => [capabilityId.replace('mcp:srv:tool:', ''), reason.split(':')[0]]);
const refusal = (name: string, definitionFingerprint: string, form: RouteRefusal['form']): RouteRefusal => ({ capabilityId: `mcp:srv:tool:${name}`, definitionFingerprint, routeId: 'openai-chat', baseUrl: 'http://127.0.0.1/v1', model: 'm', form, status: 400, providerSays: 'no', runId: 'r', at: 1 });

test('RT40 one funnel, for the runtime and for whoever asks: every tool that is not shown has its stage and its reason', async () => {
  const names = ['unreviewed', 'refused', 'ungranted', 'large', 'aside', 'shown', 'plainly'];
  await world.offer('srv', [...names.map((name) => ({ name, description: name, inputSchema: name === 'large' ? large : { type: 'object', properties: { n: { enum: [1, 2] } } } })), { name: 'broken', inputSchema: { $ref: 'https://elsewhere.test/x' } }]);
  for (const name of ['large', 'aside', 'shown', 'plainly']) allow(name);
  world.registry.review({ capabilityId: 'mcp:srv:tool:refused', tier: 'read_only', admit: false }, 'test');
  world.registry.review({ capabilityId: 'mcp:srv:tool:ungranted', tier: 'read_only', admit: true }, 'test');
  const fingerprint = (name: string): string => world.registry.list().find((c) => c.name === name)!.definitionFingerprint;
  const { funnel, exposed } = await ask({ refusals: [refusal('aside', fingerprint('aside'), 'set_aside'), refusal('plainly', fingerprint('plainly'), 'plainest'), refusal('shown', 'of an earlier definition', 'set_aside')] });
  expect(lostAt(funnel, 'admitted').map(([name]) => name).sort()).toEqual(['broken', 'refused', 'unreviewed']);
  expect(lostAt(funnel, 'granted')).toEqual([['ungranted', 'not_granted']]);
  expect(lostAt(funnel, 'fits_route')).toEqual([['large', 'rendering_too_large'], ['aside', 'set_aside']]);
  expect(funnel.stages.map(({ stage, evaluated, count }) => [stage, evaluated, count])).toEqual([['registered', true, 8], ['admitted', true, 5], ['granted', true, 4], ['in_scope', false, 0], ['fresh_healthy', true, 4], ['fits_route', true, 2], ['exposed', true, 2]]);
  // what is counted is what goes out
  expect(exposed.map((tool) => [asFunctionTool(tool).name, tool.rendering.routeId])).toEqual([['srv__shown', 'openai-chat'], ['srv__plainly', 'plainest']]);
});

test('RT40 a server that could not be read anew, and more tools than a request takes, are losses with their reason', async () => {
  await world.offer('srv', Array.from({ length: 130 }, (_, i) => ({ name: `op_${i}`, inputSchema: { type: 'object' } })));
  for (let i = 0; i < 130; i += 1) allow(`op_${i}`);
  const { funnel, exposed } = await ask();
  expect(exposed).toHaveLength(128);
  expect(lostAt(funnel, 'exposed').map(([, reason]) => reason)).toEqual(['route_limit', 'route_limit']);
  const unread = await ask({ unread: new Set(['srv']) });
  expect(unread.exposed).toEqual([]);
  expect(lostAt(unread.funnel, 'fresh_healthy')).toHaveLength(130);
});

test('SE07 where more tools fit than a request takes, those for what was asked go out, in their usual order', async () => {
  await world.offer('srv', [...Array.from({ length: 140 }, (_, i) => ({ name: `op_${String(i).padStart(3, '0')}`, description: `Reads counter ${i}.`, inputSchema: { type: 'object' } })), { name: 'zz_send_email', description: 'Send an email to a person.', inputSchema: { type: 'object' } }]);
  for (const { name } of world.registry.list()) allow(name);
  const byId = await ask();
  expect(byId.exposed.map(({ name }) => name)).not.toContain('srv__zz_send_email');
  const { funnel, exposed } = await ask({ rank: rankFor('给安娜发送邮件') });
  expect(exposed).toHaveLength(128);
  const names = exposed.map(({ name }) => name);
  expect(names).toContain('srv__zz_send_email');
  expect(names).toEqual([...names].sort());
  expect(lostAt(funnel, 'exposed')).toHaveLength(13);
  // a ranking that cannot be had leaves the first ones
  expect((await ask({ rank: () => Promise.resolve(NOT_RANKED) })).exposed.map(({ name }) => name)).toEqual(byId.exposed.map(({ name }) => name));
});

test('RT40 what a provider refused in the very request is counted as lost in it', async () => {
  await world.offer('srv', ['a', 'b', 'c'].map((name) => ({ name, inputSchema: { type: 'object' } })));
  for (const name of ['a', 'b', 'c']) allow(name);
  const { funnel } = await ask();
  const after = funnelOfRequest(funnel, { setAside: ['mcp:srv:tool:a'], undecided: ['mcp:srv:tool:b'] }, 'm');
  expect(after.stages.slice(-2).map(({ count }) => count)).toEqual([2, 1]);
  expect(lostAt(after, 'fits_route')).toEqual([['a', 'set_aside']]);
  expect(lostAt(after, 'exposed')).toEqual([['b', 'undecided']]);
  expect(after.stages.at(-1)!.capabilityIds).toEqual(['mcp:srv:tool:c']);
});

test('RT41 odd metadata of a server decides nothing', async () => {
  const decisions: unknown[] = [];
  for (const serverInfo of [{ name: 'srv', version: '1' }, { name: '', version: '' }, { name: '\u202eadmin', version: ' ' }, { name: 'srv'.repeat(500), version: 'not-a-version' }]) {
    world.close();
    world = new TestRegistry(schemas);
    world.server('srv');
    const more = { serverInfo };
    await world.offer('srv', [{ name: 'a', inputSchema: { type: 'object' } }, { name: 'b', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true, title: '' } }], more);
    allow('a');
    const { funnel, exposed } = await ask();
    decisions.push({ stages: funnel.stages, shown: exposed.map((tool) => [tool.name, tool.rendering.state]) });
  }
  for (const decision of decisions) expect(decision).toEqual(decisions[0]);
});

test('SE09 definitions are weighed: what the budget of tokens does not hold is left out by rank, with that reason', async () => {
  const heavy = (i: number) => ({ name: `report_${String(i).padStart(2, '0')}`, description: `Report number ${i}. ${'It tells figures of one month of one shop. '.repeat(190)}`, inputSchema: { type: 'object' } });
  await world.offer('srv', [...Array.from({ length: 30 }, (_, i) => heavy(i)), { name: 'zz_send_email', description: 'Send an email to a person.', inputSchema: { type: 'object' } }]);
  for (const { name } of world.registry.list()) allow(name);
  const { funnel, exposed } = await ask({ rank: rankFor('Send Anna an email') });
  expect(exposed.map(({ name }) => name)).toContain('srv__zz_send_email');
  expect(exposed.length).toBeGreaterThan(5);
  expect(exposed.length).toBeLessThan(31);
  expect(Buffer.byteLength(JSON.stringify(exposed.map(asFunctionTool))) / 4.4).toBeLessThan(32_000 * 1.01);
  expect(funnel.request).toMatchObject({ tools: exposed.length, maxTools: 128, maxTokens: 32_000 });
  expect(funnel.request!.tokens).toBeGreaterThan(28_000);
  expect(funnel.request!.tokens).toBeLessThanOrEqual(32_000);
  expect(new Set(lostAt(funnel, 'exposed').map(([, reason]) => reason))).toEqual(new Set(['token_budget']));
  expect(lostAt(funnel, 'exposed')).toHaveLength(31 - exposed.length);
});

const counters = async (): Promise<void> => {
  await world.offer('srv', [...Array.from({ length: 10 }, (_, i) => ({ name: `op_${i}`, description: `Reads counter ${i}.`, inputSchema: { type: 'object' } })), { name: 'zz_send_email', description: 'Send an email to a person.', inputSchema: { type: 'object' } }]);
  for (const { name } of world.registry.list()) allow(name);
};
const NO_WISHES = { tools: null, tokens: null, pinned: [] };
const NO_PARTS = { words: 0, name: 0, verb: 0, number: 0, meaning: 0, pairs: 0, unasked: 0, lead: 0, said: 0, parts: 0, server: 0, sense: 0, kind: 0 };
const emailFirst: NonNullable<TurnQuery['rank']> = (tools, { most = tools.length }) =>
  Promise.resolve({ ...NOT_RANKED, failed: false, of: tools.length, topK: Math.min(most, tools.length), tools: tools.map(({ capability }, at) => ({ id: capability.id, score: at, coverage: 0, reasons: NO_PARTS, gives: NO_PARTS, semantic: 0, learned: 0 })).reverse().slice(0, most) });

test('SE20 what the person sets for a request holds where the route would carry all: the best go out, and a loss tells its place', async () => {
  await counters();
  expect((await ask({ rank: emailFirst, wishes: NO_WISHES })).exposed).toHaveLength(11);
  const { funnel, exposed, limits } = await ask({ rank: emailFirst, wishes: { ...NO_WISHES, tools: 3 } });
  expect(exposed.map(({ name }) => name)).toEqual(['srv__op_8', 'srv__op_9', 'srv__zz_send_email']);
  const lost = funnel.stages.at(-1)!.lost;
  expect(lost).toHaveLength(8);
  expect(lost[0]).toEqual({ capabilityId: 'mcp:srv:tool:op_7', reason: 'tools_limit: 3', place: { at: 4, of: 11 } });
  expect(lost.at(-1)).toMatchObject({ place: { at: 11, of: 11 } });
  expect([funnel.request!.maxTools, limits.tools]).toEqual([3, 3]);
  const weight = funnel.request!.tokens;
  const light = await ask({ rank: emailFirst, wishes: { ...NO_WISHES, tokens: weight } });
  expect(light.funnel.request).toMatchObject({ maxTokens: weight, maxTools: 128 });
  expect(light.exposed.map(({ name }) => name)).toContain('srv__zz_send_email');
  expect(light.exposed.length).toBeLessThan(6);
  // without a request nothing is ranked, and no place is told
  expect((await ask({ wishes: { ...NO_WISHES, tools: 3 } })).funnel.stages.at(-1)!.lost.every((one) => !('place' in one))).toBe(true);
  // a person's number is never more than the provider takes
  expect((await ask({ wishes: { ...NO_WISHES, tools: 1000 } })).funnel.request).toMatchObject({ maxTools: 128 });
});

test('SE20 the host’s own tools come beside the number that a person sets, and a model is offered to search then', async () => {
  await counters();
  const host = new HostTools([searchCapabilitiesTool(() => Promise.reject(new Error('unused')))], '1');
  const id = `mcp:host:tool:${SEARCH_CAPABILITIES}`;
  const own = host.candidate(id);
  const { exposed } = await ask({ rank: emailFirst, wishes: { ...NO_WISHES, tools: 1 }, searchTools: own.ok ? [{ ...own.value, binding: host.bound(id)! }] : [] });
  expect(exposed.map(({ name }) => name)).toEqual([`host__${SEARCH_CAPABILITIES}`, 'srv__zz_send_email']);
});

test('SE21 a marked tool comes first where it is a candidate, within the limits; marking gives no right', async () => {
  await counters();
  const pinned = ['mcp:srv:tool:op_0', 'mcp:other:tool:none'];
  const first = await ask({ rank: emailFirst, wishes: { tools: 2, tokens: null, pinned } });
  expect(first.exposed.map(({ name }) => name)).toEqual(['srv__op_0', 'srv__zz_send_email']);
  expect(first.funnel.pinned).toEqual(['mcp:srv:tool:op_0']);
  world.registry.setAccess({ principal: BUILT_IN_AGENT, capabilityId: 'mcp:srv:tool:op_0', allowed: false }, 'test');
  const without = await ask({ rank: emailFirst, wishes: { tools: 2, tokens: null, pinned } });
  expect(without.exposed.map(({ name }) => name)).toEqual(['srv__op_9', 'srv__zz_send_email']);
  expect(without.funnel.pinned).toBeUndefined();
  // another definition under the same id is marked still, and asks for its review anew
  await world.offer('srv', [{ name: 'op_0', description: 'Deletes everything.', inputSchema: { type: 'object' } }, { name: 'op_1', inputSchema: { type: 'object' } }]);
  expect((await ask({ wishes: { tools: 1, tokens: null, pinned } })).exposed.map(({ name }) => name)).not.toContain('srv__op_0');
  allow('op_0');
  allow('op_1');
  expect((await ask({ wishes: { tools: 1, tokens: null, pinned } })).exposed.map(({ name }) => name)).toEqual(['srv__op_0']);
});

test('SE10 a model that is not shown everything may search; what it finds is a candidate of its own and in its next request, and nothing else becomes one', async () => {
  const found = new FoundCapabilities({ registry: world.registry, pipeline, serverName: (id) => id });
  const host = new HostTools([searchCapabilitiesTool(found.search)], '1');
  const id = `mcp:host:tool:${SEARCH_CAPABILITIES}`;
  const own = host.candidate(id);
  const searchTools = own.ok ? [{ ...own.value, binding: host.bound(id)! }] : [];
  await world.offer('srv', [...Array.from({ length: 140 }, (_, i) => ({ name: `op_${String(i).padStart(3, '0')}`, description: `Reads counter ${i}.`, inputSchema: { type: 'object' } })), { name: 'zz_send_email', description: 'Send an email to a person.', inputSchema: { type: 'object' } }, { name: 'zz_send_letter_email', description: 'Send an email to a person as a letter.', inputSchema: { type: 'object' } }]);
  for (const { name } of world.registry.list()) if (name !== 'zz_send_letter_email') allow(name);
  const before = await ask({ searchTools });
  expect(before.exposed[0]!.name).toBe(`host__${SEARCH_CAPABILITIES}`);
  expect(before.exposed.map(({ name }) => name)).not.toContain('srv__zz_send_email');
  found.begin('run-1', null);
  const call = host.callsBeside({ callTool: () => Promise.reject(new Error('not a server')), askTask: () => Promise.reject(new Error('not a server')), answerTask: () => Promise.reject(new Error('not a server')) });
  const answer = await call.callTool({ serverId: 'host', toolName: SEARCH_CAPABILITIES, frozenArguments: JSON.stringify({ request: '给安娜发送邮件' }), runId: 'run-1', principal: BUILT_IN_AGENT, signal: new AbortController().signal, onSent: () => undefined } as unknown as Parameters<typeof call.callTool>[0]);
  expect(answer).toMatchObject({ kind: 'result', raw: { structuredContent: { searched: 141, tools: [{ tool: 'zz_send_email', server: 'srv', tier: 'read_only', description: 'Send an email to a person.' }] } } });
  expect(JSON.stringify(answer)).not.toContain('letter');
  expect(found.of('run-2')).toEqual([]);
  const after = await ask({ searchTools, found: found.of('run-1') });
  expect(after.exposed.map(({ name }) => name)).toContain('srv__zz_send_email');
  expect(after.exposed).toHaveLength(128);
  // a right taken away between the search and the next request holds
  world.registry.setAccess({ principal: BUILT_IN_AGENT, capabilityId: 'mcp:srv:tool:zz_send_email', allowed: false }, 'test');
  expect((await ask({ searchTools, found: [...found.of('run-1'), 'mcp:srv:tool:zz_send_letter_email'] })).exposed.map(({ name }) => name).filter((name) => name.includes('zz_'))).toEqual([]);
  // nor does a search see past the scope of its run, or belong to none
  found.begin('run-3', { servers: ['other'], capabilities: null, topTier: null });
  expect(await found.search({ runId: 'run-3', principal: BUILT_IN_AGENT }, 'Send an email', 5)).toEqual({ searched: 0, found: [] });
  expect(await found.search({ runId: 'never', principal: BUILT_IN_AGENT }, 'Send an email', 5)).toEqual({ searched: 0, found: [] });
  found.forget('run-1');
  expect(found.of('run-1')).toEqual([]);
});

test('SE10 where a request carries everything, nothing is offered to search with', async () => {
  await world.offer('srv', [{ name: 'a', inputSchema: { type: 'object' } }]);
  allow('a');
  const host = new HostTools([searchCapabilitiesTool(() => Promise.reject(new Error('no words')))], '1');
  const id = `mcp:host:tool:${SEARCH_CAPABILITIES}`;
  const own = host.candidate(id);
  const { exposed, funnel } = await ask({ searchTools: own.ok ? [{ ...own.value, binding: host.bound(id)! }] : [] });
  expect(exposed.map(({ name }) => name)).toEqual(['srv__a']);
  expect(funnel.stages.at(-1)!.count).toBe(1);
  const call = host.callsBeside({ callTool: () => Promise.reject(new Error('not a server')), askTask: () => Promise.reject(new Error('not a server')), answerTask: () => Promise.reject(new Error('not a server')) });
  const answer = await call.callTool({ serverId: 'host', toolName: SEARCH_CAPABILITIES, frozenArguments: '{"request":"a"}', runId: 'r', principal: BUILT_IN_AGENT, signal: new AbortController().signal, onSent: () => undefined } as unknown as Parameters<typeof call.callTool>[0]);
  expect(answer).toMatchObject({ kind: 'result', raw: { isError: true } });
});
