import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Definition } from '../../shared/capability.ts';
import type { Fault } from '../../shared/fault.ts';
import { TestRegistry } from '../capabilities/open-test-registry.ts';
import { SchemaChecker } from '../capabilities/schema-checker.ts';
import type { TurnBinding } from '../capabilities/turn-binding.ts';
import { plan } from './plan.ts';

const AGENT = 'agent:default';
const schemas = new SchemaChecker();
let t: TestRegistry;
afterAll(() => schemas.close());
beforeEach(() => {
  t = new TestRegistry(schemas);
  t.server('fs');
});
afterEach(() => t.close());

const read: Definition = { name: 'read', description: 'reads a file', inputSchema: { type: 'object', properties: { path: { type: 'string' } } }, annotations: { readOnlyHint: true } };
const READ = 'mcp:fs:tool:read';
const allow = (capabilityId = READ): void => {
  t.registry.review({ capabilityId, tier: 'read_only', admit: true }, 'user');
  t.registry.setAccess({ principal: AGENT, capabilityId, allowed: true }, 'user');
};
const shownInATurn = async (): Promise<TurnBinding> => {
  await t.offer('fs', [read]);
  allow();
  return t.registry.bound(READ)!;
};
const planned = (binding: TurnBinding, capabilityId = READ) => plan({ capabilityId, principal: AGENT, runId: 'run', input: { text: '{}' }, binding }, t.registry);
const refused = (binding: TurnBinding): Fault => {
  const call = planned(binding);
  if (call.ok) throw new Error('it was planned');
  return call.error;
};

test('BD01 a call of what the turn was shown is planned, as long as nothing of it moved', async () => {
  const binding = await shownInATurn();
  expect(planned(binding)).toMatchObject({ ok: true, value: { candidate: { bindingFingerprint: binding.fingerprint } } });
  await t.offer('fs', [{ inputSchema: read.inputSchema, annotations: read.annotations!, description: 'reads a file', name: 'read' }, { name: 'another' }]);
  expect(planned(binding).ok).toBe(true);
});

test.each<[string, Partial<Definition>, string]>([
  ['description', { description: 'reads and deletes a file' }, 'description'],
  ['schema', { inputSchema: { type: 'object', properties: { path: { type: 'string' }, force: { type: 'boolean' } } } }, 'input schema'],
  ['output schema', { outputSchema: { type: 'object' } }, 'output schema'],
  ['annotations', { annotations: { readOnlyHint: false } }, 'annotations'],
  ['title', { title: 'Read it' }, 'title'],
])('BD02 S15 drift of the %s within a turn is told as that, and that a person has to review', async (_what, drift, words) => {
  const binding = await shownInATurn();
  await t.offer('fs', [{ ...read, ...drift }]);
  const why = refused(binding);
  expect(why).toMatchObject({ code: 'binding_changed', message: expect.stringContaining(`its definition changed (${words})`), remedy: expect.stringContaining('review'), details: { moved: ['definition'], fields: [Object.keys(drift)[0]], now: 'needs_review' } });
  expect(why.message).toContain('Nothing was sent.');
});

test('BD02 a definition that was reviewed and allowed again within the turn is still another one for this turn', async () => {
  const binding = await shownInATurn();
  await t.offer('fs', [{ ...read, description: 'changed' }]);
  allow();
  expect(refused(binding)).toMatchObject({ code: 'binding_changed', remedy: expect.stringContaining('next request shows the tool as it is now'), details: { now: 'usable' } });
  expect(planned(t.registry.bound(READ)!).ok).toBe(true);
});

test('BD02 S14 changed server instructions move the binding and nothing else', async () => {
  const binding = await shownInATurn();
  await t.offer('fs', [read], { instructions: 'Always call read first.' });
  expect(refused(binding)).toMatchObject({ code: 'binding_changed', details: { moved: ['instructions'], now: 'usable' } });
});

test('BD02 a changed launch moves the binding: before the server was read anew, and after', async () => {
  const binding = await shownInATurn();
  t.launches.set('fs', 'another launch');
  expect(refused(binding)).toMatchObject({ code: 'binding_changed', details: { moved: ['launch'], now: 'configuration_changed' } });
  await t.offer('fs', [read]);
  expect(refused(binding)).toMatchObject({ code: 'binding_changed', details: { moved: ['launch'], now: 'usable' } });
});

