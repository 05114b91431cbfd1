import { expect, test } from 'vitest';
import { approveGate, denyGate } from './decision-gate.ts';
import type { GateFacts } from './decision-gate.ts';

const facts = (more: Partial<GateFacts>): GateFacts => ({ state: 'pending', tier: 'high_write', armed: true, endSeen: true, busy: false, expired: false, ...more });

test('U63 a dialog that has just appeared takes no decision', () => {
  expect(approveGate(facts({ armed: false }))).toEqual({ open: false, why: 'arming' });
  expect(denyGate(facts({ armed: false }))).toEqual({ open: false, why: 'arming' });
});

test('U63 what may be hard to undo is approved only after its whole input was in sight', () => {
  for (const tier of ['high_write', 'unknown'] as const) expect(approveGate(facts({ tier, endSeen: false }))).toEqual({ open: false, why: 'unread' });
  for (const tier of ['read_only', 'low_write'] as const) expect(approveGate(facts({ tier, endSeen: false })).open).toBe(true);
  expect(denyGate(facts({ endSeen: false })).open).toBe(true);
});

test('U63 a second click, an expired or a decided approval changes nothing', () => {
  expect(approveGate(facts({ busy: true }))).toEqual({ open: false, why: 'busy' });
  expect(approveGate(facts({ expired: true }))).toEqual({ open: false, why: 'expired' });
  for (const state of ['approved', 'consumed', 'denied', 'expired', 'void'] as const) expect(approveGate(facts({ state }))).toEqual({ open: false, why: 'decided' });
});
