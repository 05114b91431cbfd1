import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Run } from '../../shared/run.ts';
import { systemClock } from '../clock.ts';
import { verifyRun } from '../evidence/verify-run.ts';
import type { SqliteStore } from './database.ts';
import { eventsOf } from './events.ts';
import { getInvocation, resultText } from './invocations.ts';
import type { InvocationRow } from './invocations.ts';
import { openStore } from './open.ts';
import { openTestStore } from './open-test-store.ts';
import { getRun } from './runs.ts';
import { STEP_SLOTS } from './steps.ts';
import type { RunRows } from './steps.ts';

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).toReversed().forEach((step) => step()));
const testStore = (): SqliteStore => {
  const store = openTestStore();
  undo.push(() => store.close());
  return store;
};

const runOf = (id: string, eventCount: number): Run => ({ id, kind: 'try', title: 'echo', principal: 'user', traceId: 't', state: 'running', code: null, startedAt: 1, endedAt: null, eventCount, headHash: `h${eventCount}` });
const event = (seq: number, data = `{"n":${seq}}`) => ({ seq, hash: `h${seq}`, at: seq, type: 'turn.request', invocation_id: null, data_json: data });
const callOf = (id: string, runId: string): InvocationRow => ({
  id, runId, capabilityId: 'mcp:a:tool:echo', principal: 'user', tier: 'read_only', state: 'running', stage: 'dispatch', code: null, class: null, fault: null, frozenInput: '{"t":"a\\nb"}', inputHash: 'i',
  approvalId: null, grounded: false, createdAt: 1, startedAt: 2, endedAt: null, waitedMs: 0, bindingFingerprint: 'b', definitionFingerprint: 'd',
});
const opening = (runId: string): RunRows => ({ run: runOf(runId, 1), isNew: true, call: { row: callOf(`call-${runId}`, runId), isNew: true, result: null }, events: [event(1)] });
const ending = (runId: string): RunRows => ({
  run: { ...runOf(runId, 2), state: 'completed', endedAt: 9 },
  isNew: false,
  call: { row: { ...callOf(`call-${runId}`, runId), state: 'completed', class: 'ok', endedAt: 8 }, isNew: false, result: { text: '{"r":"ä\\n"}', preview: null } },
  events: [event(2)],
});
const noted = (runId: string, seq: number): RunRows => ({ run: runOf(runId, seq), isNew: false, call: null, events: [event(seq)] });
/** What lies in the file itself, beside the store's own readers. */
const counts = (store: SqliteStore, file = openRaw(store)): Record<string, number> => Object.fromEntries(['runs', 'invocations', 'events', 'steps_refused'].map((table) => [table, file(`SELECT count(*) FROM ${table}`)]));
const openRaw = (store: SqliteStore): ((sql: string) => number) => {
  const raw = new (store.connection.constructor as new (path: string, options: object) => SqliteStore['connection'])(store.path, { readonly: true });
  undo.push(() => raw.close());
  return (sql) => raw.prepare(sql).pluck().get() as number;
};

test('D16 a step lies in one row first, and whoever reads finds it in its tables', () => {
  const store = testStore();
  const file = openRaw(store);
  store.writeStep(opening('a'), false);
  store.writeStep(ending('a'), true);
  expect(counts(store, file)).toEqual({ runs: 0, invocations: 0, events: 0, steps_refused: 0 });
  expect(file('SELECT count(*) FROM steps')).toBe(2);
  store.read((db) => {
    expect(getRun(db, 'a')).toEqual({ ...runOf('a', 2), state: 'completed', endedAt: 9 });
    expect(getInvocation(db, 'call-a')).toEqual({ ...callOf('call-a', 'a'), state: 'completed', class: 'ok', endedAt: 8 });
    expect(resultText(db, 'call-a')).toBe('{"r":"ä\\n"}');
    expect(eventsOf(db, 'a').map((e) => [e.seq, e.data])).toEqual([[1, { n: 1 }], [2, { n: 2 }]]);
  });
  expect(counts(store, file)).toEqual({ runs: 1, invocations: 1, events: 2, steps_refused: 0 });
});

test('D16 more steps than the ring has slots: none is lost, each once and in order; a write and one too large to be folded come after them', () => {
  const store = testStore();
  store.writeStep(opening('a'), false);
  const last = 2 * STEP_SLOTS + 7;
  for (let seq = 2; seq <= last; seq += 1) store.writeStep(noted('a', seq), false);
  store.writeStep({ ...noted('a', last + 1), events: [event(last + 1, `{"long":"${'x'.repeat(40_000)}"}`)] }, false);
  store.writeStep(noted('a', last + 2), false);
  store.write((db) => expect(getRun(db, 'a')?.eventCount).toBe(last + 2));
  expect(store.read((db) => eventsOf(db, 'a')).map((e) => e.seq)).toEqual(Array.from({ length: last + 2 }, (_, i) => i + 1));
});

