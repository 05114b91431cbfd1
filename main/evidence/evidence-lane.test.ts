import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openTestLine, World } from '../calls/open-test-line.ts';
import { openReadOnly } from '../store/read-only.ts';
import { EvidenceLane } from './evidence-lane.ts';
import { exportRun } from './export-run.ts';
import { verifyRun } from './verify-run.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const aRun = async (events: number) => {
  const t = openTestLine();
  const id = t.world.tool({ name: 'echo', tier: 'read_only' });
  t.world.answer = () => World.text('done');
  const run = t.line.beginRun({ kind: 'agent', title: 'long', principal: 'agent:default' });
  await t.line.tryCall({ capabilityId: id, principal: 'user', run });
  for (let n = 0; n < events; n += 500) t.line.note(run.id, Array.from({ length: Math.min(500, events - n) }, (_, i) => ({ type: 'turn.request' as const, invocationId: null, data: { n: n + i } })));
  const lane = new EvidenceLane(t.store);
  endings.push(() => lane.close());
  return { t, lane, runId: run.id };
};

test('E10 the worker answers as verify and export in place do: sound, edited, unknown, and while the run goes on', async () => {
  const { t, lane, runId } = await aRun(2_000);
  expect(await lane.verify(runId)).toEqual(await verifyRun(t.store, runId));
  expect(await lane.verify(runId)).toMatchObject({ ok: true, value: { ok: true } });
  t.line.note(runId, [{ type: 'turn.request', invocationId: null, data: {} }]);
  t.line.endRun(runId, { state: 'completed', code: null });
  expect(await lane.export(runId)).toEqual(exportRun(t.store, runId));
  expect(await lane.verify('nope')).toEqual(await verifyRun(t.store, 'nope'));
  expect(await lane.export('nope')).toEqual(exportRun(t.store, 'nope'));
  t.store.connection.exec(`UPDATE events SET data_json = '{"n":-1}' WHERE rowid = (SELECT max(rowid) - 5 FROM events)`);
  const edited = await lane.verify(runId);
  expect(edited).toEqual(await verifyRun(t.store, runId));
  expect(edited).toMatchObject({ value: { ok: false } });
});

test('E10 the connection of the worker changes nothing', async () => {
  const { t } = await aRun(0);
  const store = openReadOnly(t.store.path);
  expect(() => store.read((db) => db.get('DELETE FROM events RETURNING seq'))).toThrow();
  expect(store.read((db) => db.get('SELECT count(*) AS n FROM runs'))).toEqual({ n: 1 });
});

test('E10 a worker that dies is told as internal, a quit as cancelled; later questions are answered', async () => {
  const { t, lane, runId } = await aRun(20_000);
  const dying = new EvidenceLane(t.store, new URL('../calls/dying-worker.fixture.ts', import.meta.url));
  endings.push(() => dying.close());
  for (let n = 0; n < 2; n++) expect(await dying.verify(runId)).toMatchObject({ ok: false, error: { code: 'internal' } });
  const folder = mkdtempSync(join(tmpdir(), 'gantry-none-'));
  endings.push(() => rmSync(folder, { recursive: true }));
  const without = new EvidenceLane({ path: join(folder, 'none.db'), settle: () => {} });
  endings.push(() => without.close());
  expect(await without.verify(runId)).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect(await lane.verify('nope')).toMatchObject({ error: { code: 'not_found' } });
  const both = Promise.all([lane.verify(runId), lane.export(runId)]);
  await new Promise((done) => setImmediate(done));
  await lane.close();
  expect(await both).toMatchObject([{ ok: false, error: { code: 'cancelled' } }, { ok: false, error: { code: 'cancelled' } }]);
  expect(await lane.verify(runId)).toMatchObject({ error: { code: 'cancelled' } });
});
