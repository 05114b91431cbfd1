import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Capability, Definition } from '../../shared/capability.ts';
import { CapabilityDetailSchema, CapabilitySchema, FunnelSchema } from '../../shared/capability.ts';
import { deleteServer } from '../store/servers.ts';
import { definitionFingerprint } from './fingerprint.ts';
import { TestRegistry } from './open-test-registry.ts';
import { SchemaChecker } from './schema-checker.ts';

const AGENT = 'agent:default';
const schemas = new SchemaChecker();
let t: TestRegistry;
afterAll(() => schemas.close());
beforeEach(() => {
  t = new TestRegistry(schemas);
  t.server('fs');
});
afterEach(() => t.close());

const tool = (name: string, more: Partial<Definition> = {}): Definition => ({ name, description: `${name} things`, inputSchema: { type: 'object', properties: { path: { type: 'string' } } }, ...more });
const id = (name: string, server = 'fs'): string => `mcp:${server}:tool:${name}`;
const get = (name: string, server = 'fs'): Capability => t.registry.list({ serverId: server }).find((capability) => capability.name === name)!;
const admit = (name: string, server = 'fs', tier: 'read_only' | 'low_write' = 'read_only') => t.registry.review({ capabilityId: id(name, server), tier, admit: true }, 'user');
const allow = (name: string, server = 'fs') => t.registry.setAccess({ principal: AGENT, capabilityId: id(name, server), allowed: true }, 'user');
const code = (name: string, principal = AGENT, server = 'fs'): string => {
  const candidate = t.registry.candidate(id(name, server), principal);
  return candidate.ok ? 'candidate' : candidate.error.code === 'not_allowed' ? String(candidate.error.details?.['reason']) : candidate.error.code;
};
const usable = async (): Promise<void> => {
  await t.offer('fs', [tool('read'), tool('write')]);
  admit('read');
  allow('read');
};

