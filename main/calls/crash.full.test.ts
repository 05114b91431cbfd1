import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { verifyRun } from '../evidence/verify-run.ts';
import { SqliteStore } from '../store/database.ts';
import { openTestStore } from '../store/open-test-store.ts';

const CHILD = fileURLToPath(new URL('./crash-child.fixture.ts', import.meta.url));

const run = (args: readonly string[]): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (_code, signal) => resolve(signal));
  });

const survive = async (point: string, tier: 'high_write' | 'read_only', code: string, executions: number, field = ''): Promise<void> => {
  const fresh = openTestStore();
  const { path } = fresh;
  fresh.close();
  const record = join(dirname(path), 'executed.txt');
  expect(await run([path, point, tier, record, field])).toBe('SIGKILL');
  // a second host: recovers, then makes one call of its own to its end
  expect(await run([path, 'none', tier, record, field])).toBeNull();
  const store = new SqliteStore(path);
  const rows = store.connection.prepare('SELECT run_id, state, code FROM invocations ORDER BY created_at').all() as { run_id: string; state: string; code: string | null }[];
  expect(rows.map((r) => r.code)).toEqual([code, null]);
  const executed = existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n') : [];
  expect(executed).toHaveLength(executions + 1);
  // each execution has a key of its own: none of them is another one's repeat
  if (field !== '') expect(new Set(executed.map((text) => (JSON.parse(text) as Record<string, string>)[field])).size).toBe(executions + 1);
  for (const row of rows) expect(await verifyRun(store, row.run_id)).toMatchObject({ ok: true, value: { ok: true } });
  store.close();
};

test.each([
['before_intent', 'high_write', 'approval_void', 0],
] as const)('A08 SIGKILL %s (%s): %s after the restart, and the server executed %s times', survive);

test.each([
  ['after_intent', 'high_write', 'outcome_unknown', 0],
  ['after_send', 'high_write', 'outcome_unknown', 0],
  ['after_send', 'read_only', 'interrupted', 0],
] as const)('A09 SIGKILL %s (%s): %s after the restart, and the server executed %s times', survive);

test.each([
  ['after_result', 'high_write', 'outcome_unknown', 1],
  ['after_result', 'read_only', 'interrupted', 1],
] as const)('A10 SIGKILL %s (%s): %s after the restart, and the server executed %s times', survive);

test.each([
  ['before_intent', 'high_write', 'approval_void', 0, 'client_request_id'],
  ['after_intent', 'high_write', 'outcome_unknown', 0, 'client_request_id'],
  ['after_send', 'high_write', 'outcome_unknown', 0, 'client_request_id'],
  ['after_result', 'high_write', 'outcome_unknown', 1, 'client_request_id'],
] as const)('TM30 SIGKILL %s (%s) with a key: %s after the restart, the server executed %s times, and nothing is sent again', survive);