test('D16 in a quiet moment and between two pieces of work they are taken over without a reader', async () => {
  const store = testStore();
  const file = openRaw(store);
  store.writeStep(opening('a'), false);
  await vi.waitFor(() => expect(counts(store, file)).toMatchObject({ runs: 1, events: 1 }), { timeout: 90_000 });
  for (let seq = 2; seq < STEP_SLOTS; seq += 1) store.writeStep(noted('a', seq), false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(counts(store, file)).toMatchObject({ events: STEP_SLOTS - 1 });
});

/** The files of a store as a process leaves them that ends now. */
const left = (store: SqliteStore): string => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-left-'));
  for (const end of ['', '-wal']) copyFileSync(store.path + end, join(dataDir, `gantry.db${end}`));
  return dataDir;
};
const opened = async (dataDir: string) => {
  const found = await openStore({ dataDir, clock: systemClock });
  if (!found.ok) throw new Error(found.error.message);
  undo.push(() => found.value.store.close());
  return found.value;
};

test('D17 what a process left as steps is there after the next start, before anything is read or written, and the ring goes on behind it', async () => {
  const store = testStore();
  store.writeStep(opening('a'), false);
  store.writeStep(ending('a'), false);
  store.settle();
  store.writeStep(opening('b'), false);
  const next = await opened(left(store));
  next.store.writeStep(ending('b'), false);
  next.store.writeStep(opening('c'), false);
  expect(next.store.read((db) => ['a', 'b', 'c'].map((id) => getRun(db, id)?.eventCount))).toEqual([2, 2, 1]);
  expect(next.notices()).toEqual([]);
});

test('D18 a step that its tables refuse is kept with the reason, keeps no other from being taken, and verify and a notice say so', async () => {
  const store = testStore();
  const told: number[] = [];
  store.onRefused = (count) => told.push(count);
  store.writeStep(opening('a'), false);
  store.connection.exec("DELETE FROM events");
  store.writeStep(noted('a', 2), false);
  store.writeStep(opening('b'), false);
  expect(store.read((db) => getRun(db, 'b')?.eventCount)).toBe(1);
  expect(told).toEqual([1]);
  expect(store.connection.prepare('SELECT run_id, reason FROM steps_refused').all()).toEqual([{ run_id: 'a', reason: expect.stringContaining('no gap') }]);
  expect(store.read((db) => getRun(db, 'a')?.eventCount)).toBe(1);
  const next = await opened(left(store));
  expect(next.notices()).toMatchObject([{ code: 'row_unreadable', details: { table: 'steps', count: 1 } }]);
});

test('D18 a step changed by hand before it was taken over makes a chain that does not hold, or is refused', async () => {
  const store = testStore();
  store.writeStep(opening('a'), false);
  store.writeStep(ending('a'), false);
  const { store: next } = await opened(left(store));
  expect(await verifyRun(next, 'a')).toMatchObject({ ok: true, value: { ok: false } });
  store.writeStep(opening('b'), false);
  store.writeStep(ending('b'), false);
  const dataDir = left(store);
  const raw = new (store.connection.constructor as new (path: string) => SqliteStore['connection'])(join(dataDir, 'gantry.db'));
  raw.exec("UPDATE steps SET step_text = step_text || char(10) || '{}' WHERE run_id = 'b'");
  raw.close();
  const { store: torn } = await opened(dataDir);
  expect(torn.read((db) => getRun(db, 'b'))).toBeNull();
  expect(torn.connection.prepare("SELECT count(*) FROM steps_refused WHERE run_id = 'b'").pluck().get()).toBe(2);
});

test('A20 a disk that refuses while steps wait: nothing is lost, readers are answered, and they are taken over when it takes them', () => {
  const store = testStore();
  const raw = store.connection;
  for (let i = 0; i < 150; i += 1) store.writeStep(opening(`fill-${i}`), false);
  store.settle();
  for (let i = 0; i < 150; i += 1) store.writeStep(opening(`r-${i}`), false);
  raw.pragma('max_page_count = 1');
  expect(store.read((db) => getRun(db, 'fill-3'))).not.toBeNull();
  expect(store.read((db) => getRun(db, 'r-149'))).toBeNull();
  expect(store.state()).toMatchObject({ state: 'write_failed', detail: 'SQLITE_FULL' });
  raw.pragma('max_page_count = 1000000');
  expect(store.read((db) => getRun(db, 'r-149'))).not.toBeNull();
  expect(store.state()).toEqual({ state: 'ok' });
});

test('A24 a durable step is committed with synchronous=FULL, another with NORMAL', () => {
  const store = testStore();
  const raw = store.connection;
  const levels: unknown[] = [];
  const level = (): unknown => raw.pragma('synchronous', { simple: true });
  for (const [id, durable] of [['a', true], ['b', false], ['c', true]] as const) {
    store.writeStep(opening(id), durable);
    levels.push(level());
  }
  expect(levels).toEqual([2, 1, 2]);
});