test('BD02 another review of the same definition moves the binding', async () => {
  const binding = await shownInATurn();
  t.now += 5;
  t.registry.review({ capabilityId: READ, tier: 'high_write', admit: true }, 'user');
  expect(refused(binding)).toMatchObject({ code: 'binding_changed', details: { moved: ['review'], now: 'usable' } });
});

test('BD02 S15 a tool that is removed, or comes back under another name, is gone; the new name is not called for it', async () => {
  const binding = await shownInATurn();
  await t.offer('fs', [{ ...read, name: 'read_file' }]);
  allow('mcp:fs:tool:read_file');
  expect(refused(binding)).toMatchObject({ code: 'binding_changed', message: expect.stringContaining('does not offer it any more'), details: { moved: ['gone'], now: 'gone' } });
  t.registry.forget('fs', 'test');
  expect(refused(binding)).toMatchObject({ code: 'binding_changed', details: { moved: ['gone'], now: 'unknown_capability' } });
});

test('BD01 AC17 what an earlier request carried and this one did not is not called, though it is as it was; drift of it is told as drift', async () => {
  const binding = await shownInATurn();
  const former = () => plan({ capabilityId: READ, principal: AGENT, runId: 'run', input: { text: '{}' }, binding, isUnshown: true }, t.registry);
  expect(former()).toMatchObject({ ok: false, error: { code: 'not_allowed', details: { reason: 'not_in_turn' } } });
  await t.offer('fs', [{ ...read, description: 'changed' }]);
  expect(former()).toMatchObject({ ok: false, error: { code: 'binding_changed' } });
});

test('BD02 a definition that becomes unusable within the turn is drift first', async () => {
  const binding = await shownInATurn();
  await t.offer('fs', [{ ...read, inputSchema: { $ref: 'https://elsewhere.test/x' } }]);
  expect(refused(binding)).toMatchObject({ code: 'binding_changed', details: { moved: ['definition'], fields: ['inputSchema'] } });
});

test('BD03 S16 a definition that drifts away and back within the turn is the one that was shown', async () => {
  const binding = await shownInATurn();
  await t.offer('fs', [{ ...read, description: 'changed' }]);
  expect(planned(binding).ok).toBe(false);
  await t.offer('fs', [read]);
  expect(planned(binding).ok).toBe(true);
  expect(t.registry.get(READ)).toMatchObject({ ok: true, value: { flags: [expect.objectContaining({ code: 'definition_returned' })] } });
});

test('BD04 what a person takes away within the turn is told as that: admission, grant, server', async () => {
  const binding = await shownInATurn();
  t.registry.setAccess({ principal: AGENT, capabilityId: READ, allowed: false }, 'user');
  expect(refused(binding)).toMatchObject({ code: 'not_allowed', details: { reason: 'not_granted' } });
  t.registry.setAccess({ principal: AGENT, capabilityId: READ, allowed: true }, 'user');
  t.states.set('fs', { ready: false, reason: 'disabled' });
  expect(refused(binding)).toMatchObject({ code: 'unavailable', message: expect.stringContaining('switched off'), details: { reason: 'disabled' } });
  t.states.set('fs', { ready: true });
  t.registry.sourceLeft('fs', 'quarantined');
  expect(refused(binding)).toMatchObject({ code: 'unavailable', details: { reason: 'quarantined' } });
  await t.offer('fs', [read]);
  expect(planned(binding).ok).toBe(true);
  t.now += 5;
  t.registry.review({ capabilityId: READ, tier: 'read_only', admit: false }, 'user');
  expect(refused(binding)).toMatchObject({ code: 'not_allowed', details: { reason: 'not_admitted' } });
});

test('BD05 two servers that swap a tool: neither steps in for the other', async () => {
  t.server('web');
  await t.offer('fs', [read]);
  await t.offer('web', [{ ...read, name: 'fetch' }]);
  for (const id of [READ, 'mcp:web:tool:fetch']) allow(id);
  const [ofRead, ofFetch] = [t.registry.bound(READ)!, t.registry.bound('mcp:web:tool:fetch')!];
  await t.offer('fs', [{ ...read, name: 'fetch' }]);
  await t.offer('web', [read]);
  for (const id of ['mcp:fs:tool:fetch', 'mcp:web:tool:read']) allow(id);
  expect(refused(ofRead)).toMatchObject({ code: 'binding_changed', details: { moved: ['gone'] } });
  expect(plan({ capabilityId: 'mcp:web:tool:fetch', principal: AGENT, runId: 'run', input: { text: '{}' }, binding: ofFetch }, t.registry)).toMatchObject({ ok: false, error: { code: 'binding_changed' } });
  // one server's binding opens nothing of another's like-named tool
  expect(planned(ofRead, 'mcp:web:tool:read')).toMatchObject({ ok: false, error: { code: 'binding_changed' } });
});

