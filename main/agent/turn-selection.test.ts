import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUILT_IN_AGENT } from '../../shared/principal.ts';
import { HostTools } from '../calls/host-tools/host-tools.ts';
import { LIST_RESOURCES, listResourcesTool, READ_RESOURCE, readResourceTool } from '../calls/host-tools/resource-tools.ts';
import { SEARCH_CAPABILITIES, searchCapabilitiesTool } from '../calls/host-tools/search-capabilities.ts';
import { TestRegistry } from '../capabilities/open-test-registry.ts';
import { Renderings } from '../capabilities/routes/renderings.ts';
import { SchemaChecker } from '../capabilities/schema-checker.ts';
import { SelectionPipeline } from './selection/pipeline.ts';
import { ToolSelector } from './selection/tool-selector.ts';
import type { BoundCandidate } from './turn-candidates.ts';
import { turnTools, type TurnQuery } from './turn-tools.ts';

const schemas = new SchemaChecker();
const world = new TestRegistry(schemas);
const renderings = new Renderings();
const host = new HostTools([searchCapabilitiesTool(() => Promise.reject(new Error('not asked'))), listResourcesTool(() => []), readResourceTool()], '1');
const pipeline = new SelectionPipeline({ selector: new ToolSelector(fileURLToPath(new URL('../../assets/selection', import.meta.url))), choices: { opinion: () => () => 0 }, semantic: null, log: { warn: () => undefined, error: () => undefined } });
const hostTool = (name: string): BoundCandidate => {
  const id = `mcp:host:tool:${name}`;
  const own = host.candidate(id);
  if (!own.ok) throw new Error(id);
  return { ...own.value, binding: host.bound(id)! };
};
const NAMES = ['read_file', 'write_file', 'delete_file', 'send_email', 'list_emails', 'get_forecast', 'draw_chart', 'run_query'];
const idOf = (name: string): string => `mcp:srv:tool:${name}`;

beforeAll(async () => {
  world.server('srv');
  const tools = [...NAMES, 'not_granted'].map((name) => ({ name, description: `Tool to ${name.replace('_', ' ')}.`, inputSchema: { type: 'object' } }));
  await world.offer('srv', tools, { definitions: [...tools.map((definition) => ({ kind: 'tool' as const, definition })), { kind: 'resource', definition: { name: 'a', uri: 'note://a' } }] });
  for (const { id, name } of world.registry.list()) {
    world.registry.review({ capabilityId: id, tier: 'read_only', admit: true }, 'test');
    if (name !== 'not_granted') world.registry.setAccess({ principal: BUILT_IN_AGENT, capabilityId: id, allowed: true }, 'test');
  }
});
afterAll(() => {
  world.close();
  schemas.close();
});

const ask = (request: string, more: Partial<TurnQuery> = {}) =>
  turnTools({ registry: world.registry, renderings }, {
    principal: BUILT_IN_AGENT, routeId: 'openai-chat', refusals: [], searchTools: [hostTool(SEARCH_CAPABILITIES)], resourceTools: [LIST_RESOURCES, READ_RESOURCE].map(hostTool),
    rank: (tools, how) => pipeline.rank({ request, principal: BUILT_IN_AGENT, candidates: tools.map(({ capability: { id, serverId }, definition, definitionFingerprint }) => ({ id, serverId, serverTitle: serverId, definition, definitionFingerprint })), ...how }),
    ...more,
  });

