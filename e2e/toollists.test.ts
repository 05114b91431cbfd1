import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Definition } from '../shared/capability.ts';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import { ROUTE_IDS, type RouteId } from '../shared/rendering.ts';
import { AgentPlay } from './support/agent-play.ts';

vi.setConfig({ testTimeout: 600_000 });

const folder = join(process.env['GANTRY_SHARED'] ?? resolve(fileURLToPath(new URL('..', import.meta.url)), '../shared'), 'toollists');
const lists = existsSync(folder) ? readdirSync(folder).map((file) => ({ id: file.replace('.json', ''), tools: (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { result: { tools: Definition[] } }).result.tools })) : [];
/** A name that leads a route to itself, as a person gives it with a model. */
const PROVIDERS: Partial<Record<RouteId, string>> = { anthropic: 'anthropic', 'openai-chat': 'openai', gemini: 'gemini', deepseek: 'deepseek', moonshot: 'moonshot', local: 'ollama' };

let play: AgentPlay;
beforeEach(async () => {
  play = new AgentPlay();
  await play.start();
});
afterEach(() => play.end());

describe.skipIf(lists.length === 0)('the real tool lists (skipped where ../shared/toollists is absent)', () => {
  test('RT26 every list loads from a running server: each tool as it was written, with its schema state, and with a state on every route', async () => {
    let rendered = 0;
    for (const { id, tools } of lists) {
      await play.serve(id, { transport: 'stdio', tools, script: [] });
      const { capabilities } = await play.ask('capabilities:list', { serverId: id });
      expect(capabilities.map(({ name }) => name).sort(), id).toEqual(tools.map(({ name }) => name).sort());
      expect(capabilities.filter(({ schemaState }) => schemaState === 'excluded').map(({ name }) => name), id).toEqual([]);
      for (const tool of tools) {
        for (const routeId of ROUTE_IDS) {
          const { original, rendering } = await play.ask('renderings:get', { capabilityId: `mcp:${id}:tool:${tool.name}`, routeId });
          expect(original.inputSchema, `${id} ${tool.name}`).toEqual(tool.inputSchema);
          expect(original.description, `${id} ${tool.name}`).toEqual(tool.description);
          expect(['unchanged', 'rewritten', 'told'], `${id} ${tool.name} on ${routeId}`).toContain(rendering.state);
          rendered += 1;
        }
      }
      for (const [routeId, route] of Object.entries(PROVIDERS)) {
        const { stages } = await play.ask('funnel:get', { principal: BUILT_IN_AGENT, route, serverId: id });
        expect(stages.map(({ stage, count }) => [stage, count]), `${id} on ${routeId}`).toEqual([['registered', tools.length], ['admitted', tools.length], ['granted', tools.length], ['in_scope', 0], ['fresh_healthy', tools.length], ['fits_route', tools.length], ['exposed', tools.length]]);
      }
      await play.ask('servers:disable', { serverId: id });
    }
    expect(rendered).toBe(lists.reduce((sum, { tools }) => sum + tools.length, 0) * ROUTE_IDS.length);
  });
});
