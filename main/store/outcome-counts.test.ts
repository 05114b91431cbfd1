import { expect, test } from 'vitest';
import { addServerFact } from './server-facts.ts';
import { openTestStore } from './open-test-store.ts';
import { countFailedStarts, countOutcomes } from './outcome-counts.ts';

test('H18 a call that was refused before it was sent is no failure, a start that failed is one', () => {
  const store = openTestStore();
  store.connection.exec('PRAGMA foreign_keys = OFF');
  const counts = store.write((db) => {
    for (const [n, [state, code]] of ([['completed', null], ['failed', 'denied'], ['failed', 'approval_expired'], ['failed', 'not_allowed'], ['failed', 'invalid_input'], ['failed', 'tool_error'], ['failed', 'outcome_unknown'], ['failed', null]] as const).entries()) {
      db.run(
        `INSERT INTO invocations (id, run_id, capability_id, principal, tier, state, stage, code, class, fault_json, frozen_input, input_hash, binding_fingerprint, definition_fingerprint, grounded, created_at, started_at, ended_at, waited_ms)
         VALUES (?, 'r', 'mcp:a:tool:x', 'user', 'read', ?, 'outcome', ?, NULL, NULL, '{}', 'h', 'b', 'd', 0, 1, 1, ?, 0)`,
        [`i${n}`, state, code, n],
      );
    }
    for (const code of ['connection_failed', 'exited', 'consent_required', 'secret_store_locked']) addServerFact(db, 'a', { step: 'failure', at: 1, ok: false, data: { code } });
    addServerFact(db, 'b', { step: 'failure', at: 1, ok: false, data: { code: 'exited' } });
    return { calls: countOutcomes(db, 'a'), starts: countFailedStarts(db, 'a') };
  });
  expect(counts).toEqual({ calls: { total: 8, failed: 3, unknown: 1, lastUnknownAt: 6 }, starts: 2 });
});
