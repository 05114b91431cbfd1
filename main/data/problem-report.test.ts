import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import type { HealthStatus } from '../../shared/settings.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { addServerFact } from '../store/server-facts.ts';
import { insertServer } from '../store/servers.ts';
import { readSettings } from '../store/settings.ts';
import { problemReport } from './problem-report.ts';

const dataDir = mkdtempSync(`${tmpdir()}/gantry-report-`);
const store = openTestStore();
type Call = { readonly id: string; readonly stage: string; readonly code: string; readonly message: string; readonly input: object };
const failed = ({ id, stage, code, message, input }: Call): void =>
  store.write((db) => {
    db.run("INSERT OR IGNORE INTO runs (id, kind, title, principal, trace_id, state, started_at, head_hash) VALUES ('r', 'try', 't', 'user', 't', 'running', 1, '')");
    db.run(
      `INSERT INTO invocations (id, run_id, capability_id, principal, tier, state, stage, code, class, fault_json, frozen_input, input_hash, created_at)
       VALUES (?, 'r', 'mcp:files:tool:read', 'user', 'read_only', 'failed', ?, ?, 'tool_error', ?, ?, 'h', 1)`,
      [id, stage, code, JSON.stringify({ code, message }), JSON.stringify(input)],
    );
  });
const report = (logs: readonly string[] = []) =>
  JSON.parse(
    problemReport({
      store, filter: { value: (value) => ({ value, masked: 0 }) as never }, identity: { dataDir, home: '/home/nobody-here', user: '', host: '' }, now: () => 1,
      health: () => ({}) as HealthStatus, settings: () => store.read(readSettings), stateOf: () => ({ state: 'disconnected' }) as never,
      logs: () => logs.map((text, i) => ({ seq: i, at: 1, source: 'stderr', text }) as never),
    }).text,
  );

test('DA09 the message of a call repeats nothing of its own input: not a path, not its end, not a line, whatever its spelling', () => {
  failed({ id: 'a', stage: 'evidence', code: 'tool_error', message: 'ENOENT: no such file, open "/mnt/allowed/Tax 2025.pdf" for ANNA ("say \\"hi\\"") second line', input: { path: 'private/Tax 2025.pdf', who: 'anna', deep: [{ text: 'say "hi"' }], lines: 'a\nsecond line' } });
  const [one] = report().failures;
  expect(one.message).toBe('ENOENT: no such file, open "/mnt/allowed/[value]" for [value] ("[value]") [value]');
  expect(one).not.toHaveProperty('input');
});

test('DA09 a failure is told with the stage that the window shows', () => {
  expect(report().failures).toMatchObject([{ code: 'tool_error', stage: 'validate' }]);
});

test('DA09 what a person wrote beside a denial, a rule or a quarantine stays out, however short it is at the end of the sentence', () => {
  failed({ id: 'b', stage: 'approve', code: 'denied', message: 'A person denied this call: no', input: {} });
  failed({ id: 'c', stage: 'policy', code: 'denied', message: 'A rule denies this call: never for my landlord', input: {} });
  store.write((db) => {
    db.run(
      `INSERT INTO approvals (id, invocation_id, run_id, capability_id, input_hash, nonce, state, binding_fingerprint, policy_version, detail_json, created_at, expires_at, decided_at, decided_by, reason)
       VALUES ('p', 'b', 'r', 'x', 'h', 'n', 'denied', 'f', 'v', '{}', 1, 2, 1, 'user', 'no')`,
    );
    db.run('INSERT INTO rules (id, rule_json, created_at) VALUES (?, ?, 1)', ['rule', JSON.stringify({ note: 'never for my landlord' })]);
    insertServer(db, { id: 'files', name: 'Files', spec: { kind: 'command', command: 'node', args: ['a', 'b'] }, args: ['c'], env: {}, headers: {}, placeholders: null, home: 'own', enabled: false, required: false, era: null, eraAt: null, marketEntryId: null, quarantinedAt: null, consentedFingerprint: null, createdAt: 1 });
    addServerFact(db, 'files', { step: 'quarantine', at: 1, ok: true, data: { quarantined: true, reason: 'it wrote to my boss' } });
  });
  const { failures, serverLogs, servers } = report(['quarantined: It wrote to my boss', 'opened private/Tax 2025.pdf']);
  expect(failures.map((f: { message: string }) => f.message).toSorted().slice(0, 2)).toEqual(['A person denied this call: [reason]', 'A rule denies this call: [reason]']);
  expect(serverLogs.files.map((line: string) => line.replace(/^.*?: /, ''))).toEqual(['quarantined: [value]', 'opened [value]']);
  expect(servers).toMatchObject([{ id: 'files', arguments: 3 }]);
});

test('DA07 D32 a failed call or a note that cannot be read is left out, and the report is made', () => {
  failed({ id: 'd', stage: 'no stage', code: 'tool_error', message: 'odd', input: {} });
  store.write((db) => db.run('INSERT INTO rules (id, rule_json, created_at) VALUES (?, ?, 1)', ['odd', JSON.stringify({ note: 5 })]));
  expect(report().failures.map((one: { message: string }) => one.message)).not.toContain('odd');
});
