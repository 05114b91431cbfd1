import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processesWith, until } from './support/census.ts';
import { Gantry } from './support/gantry.ts';

const fixture = fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url));

let gantry: Gantry;
let folder: string;
let recordFile: string;

const recorded = (): { tool: string; arguments: { text: string } }[] =>
  existsSync(recordFile) ? readFileSync(recordFile, 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line)) : [];

/** A connected recording server whose `look` is reviewed as read only; `note` stays unreviewed: it asks. */
const recordingServer = async (): Promise<string> => {
  const { serverId } = await gantry.ask('servers:add', { serverId: 'rec', spec: { kind: 'command', command: process.execPath, args: [fixture] }, env: { RECORD_FILE: recordFile } });
  expect(await gantry.ask('servers:connect', { serverId })).toMatchObject({ state: 'ready' });
  await gantry.ask('capabilities:review', { capabilityId: 'mcp:rec:tool:look', tier: 'read_only', admit: true });
  return serverId;
};

beforeEach(() => {
  gantry = new Gantry();
  folder = mkdtempSync(join(tmpdir(), 'gantry-rec-'));
  recordFile = join(folder, 'record.jsonl');
});
afterEach(async () => {
  await gantry.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test('H05 what was installed, reviewed, granted and called is found as it was after a restart', async () => {
  await gantry.start(['--approvals=script']);
  const { serverId } = await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('servers:connect', { serverId });
  await gantry.ask('access:set', { principal: 'agent:default', serverId, allowed: true });
  const called = await gantry.ask('calls:try', { capabilityId: `mcp:${serverId}:tool:get_versions`, input: {}, wait: true });
  expect(called).toMatchObject({ state: 'completed', class: 'ok' });
  const before = await gantry.ask('capabilities:list', { serverId });
  const runBefore = await gantry.ask('runs:get', { runId: called.runId });
  await gantry.stop();

  await gantry.start(['--approvals=script']);
  await until('the server is ready again by itself', async () => (await gantry.ask('servers:list', {})).servers[0]?.state === 'ready');
  const after = await gantry.ask('capabilities:list', { serverId });
  const same = (list: typeof before) => list.capabilities.map(({ lastSeenAt: _l, available: _a, ...c }) => c);
  expect(same(after)).toEqual(same(before));
  expect(await gantry.ask('runs:get', { runId: called.runId })).toEqual(runBefore);
  expect(await gantry.ask('runs:verify', { runId: called.runId })).toMatchObject({ ok: true });
});

test('H06 nothing runs after quit: neither servers nor what they started', async () => {
  await gantry.start();
  await recordingServer();
  const { serverId } = await gantry.ask('servers:add', { spec: { kind: 'command', command: 'sh', args: ['-c', `sleep 600 & exec "${process.execPath}" "${fixture}"`] }, env: { RECORD_FILE: recordFile } });
  expect(await gantry.ask('servers:connect', { serverId })).toMatchObject({ state: 'ready' });
  expect(processesWith(recordFile).length).toBeGreaterThanOrEqual(3);
  await gantry.stop();
  await until('no process of a server is left', () => processesWith(recordFile).length === 0);
});

test('H07 a host killed between intent and outcome: a read ends interrupted, a write outcome_unknown, and nothing is sent twice', async () => {
  await gantry.start(['--approvals=script']);
  await recordingServer();
  const read = await gantry.ask('calls:try', { capabilityId: 'mcp:rec:tool:look', input: { text: 'slow read', waitMs: 60_000 }, wait: false });
  const write = await gantry.ask('calls:try', { capabilityId: 'mcp:rec:tool:note', input: { text: 'slow write', waitMs: 60_000 }, wait: false });
  expect(write).toMatchObject({ state: 'awaiting_approval' });
  await gantry.ask('approvals:decide', { approvalId: write.approvalId!, decision: 'approve' });
  await until('both calls reached the server', () => recorded().length === 2);
  await gantry.stop('SIGKILL');

  await gantry.start(['--approvals=script']);
  const readNow = (await gantry.ask('calls:get', { invocationId: read.invocationId })).invocation;
  const writeNow = (await gantry.ask('calls:get', { invocationId: write.invocationId })).invocation;
  expect(readNow).toMatchObject({ state: 'failed', code: 'interrupted' });
  expect(writeNow).toMatchObject({ state: 'failed', code: 'outcome_unknown' });
  for (const runId of [read.runId, write.runId]) expect(await gantry.ask('runs:verify', { runId })).toMatchObject({ ok: true });
  await until('the server is up again', async () => (await gantry.ask('servers:list', {})).servers[0]?.state === 'ready');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(recorded().map((r) => r.arguments.text).sort()).toEqual(['slow read', 'slow write']);
  // the used approval cannot be used again
  expect((await gantry.rpc('approvals:decide', { approvalId: write.approvalId!, decision: 'approve' }))).toMatchObject({ ok: true, value: { approval: { state: 'consumed' } } });
  expect(recorded()).toHaveLength(2);
});

test('H08 a server killed in mid-call: the write is outcome_unknown, said so, and not repeated', async () => {
  await gantry.start(['--approvals=script']);
  const serverId = await recordingServer();
  const call = await gantry.ask('calls:try', { capabilityId: 'mcp:rec:tool:note', input: { text: 'killed', waitMs: 60_000 }, wait: false });
  await gantry.ask('approvals:decide', { approvalId: call.approvalId!, decision: 'approve' });
  await until('the call reached the server', () => recorded().length === 1);
  const { server } = await gantry.ask('servers:get', { serverId });
  process.kill(server.connection!.pid!, 'SIGKILL');
  await until('the call ended', async () => (await gantry.ask('calls:get', { invocationId: call.invocationId })).invocation.state === 'failed');
  const { invocation } = await gantry.ask('calls:get', { invocationId: call.invocationId });
  expect(invocation).toMatchObject({ code: 'outcome_unknown', class: 'outcome_unknown' });
  expect(invocation.fault?.message).toBeTruthy();
  await until('the server is ready again', async () => (await gantry.ask('servers:get', { serverId })).server.state === 'ready');
  expect(recorded()).toHaveLength(1);
});

test('H09 a changed configuration empties the candidates at once and voids what waited', async () => {
  await gantry.start(['--approvals=script']);
  const serverId = await recordingServer();
  await gantry.ask('capabilities:review', { capabilityId: 'mcp:rec:tool:note', tier: 'high_write', admit: true });
  await gantry.ask('access:set', { principal: 'agent:default', serverId, allowed: true });
  const exposed = async () => (await gantry.ask('funnel:get', { principal: 'agent:default', serverId })).stages.find((s) => s.stage === 'fresh_healthy')!.count;
  expect(await exposed()).toBe(2);
  const waiting = await gantry.ask('calls:try', { capabilityId: 'mcp:rec:tool:note', input: { text: 'later' }, wait: false });
  const updated = await gantry.ask('servers:update', { serverId, env: { NOTE_DESCRIPTION: 'Writes a note, and more.', START_DELAY_MS: '8000' } });
  expect(updated.launchChanged).toBe(true);
  expect(await exposed()).toBe(0);
  expect((await gantry.ask('approvals:get', { approvalId: waiting.approvalId! })).approval.state).toBe('void');
  // a changed launch asks again: nothing ran meanwhile
  expect(await gantry.ask('servers:connect', { serverId })).toMatchObject({ state: 'unavailable', code: 'consent_required' });
  expect(processesWith(recordFile)).toEqual([]);
  expect(await gantry.ask('servers:connect', { serverId, consent: updated.fingerprint })).toMatchObject({ state: 'ready' });
  // look is unchanged and keeps its grant; note was declared anew and lost it
  expect(await exposed()).toBe(1);
  const note = (await gantry.ask('capabilities:get', { capabilityId: 'mcp:rec:tool:note' })).capability;
  expect(note).toMatchObject({ admitted: false, needsReview: true, grantedTo: [], changedFields: ['description'] });
  expect(recorded()).toHaveLength(0);
});

test('H10 quarantine ends the server, revokes its grants and names what to rotate', async () => {
  await gantry.start(['--approvals=script'], { GANTRY_PASSPHRASE: 'correct horse battery' });
  const serverId = await recordingServer();
  await gantry.ask('servers:update', { serverId, env: { API_KEY: { secret: 'canary-value-0451' } }, consent: true });
  await gantry.ask('servers:connect', { serverId });
  await gantry.ask('access:set', { principal: 'agent:default', capabilityId: 'mcp:rec:tool:look', allowed: true });
  // what is in no quarantine is not switched off by a release
  await gantry.ask('servers:release', { serverId });
  expect((await gantry.ask('servers:list', {})).servers.find(({ id }) => id === serverId)).toMatchObject({ enabled: true, status: { state: 'ready' } });
  const report = await gantry.ask('servers:quarantine', { serverId, reason: 'odd calls' });
  expect(report).toMatchObject({ revokedGrants: 1, secretsToRotate: ['env.API_KEY'] });
  expect(processesWith(recordFile)).toEqual([]);
  expect(await gantry.ask('servers:connect', { serverId })).toMatchObject({ state: 'unavailable', code: 'quarantined' });
  expect(await gantry.rpc('calls:try', { capabilityId: 'mcp:rec:tool:look', input: { text: 'x' } })).toMatchObject({ ok: true, value: { state: 'failed' } });
  expect(recorded()).toHaveLength(0);
});
