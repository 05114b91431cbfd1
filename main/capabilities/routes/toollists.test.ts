import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Definition } from '../../../shared/capability.ts';
import { ROUTE_IDS } from '../../../shared/rendering.ts';
import { linearPattern } from '../linear-pattern.ts';
import { routeComplaints } from './check-rendering.ts';
import { ROUTES } from './profiles.ts';
import { renderFor } from './rendering.ts';
import { isPortablePattern } from './shown-pattern.ts';

const folder = join(process.env['GANTRY_SHARED'] ?? resolve(fileURLToPath(new URL('../../..', import.meta.url)), '../shared'), 'toollists');
const lists = existsSync(folder) ? readdirSync(folder).map((file) => ({ file, tools: (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { result: { tools: Definition[] } }).result.tools })) : [];

const patternsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => (key === 'pattern' && typeof member === 'string' ? [member] : patternsIn(member)));
};

describe.skipIf(lists.length === 0)('the real tool lists (skipped where ../shared/toollists is absent)', () => {
  test('RT20 every tool of every list is shown on every route, in a form that its rules carry', () => {
    const states: Record<string, Record<string, number>> = {};
    for (const { file, tools } of lists) {
      for (const tool of tools) {
        for (const routeId of ROUTE_IDS) {
          const rendering = renderFor(tool, routeId);
          expect(rendering.leftOut, `${file} ${tool.name} on ${routeId}`).toBeNull();
          const profile = rendering.routeId === 'openai-strict' && !rendering.strict ? ROUTES['openai-chat'] : ROUTES[routeId];
          expect(routeComplaints(rendering.schema, profile), `${file} ${tool.name} on ${routeId}`).toEqual([]);
          expect(rendering.steps.length > 0).toBe(rendering.state !== 'unchanged');
          (states[routeId] ??= {})[rendering.state] = (states[routeId]?.[rendering.state] ?? 0) + 1;
        }
      }
    }
    const tools = lists.flatMap((list) => list.tools).length;
    for (const routeId of ROUTE_IDS) expect(Object.values(states[routeId]!).reduce((a, b) => a + b, 0)).toBe(tools);
    // most of what people run needs nothing at all on the two largest routes
    for (const routeId of ['anthropic', 'openai-chat'] as const) expect(states[routeId]!['unchanged']! / tools).toBeGreaterThan(0.9);
  });

  test('RT11 every pattern that a model sees is one that every engine reads and that the guard judges', () => {
    for (const { file, tools } of lists) {
      for (const tool of tools) {
        for (const routeId of ROUTE_IDS) {
          for (const pattern of patternsIn(renderFor(tool, routeId).schema)) {
            expect(isPortablePattern(pattern), `${file} ${tool.name} ${pattern}`).toBe(true);
            expect(linearPattern(pattern).ok).toBe(true);
          }
        }
      }
    }
  });
});