test('SE40 SE41 where all fit they are ranked all the same: each candidate has its place, its score by parts and what brought it in, and the usual order goes out', async () => {
  const { funnel, exposed } = await ask('Send Anna an email');
  const { ranked, ...record } = funnel.selection!;
  expect(record).toEqual({ of: 10, topK: 10, semantic: { tookPart: false, reason: 'all_fit' } });
  expect(ranked.map(({ place }) => place)).toEqual(Array.from({ length: 10 }, (_, at) => at + 1));
  expect(ranked.slice(0, 2).map(({ capabilityId, exposed: isOut, reason }) => [capabilityId, isOut, reason])).toEqual([[idOf('send_email'), true, 'rank'], [idOf('list_emails'), true, 'rank']]);
  expect(ranked.filter(({ reason }) => reason === 'host_tool').map(({ capabilityId }) => capabilityId).sort()).toEqual([LIST_RESOURCES, READ_RESOURCE].map((name) => `mcp:host:tool:${name}`).sort());
  for (const { score, parts } of ranked) expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 2);
  expect(ranked[0]!.parts['words']).toBeGreaterThan(0.05);
  // another request, another ranking, the same tools in the same order: what a provider has read before stays the same
  const other = await ask('What will the weather be?');
  expect(other.funnel.selection!.ranked[0]!.capabilityId).toBe(idOf('get_forecast'));
  expect(other.exposed.map(({ name }) => name)).toEqual(exposed.map(({ name }) => name));
  expect(exposed.map(({ name }) => name)).toEqual([...[LIST_RESOURCES, READ_RESOURCE].map((name) => `host__${name}`), ...NAMES.map((name) => `srv__${name}`)]);
  expect(funnel.stages.at(-1)!.lost).toEqual([]);
});

test('SE41 what is left out says why in the same record, what is marked or was found says so', async () => {
  const { funnel } = await ask('Send Anna an email', { wishes: { tools: 3, tokens: null, pinned: [idOf('draw_chart')] }, found: [idOf('run_query')] });
  const reasonOf = new Map(funnel.selection!.ranked.map(({ capabilityId, exposed, reason }) => [capabilityId, [exposed, reason]]));
  expect(reasonOf.get(idOf('draw_chart'))).toEqual([true, 'pinned']);
  expect(reasonOf.get(idOf('run_query'))).toEqual([true, 'found']);
  expect(reasonOf.get(idOf('send_email'))).toEqual([true, 'rank']);
  expect(reasonOf.get(idOf('list_emails'))).toEqual([false, 'tools_limit: 3']);
  expect(reasonOf.get(`mcp:host:tool:${SEARCH_CAPABILITIES}`)).toEqual([true, 'host_tool']);
});

test('SE42 whatever is marked, found, limited or offered by the host, what goes out was ranked and let out, and what was not is a loss', async () => {
  const anyId = fc.constantFrom(...NAMES.map(idOf), idOf('not_granted'), 'mcp:other:tool:x', `mcp:host:tool:${SEARCH_CAPABILITIES}`, 'mcp:host:tool:none');
  await fc.assert(
    fc.asyncProperty(fc.array(anyId, { maxLength: 5 }), fc.array(anyId, { maxLength: 5 }), fc.option(fc.nat(12)), fc.option(fc.nat(1_500)), fc.constantFrom('send an email', '删除文件', ''), async (pinned, found, tools, tokens, request) => {
      const { funnel, exposed } = await ask(request, { wishes: { pinned, tools, tokens }, found });
      const { ranked } = funnel.selection!;
      const fits = funnel.stages.find(({ stage }) => stage === 'fits_route')!.capabilityIds;
      expect(ranked.map(({ capabilityId }) => capabilityId).sort()).toEqual(fits.toSorted());
      expect(ranked.filter((one) => one.exposed).map(({ capabilityId }) => capabilityId).sort()).toEqual(exposed.map(({ capabilityId }) => capabilityId).sort());
      const last = funnel.stages.at(-1)!;
      expect([...last.capabilityIds, ...last.lost.map(({ capabilityId }) => capabilityId)].sort()).toEqual(fits.toSorted());
      expect(fits).not.toContain(idOf('not_granted'));
      expect(exposed.map(({ capabilityId }) => capabilityId)).toEqual(fits.filter((id) => last.capabilityIds.includes(id)));
    }),
    { numRuns: 80 },
  );
});