test('BD06 whatever happens to two servers between the turn and the call, what is planned is what was shown, and it is still a candidate', async () => {
  const NAMES = ['read', 'write'] as const;
  interface Happening {
    readonly what: 'offer' | 'allow' | 'refuse' | 'revoke' | 'launch' | 'disable' | 'enable' | 'leave';
    readonly server: string;
    readonly name: (typeof NAMES)[number];
    readonly names: readonly string[];
    readonly words: string;
    readonly instructions: string | undefined;
  }
  const event: fc.Arbitrary<Happening> = fc.record({
    what: fc.constantFrom('offer', 'offer', 'offer', 'allow', 'allow', 'refuse', 'revoke', 'launch', 'disable', 'enable', 'leave'), server: fc.constantFrom('a', 'b'), name: fc.constantFrom(...NAMES),
    names: fc.subarray([...NAMES]), words: fc.constantFrom('reads a file', 'two'), instructions: fc.constantFrom(undefined, 'i'),
  });
  const act = async (world: TestRegistry, one: Happening): Promise<void> => {
    world.now += 1;
    const { registry } = world;
    if (one.what === 'offer') return world.offer(one.server, one.names.map((name) => ({ ...read, name, description: one.words })), one.instructions === undefined ? {} : { instructions: one.instructions });
    if (one.what === 'launch') return void world.launches.set(one.server, `launch at ${world.now}`);
    if (one.what === 'disable' || one.what === 'enable') return void world.states.set(one.server, one.what === 'enable' ? { ready: true } : { ready: false, reason: 'disabled' });
    if (one.what === 'leave') return registry.sourceLeft(one.server, 'exited');
    const capabilityId = `mcp:${one.server}:tool:${one.name}`;
    if (one.what !== 'revoke') registry.review({ capabilityId, tier: 'read_only', admit: one.what === 'allow' }, 'user');
    registry.setAccess({ principal: AGENT, capabilityId, allowed: one.what === 'allow' }, 'user');
  };
  let [plannedCount, driftCount] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 6 }), fc.array(event, { maxLength: 5 }), async (before, between) => {
      const world = new TestRegistry(schemas);
      try {
        for (const server of ['a', 'b']) {
          world.server(server);
          await world.offer(server, [read]);
          await act(world, { what: 'allow', server, name: 'read', names: [], words: '', instructions: undefined });
        }
        for (const one of before) await act(world, one);
        const ids = ['a', 'b'].flatMap((server) => NAMES.map((name) => `mcp:${server}:tool:${name}`));
        const turn = ids.flatMap((id) => (world.registry.candidate(id, AGENT).ok ? [{ id, binding: world.registry.bound(id)! }] : []));
        for (const one of between) await act(world, one);
        for (const { id, binding } of turn) {
          const call = plan({ capabilityId: id, principal: AGENT, runId: 'run', input: { text: '{}' }, binding }, world.registry);
          const present = world.registry.candidate(id, AGENT);
          expect(call.ok).toBe(present.ok && present.value.bindingFingerprint === binding.fingerprint);
          if (call.ok) {
            plannedCount += 1;
            expect(call.value.candidate).toMatchObject({ capability: { id }, definition: binding.definition, bindingFingerprint: binding.fingerprint, launchFingerprint: binding.launchFingerprint });
          } else {
            if (call.error.code === 'binding_changed') driftCount += 1;
            expect(['binding_changed', 'not_allowed', 'unavailable']).toContain(call.error.code);
            expect(call.error.code === 'binding_changed' && (call.error.details!['moved'] as string[]).length === 0).toBe(false);
          }
          for (const other of ids) if (other !== id) expect(plan({ capabilityId: other, principal: AGENT, runId: 'run', input: { text: '{}' }, binding }, world.registry).ok).toBe(false);
        }
      } finally {
        world.close();
      }
    }),
    { numRuns: 40 },
  );
  expect(Math.min(plannedCount, driftCount)).toBeGreaterThan(5);
});
