import { expect, test } from 'vitest';
import type { ServerState, ServerSummary } from '../../../shared/server.ts';
import { en as appEn } from '../../app/en.ts';
import { zh as appZh } from '../../app/zh.ts';
import { en } from './en.ts';
import { countStates, STATE_ORDER } from './server-counts.ts';
import { zh } from './zh.ts';

const one = (status: ServerState, more: Partial<ServerSummary> = {}): ServerSummary =>
  ({ id: 's', name: 's', spec: { kind: 'builtin', name: 'environment' }, enabled: true, required: false, quarantinedAt: null, status, state: status.state, toolCount: null, grantedCount: 0, agentAccess: { tools: 0, allowed: 0, allowable: 0 }, createdAt: 0, ...more });
const unavailable = (code: string): ServerState => ({ state: 'unavailable', since: 0, code, fault: { code, message: '' } });

test('U23 each server is counted once, under the state its row shows, and the sum is all of them', () => {
  const servers = [
    one({ state: 'ready', since: 0 }), one({ state: 'ready', since: 0 }), one({ state: 'installed' }), one({ state: 'stopping', since: 0 }), one({ state: 'installing', step: 'check' }),
    one({ state: 'connecting', since: 0 }), one({ state: 'discovering', since: 0 }), one(unavailable('exited')), one(unavailable('consent_required')), one(unavailable('secret_store_locked')),
    one(unavailable('disabled'), { enabled: false }), one(unavailable('quarantined'), { quarantinedAt: 1 }),
  ];
  const counts = countStates(servers);
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(servers.length);
  expect(Object.fromEntries(counts.map(({ state, count }) => [state, count]))).toEqual({ ready: 2, installed: 1, stopping: 1, installing: 1, connecting: 1, discovering: 1, unavailable: 1, consent: 1, locked: 1, disabled: 1, quarantined: 1 });
});

test('U23 every state that is counted has its words, in the list and at the bottom edge, in both languages', () => {
  for (const words of [en.state, zh.state, appEn.edge.of, appZh.edge.of]) expect(Object.keys(words)).toEqual(expect.arrayContaining([...STATE_ORDER]));
});
