import { expect, test } from 'vitest';
import { judge, readNotYet } from './judge.ts';
import { play, playAll, REVISIONS, scenariosOf, type Played } from './referee.ts';

const MINUTE_MS = 60_000;
test.each(REVISIONS)('CF03: every scenario of %s that is scored passes', { timeout: 8 * MINUTE_MS }, async (revision) => {
  const all = scenariosOf(revision);
  const names = all.filter(({ name, notScored }) => notScored === null || !name.startsWith('auth/')).map(({ name }) => name);
  const verdicts = judge(await playAll(names, revision, 2), readNotYet(revision), all);
  expect(verdicts.filter(({ outcome }) => outcome.startsWith('unexpected'))).toEqual([]);
  expect(verdicts.filter(({ outcome }) => outcome !== 'passed').map(({ name }) => name)).toEqual([]);
  // the list names nothing that is scored
  const scored = new Set(all.filter(({ notScored }) => notScored === null).map(({ name }) => name));
  expect(readNotYet(revision).flatMap(({ scenarios }) => scenarios).filter((name) => scored.has(name))).toEqual([]);
});

const PLANTS = [
  ['a stream that closed is opened again at once', 'sse-retry', '2025-11-25', { file: 'main/servers/stream-pace.ts', from: 'delay * (1 + 0.2 * random())', to: '0' }, 'client-sse-retry-timing'],
  ['marked arguments are in no header', 'http-custom-headers', '2026-07-28', { file: 'main/servers/argument-headers.ts', from: '[[`Mcp-Param-${name}`, fieldValue(String(value))]]', to: '[]' }, 'sep-2243-client-supports-custom-headers'],
  ['a tool with a broken mark is kept', 'http-invalid-tool-headers', '2026-07-28', { file: 'main/servers/read-lists.ts', from: 'if (!found.ok) return err(`${definition.name}: ${found.error}`);', to: 'if (!found.ok) return ok(definition);' }, 'sep-2243-x-mcp-header-unique'],
  ['the iss of an answer is not read', 'auth/iss-unexpected', '2026-07-28', { file: 'main/servers/auth/callback.ts', from: "query.get('iss') ?? undefined", to: 'undefined' }, 'sep-2468-client-compare-iss-unadvertised'],
  ['a round goes without the state of its server', 'sep-2322-client-request-state', '2026-07-28', { file: 'main/servers/call-in-rounds.ts', from: 'const state = requestState === undefined ? {} : { requestState };', to: 'const state = {};' }, 'sep-2322-client-request-state-echoed'],
  ['defaults of a form are left out', 'elicitation-sep1034-client-defaults', '2025-11-25', { file: 'main/servers/questions/form-content.ts', from: 'const content = withDefaults(fields, given);', to: 'const content = given;' }, 'client-elicitation-sep1034-string-default'],
  ['the arguments are not what was frozen', 'tools_call', '2025-11-25', { file: 'main/servers/frozen-arguments.ts', from: 'json.slice(0, at) + frozen.text', to: "json.slice(0, at) + '{}'" }, 'tool-add-numbers'],
] as const;

test.each(PLANTS)('CF05: broken in main/servers: %s; then %s fails', { timeout: 4 * MINUTE_MS }, async (_what, scenario, revision, plant, check) => {
  const played = await play(scenario, revision, { nodeOptions: ['--import', './e2e/conformance/plant.mjs'], env: { GANTRY_PLANT: JSON.stringify(plant) } });
  expect(played).toMatchObject({ passed: false, clientEnded: true, failing: expect.arrayContaining([check]) });
});

test('CF02: a client that breaks off fails, also where the referee has nothing to complain of', { timeout: 4 * MINUTE_MS }, async () => {
  const plant = { file: 'main/servers/pool-harness.fixture.ts', from: 'await pool.close();', to: "throw new Error('planted');" };
  const played = await play('json-schema-ref-no-deref', '2026-07-28', { nodeOptions: ['--import', './e2e/conformance/plant.mjs'], env: { GANTRY_PLANT: JSON.stringify(plant) } });
  expect(played).toMatchObject({ passed: false, clientEnded: false, failing: [] });
  expect(judge([played], [], scenariosOf('2026-07-28'))).toMatchObject([{ outcome: 'unexpected_failure', why: expect.stringContaining('planted') }]);
});

test('CF02: what fails without being listed, passes while listed, fails in other checks than listed, or is listed under no name of the revision is unexpected', () => {
  const all = [{ name: 'a', notScored: null }, { name: 'b', notScored: null }];
  const played = (name: string, failing: string[]): Played => ({ name, passed: failing.length === 0, failing, clientEnded: true, words: '' });
  const outcome = (one: Played, ...notYet: Parameters<typeof judge>[1][number][]): string[] => judge([one], notYet, all).map((verdict) => verdict.outcome);
  expect(outcome(played('a', []))).toEqual(['passed']);
  expect(outcome(played('a', ['x']))).toEqual(['unexpected_failure']);
  expect(outcome(played('a', ['x']), { scenarios: ['a'], because: 'r' })).toEqual(['not_yet']);
  expect(outcome(played('a', []), { scenarios: ['a'], because: 'r' })).toEqual(['unexpected_pass']);
  expect(outcome(played('a', ['x', 'y']), { scenarios: ['a'], because: 'r', checks: ['x'] })).toEqual(['unexpected_failure']);
  expect(outcome(played('a', ['y']), { scenarios: ['a'], because: 'r', checks: ['x'] })).toEqual(['unexpected_failure']);
  expect(outcome(played('a', ['y', 'x']), { scenarios: ['a'], because: 'r', checks: ['x', 'y'] })).toEqual(['not_yet']);
  expect(outcome(played('a', []), { scenarios: ['c'], because: 'r' })).toEqual(['passed', 'unexpected_failure']);
  expect(outcome(played('a', ['x']), { scenarios: ['a', 'b'], because: 'r' }, { scenarios: ['a'], because: 's' })).toEqual(['not_yet', 'unexpected_failure']);
});