test('R20 what is discovered is registered under its local identity, off, and waits for review', async () => {
  const changed: string[] = [];
  t.bus.on('capabilities:changed', ({ serverId }) => changed.push(serverId));
  await t.offer('fs', [tool('read'), tool('a:b c/😀')]);
  const list = t.registry.list();
  expect(list.map((capability) => capability.id)).toEqual(['mcp:fs:tool:read', 'mcp:fs:tool:a:b c/😀']);
  for (const capability of list) {
    expect(CapabilitySchema.parse(capability)).toMatchObject({ admitted: false, needsReview: true, tier: 'unknown', tierSource: 'default', grantedTo: [], available: true, schemaState: 'checked', changedFields: [] });
  }
  expect(t.registry.list({ needsReview: true })).toHaveLength(2);
  expect(t.registry.countNeedsReview()).toBe(2);
  expect(changed).toEqual(['fs']);
  const detail = t.registry.get(id('read'));
  expect(detail.ok && CapabilityDetailSchema.parse(detail.value)).toMatchObject({ definition: { name: 'read' }, review: null, previousDefinition: null });
  expect(t.registry.get('mcp:fs:tool:nope')).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('R21 the one decision names the code, in order: unknown, review, admission, grant, source', async () => {
  await t.offer('fs', [tool('read')]);
  expect(code('nope')).toBe('unknown_capability');
  expect(code('read')).toBe('needs_review');
  t.registry.review({ capabilityId: id('read'), tier: 'read_only', admit: false }, 'user');
  expect(code('read')).toBe('not_admitted');
  admit('read');
  expect(code('read')).toBe('not_granted');
  allow('read');
  expect(code('read')).toBe('candidate');
  t.states.set('fs', { ready: false, reason: 'quarantined' });
  expect(t.registry.candidate(id('read'), AGENT)).toMatchObject({ ok: false, error: { code: 'unavailable', details: { reason: 'quarantined' } } });
});

test('R22 a review records who, when and why, binds to the present definition, and a refusal takes the grants', async () => {
  await usable();
  const fingerprint = get('read').definitionFingerprint;
  expect(t.registry.review({ capabilityId: id('read'), tier: 'low_write', admit: true, definitionFingerprint: 'other' }, 'user')).toMatchObject({ ok: false, error: { code: 'binding_changed' } });
  const before = get('read').bindingFingerprint;
  t.now += 5;
  const reviewed = t.registry.review({ capabilityId: id('read'), tier: 'low_write', admit: true, purpose: 'read files', definitionFingerprint: fingerprint }, 'window');
  expect(reviewed).toMatchObject({ ok: true, value: { capability: { tier: 'low_write', tierSource: 'user', admitted: true, grantedTo: [AGENT] } } });
  expect(get('read').bindingFingerprint).not.toBe(before);
  const detail = t.registry.get(id('read'));
  expect(detail.ok && detail.value.review).toEqual({ tier: 'low_write', admit: true, purpose: 'read files', by: 'window', at: t.now, definitionFingerprint: fingerprint });
  t.registry.review({ capabilityId: id('read'), tier: 'low_write', admit: false }, 'window');
  expect(get('read')).toMatchObject({ admitted: false, grantedTo: [], needsReview: false });
  admit('read');
  expect(code('read')).toBe('not_granted');
  expect(t.registry.review({ capabilityId: 'mcp:fs:tool:nope', tier: 'read_only', admit: true }, 'user')).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('R23 withdrawal tells whether an equivalent remains: admitted, available, of the same name or purpose', async () => {
  t.server('other');
  await usable();
  await t.offer('other', [tool('read'), tool('fetch')]);
  const withdraw = (name: string) => {
    const result = t.registry.review({ capabilityId: id(name), tier: 'read_only', admit: false }, 'user');
    return result.ok && result.value.equivalentRemains;
  };
  expect(withdraw('read')).toBe(false);
  admit('read', 'other');
  expect(withdraw('read')).toBe(true);
  t.states.set('other', { ready: false });
  expect(withdraw('read')).toBe(false);
  t.states.set('other', { ready: true });
  t.registry.review({ capabilityId: id('write'), tier: 'low_write', admit: true, purpose: 'Keep notes' }, 'user');
  t.registry.review({ capabilityId: id('fetch', 'other'), tier: 'low_write', admit: true, purpose: 'keep notes ' }, 'user');
  expect(withdraw('write')).toBe(true);
});

test('R24 access: by capability, list and server, effective at once, each change on record, skips with reasons', async () => {
  await t.offer('fs', [tool('read'), tool('write'), tool('far', { inputSchema: { type: 'object', properties: { a: { $ref: 'https://example.test/x' } } } })]);
  admit('read');
  const set = (input: object) => t.registry.setAccess({ principal: AGENT, allowed: true, ...input }, 'window');
  expect(set({ serverId: 'fs' })).toEqual({ ok: true, value: { changed: 1, skipped: [{ capabilityId: id('write'), reason: 'needs_review' }, { capabilityId: id('far'), reason: 'schema_excluded' }] } });
  expect(code('read')).toBe('candidate');
  expect(set({ capabilityIds: [id('read'), 'mcp:fs:tool:nope'] })).toEqual({ ok: true, value: { changed: 0, skipped: [{ capabilityId: 'mcp:fs:tool:nope', reason: 'unknown_capability' }] } });
  expect(set({ serverId: 'fs', allowed: false })).toEqual({ ok: true, value: { changed: 1, skipped: [] } });
  expect(code('read')).toBe('not_granted');
  t.states.set('fs', { ready: false });
  expect(set({ capabilityId: id('read') })).toMatchObject({ ok: true, value: { changed: 1 } });
  expect(set({})).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
  expect(set({ capabilityId: 'mcp:fs:tool:nope' })).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(t.registry.history({ serverId: 'fs' }).map(({ principal, capabilityId, allowed, by }) => ({ principal, capabilityId, allowed, by }))).toEqual([true, false, true].map((allowed) => ({ principal: AGENT, capabilityId: id('read'), allowed, by: 'window' })));
  expect(t.registry.history({ serverId: 'f' })).toEqual([]);
  expect(t.registry.revokeAll('fs', 'quarantine')).toBe(1);
  expect(t.registry.revokeAll('fs', 'quarantine')).toBe(0);
});

test('R25 grants are of one principal each; the user holds an implicit one, except to what is excluded', async () => {
  await t.offer('fs', [tool('read'), tool('far', { inputSchema: { $ref: '#/nope' } })]);
  expect(code('read', 'user')).toBe('candidate');
  expect(code('far', 'user')).toBe('schema_excluded');
  admit('read');
  allow('read');
  expect(code('read', 'flow:a')).toBe('not_granted');
  const granted = (): unknown => {
    const found = t.registry.candidate(id('read'), 'user');
    return found.ok && found.value.capability.grantedTo;
  };
  const before = granted();
  t.registry.setAccess({ principal: 'flow:a', capabilityId: id('read'), allowed: true }, 'user');
  expect(granted()).toEqual([...(before as string[]), 'flow:a']);
  t.registry.setAccess({ principal: 'flow:a', capabilityId: id('read'), allowed: false }, 'user');
  expect(granted()).toEqual(before);
  expect(t.registry.setAccess({ principal: 'user', capabilityId: id('read'), allowed: false }, 'user')).toMatchObject({ ok: true, value: { changed: 0, skipped: [{ reason: 'implicit_grant' }] } });
});

test('R26 the registry is in the store: after a restart all is listed, unavailable until read again, and grants hold', async () => {
  await usable();
  const before = t.registry.list();
  t.states.set('fs', { ready: false, reason: 'not connected' });
  t.open();
  expect(t.registry.list()).toEqual(before.map((capability) => ({ ...capability, available: false, unavailableReason: 'not connected' })));
  t.states.set('fs', { ready: true });
  expect(code('read')).toBe('unavailable');
  await t.offer('fs', [tool('read'), tool('write')]);
  expect(code('read')).toBe('candidate');
  expect(get('read').bindingFingerprint).toBe(before[0]!.bindingFingerprint);
});

test('R27 what is no longer offered is kept and says so; what returns is the same again', async () => {
  await usable();
  await t.offer('fs', [tool('write')]);
  expect(get('read')).toMatchObject({ available: false, unavailableReason: 'gone', needsReview: false, grantedTo: [AGENT] });
  expect(code('read')).toBe('unavailable');
  t.states.set('fs', { ready: false, reason: 'not connected' });
  t.open();
  expect(get('read').unavailableReason).toBe('gone');
  t.states.set('fs', { ready: true });
  await t.offer('fs', [tool('read'), tool('write')]);
  expect(code('read')).toBe('candidate');
});

test('R28 a failed or partial list takes nothing away for good, and nothing unread is used', async () => {
  await usable();
  const fact = { at: 0, launchFingerprint: '', resources: { outcome: 'not_offered' }, resourceTemplates: { outcome: 'not_offered' }, prompts: { outcome: 'not_offered' } } as const;
  await t.offer('fs', [], { fact: { ...fact, tools: { outcome: 'failed', fault: { code: 'discovery_failed', message: 'broken' } } } });
  expect(get('read')).toMatchObject({ available: false, unavailableReason: expect.stringContaining('incomplete') });
  await t.offer('fs', [tool('read')], { fact: { ...fact, tools: { outcome: 'read', count: 1, partial: true, malformed: [] } } });
  expect(code('read')).toBe('candidate');
  expect(get('write').unavailableReason).toContain('incomplete');
  await t.offer('fs', [], { fact: { ...fact, tools: { outcome: 'not_offered' } } });
  expect(get('read').unavailableReason).toBe('gone');
});

test('R29 candidates leave at once when the server fails, is left, or its configuration changes', async () => {
  await usable();
  const moves: [() => void, () => void, RegExp][] = [
    [() => t.states.set('fs', { ready: false, reason: 'disabled' }), () => t.states.set('fs', { ready: true }), /disabled/],
    [() => t.launches.set('fs', 'another'), () => t.launches.set('fs', 'launch-of-fs'), /configuration/],
    [() => t.launches.delete('fs'), () => t.launches.set('fs', 'launch-of-fs'), /configuration/],
  ];
  for (const [leave, come, reason] of moves) {
    leave();
    expect(t.registry.candidate(id('read'), AGENT)).toMatchObject({ ok: false, error: { code: 'unavailable', details: { reason: expect.stringMatching(reason) } } });
    come();
    expect(code('read')).toBe('candidate');
  }
  t.registry.sourceLeft('fs', 'isolated after a protocol fault');
  expect(get('read').unavailableReason).toBe('isolated after a protocol fault');
  await t.offer('fs', [tool('read')]);
  expect(code('read')).toBe('candidate');
  const reading = t.offer('fs', [tool('read')]);
  t.registry.sourceLeft('fs', 'left while it was read');
  await reading;
  expect(get('read').unavailableReason).toBe('left while it was read');
});

test('R30 the funnel and the candidates are one decision', async () => {
  t.server('other');
  await usable();
  await t.offer('fs', [tool('read'), tool('write'), tool('far', { inputSchema: { $ref: '#/nope' } }), tool('late')]);
  admit('late');
  await t.offer('other', [tool('x'), tool('y')]);
  admit('x', 'other');
  allow('x', 'other');
  t.states.set('other', { ready: false, reason: 'crashing' });
  for (const principal of [AGENT, 'user', 'flow:none']) {
    const funnel = FunnelSchema.parse(t.registry.funnel({ principal }));
    const last = funnel.stages.find((stage) => stage.stage === 'fresh_healthy')!;
    const candidates = t.registry.list().filter((capability) => t.registry.candidate(capability.id, principal).ok).map((capability) => capability.id);
    expect(last.capabilityIds).toEqual(candidates);
    const evaluated = funnel.stages.filter((stage) => stage.evaluated);
    expect(funnel.stages.filter((stage) => !stage.evaluated).map((stage) => stage.stage)).toEqual(['in_scope', 'fits_route', 'exposed']);
    evaluated.forEach((stage, i) => {
      expect(stage.count).toBe(stage.capabilityIds.length);
      if (i > 0) expect(stage.count + stage.lost.length).toBe(evaluated[i - 1]!.count);
      for (const lost of stage.lost) {
        const candidate = t.registry.candidate(lost.capabilityId, principal);
        expect(!candidate.ok && candidate.error.details).toMatchObject({ reason: lost.reason, stage: stage.stage });
      }
    });
  }
});

test('R31 the catalog admits by exact name or bound definition, until a person decides', async () => {
  const fingerprint = definitionFingerprint(tool('bound'));
  t.catalog.set('fs/free', { tier: 'read_only', purpose: { en: 'look', zh: '看' } });
  t.catalog.set('fs/bound', { tier: 'low_write', purpose: 'change', definitionFingerprint: fingerprint.ok ? fingerprint.value : '' });
  await t.offer('fs', [tool('free'), tool('bound'), tool('Free')]);
  expect(get('free')).toMatchObject({ admitted: true, tier: 'read_only', tierSource: 'catalog', needsReview: false, grantedTo: [] });
  expect(get('bound')).toMatchObject({ admitted: true, tier: 'low_write', tierSource: 'catalog' });
  expect(get('Free')).toMatchObject({ admitted: false, needsReview: true });
  await t.offer('fs', [tool('free'), tool('bound', { description: 'now deletes' })]);
  expect(get('bound')).toMatchObject({ admitted: false, needsReview: true, tier: 'unknown' });
  t.registry.review({ capabilityId: id('free'), tier: 'read_only', admit: false }, 'user');
  await t.offer('fs', [tool('free', { description: 'other words' })]);
  expect(get('free')).toMatchObject({ admitted: false, needsReview: true });
});

test('R32 nothing of a removed server is inherited by another under its id', async () => {
  await usable();
  t.store.write((db) => deleteServer(db, 'fs'));
  t.bus.emit('server:removed', { serverId: 'fs' });
  expect(t.registry.list()).toEqual([]);
  t.server('fs');
  await t.offer('fs', [tool('read')]);
  expect(get('read')).toMatchObject({ admitted: false, needsReview: true, grantedTo: [] });
  expect(t.registry.history({ serverId: 'fs' })[0]).toMatchObject({ allowed: false, by: 'host:server_removed' });
  admit('read');
  allow('read');
  t.store.write((db) => deleteServer(db, 'fs'));
  t.open();
  t.server('fs');
  await t.offer('fs', [tool('read')]);
  expect(get('read')).toMatchObject({ admitted: false, grantedTo: [] });
});

test('R33 a reading of a server that is gone writes nothing', async () => {
  const reading = t.offer('fs', [tool('read')]);
  t.store.write((db) => deleteServer(db, 'fs'));
  await reading;
  expect(t.registry.list()).toEqual([]);
});

test('R34 prompts and resources are capabilities too; a tool of the same name is another', async () => {
  await t.offer('fs', [{ name: 'read', uri: 'file:///x', mimeType: 'text/plain' }], { kind: 'resource' });
  expect(t.registry.list().map((capability) => [capability.id, capability.schemaState])).toEqual([['mcp:fs:resource:read', 'checked']]);
  expect(t.registry.counts('fs')).toMatchObject({ discovered: true, tools: 0, resources: 1, total: 1 });
});
