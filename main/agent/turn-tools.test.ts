import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Funnel, FunnelStage } from '../../shared/capability.ts';
import { BUILT_IN_AGENT } from '../../shared/principal.ts';
import { TestRegistry } from '../capabilities/open-test-registry.ts';
import { Renderings } from '../capabilities/routes/renderings.ts';
import { SchemaChecker } from '../capabilities/schema-checker.ts';
import type { RouteRefusal } from '../store/route-refusals.ts';
import { ToolSelector } from './selection/tool-selector.ts';
import { asFunctionTool, funnelOfRequest, turnTools, type TurnQuery } from './turn-tools.ts';

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
const ask = (more: { readonly refusals?: readonly RouteRefusal[]; readonly unread?: ReadonlySet<string>; readonly choose?: NonNullable<TurnQuery['choose']> } = {}) => turnTools({ registry: world.registry, renderings: new Renderings() }, { principal: BUILT_IN_AGENT, routeId: 'openai-chat', refusals: [], ...more });
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
  const selector = new ToolSelector(fileURLToPath(new URL('../../assets/selection', import.meta.url)));
  const choose: NonNullable<TurnQuery['choose']> = async (tools, count) =>
    (await selector.rank('给安娜发送邮件', tools.map(({ capability: { id, serverId }, definition, definitionFingerprint }) => ({ id, serverId, serverTitle: serverId, definition, definitionFingerprint })), count)).map(({ id }) => id);
  const { funnel, exposed } = await ask({ choose });
  expect(exposed).toHaveLength(128);
  const names = exposed.map(({ name }) => name);
  expect(names).toContain('srv__zz_send_email');
  expect(names).toEqual([...names].sort());
  expect(lostAt(funnel, 'exposed')).toHaveLength(13);
  // a ranking that cannot be had leaves the first ones
  expect((await ask({ choose: async () => [] })).exposed.map(({ name }) => name)).toEqual(byId.exposed.map(({ name }) => name));
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
