import { expect, test } from 'vitest';
import type { CapabilityRow } from '../../../shared/capability.ts';
import type { Run } from '../../../shared/run.ts';
import type { ServerSummary } from '../../../shared/server.ts';
import { guideSteps, type GuideFacts } from './guide-steps.ts';

const nothing: GuideFacts = { servers: [], capabilities: [], approvals: [], runs: [], evidenceRead: false };
const server = { id: 'environment', spec: { kind: 'builtin', name: 'environment' }, status: { state: 'installed' }, agentAccess: { tools: 0, allowed: 0, allowable: 0 } } as ServerSummary;
const tool = { id: 'mcp:environment:tool:get_versions', serverId: 'environment', kind: 'tool', tier: 'read_only', schemaState: 'checked', grantedTo: [] } as unknown as CapabilityRow;
const done = (facts: GuideFacts): string[] => guideSteps(facts).filter((step) => step.done).map((step) => step.key);

test('U19 a first step is done when the state of the host says so', () => {
  expect(done(nothing)).toEqual([]);
  expect(done({ ...nothing, servers: [{ ...server, status: { state: 'installing', step: 'x' } }] })).toEqual([]);
  expect(done({ ...nothing, servers: [server] })).toEqual(['install']);
  expect(done({ ...nothing, servers: [server], capabilities: [tool] })).toEqual(['install', 'connect', 'see']);
  expect(done({ ...nothing, servers: [{ ...server, agentAccess: { tools: 1, allowed: 1, allowable: 0 } }], capabilities: [{ ...tool, grantedTo: ['agent:default'] }], runs: [{ id: 'r', kind: 'try', state: 'completed' } as Run] })).toEqual(['install', 'connect', 'see', 'allow', 'try']);
  for (const state of ['failed', 'running', 'awaiting_approval'] as const) expect(done({ ...nothing, servers: [server], runs: [{ id: 'r', kind: 'try', state } as Run] })).not.toContain('try');
});

test('U19 each step leads to where it is done', () => {
  expect(guideSteps(nothing)[0]?.to).toBe('#/add/market/environment');
  const steps = guideSteps({ ...nothing, servers: [server], capabilities: [tool], runs: [{ id: 'r1', kind: 'try' } as Run] });
  expect(steps.find((step) => step.key === 'try')?.to).toContain('get_versions');
  expect(steps.find((step) => step.key === 'read')?.to).toBe('#/runs/r1');
});
