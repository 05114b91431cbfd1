import { afterAll, expect, test } from 'vitest';
import { openTestLine } from '../calls/open-test-line.ts';
import { Bus } from '../bus.ts';
import { PrivacyFilter } from '../evidence/privacy-filter.ts';
import { formFields } from '../servers/questions/form-schema.ts';
import type { AskedContent } from '../servers/questions/question-port.ts';
import { lastAsked } from '../store/asked-questions.ts';
import { SqliteStore } from '../store/database.ts';
import { deleteRunSlice } from '../store/delete-run.ts';
import { insertDeletedRun } from '../store/deleted-runs.ts';
import { QuestionDesk } from './question-desk.ts';

const t = openTestLine();
let store = t.store;
afterAll(() => store.close());

const requestedSchema = { type: 'object', properties: { name: { type: 'string', title: 'Name' }, sure: { type: 'boolean' } } };
const fields = formFields(requestedSchema);
if (!fields.ok) throw new Error('unfit');
const FORM: AskedContent = { kind: 'form', message: 'Who?', form: { requestedSchema, fields: fields.value } };
const PAGE: AskedContent = { kind: 'url', message: 'Look', url: { url: 'https://a.example/page', host: 'a.example', elicitationId: 'e', thenContinue: false } };
const SAMPLING: AskedContent = { kind: 'sampling', message: '', sampling: { messages: [{ role: 'user', content: [{ type: 'text', text: 'private words' }] }], maxTokens: 10 } };

const openDesk = (): QuestionDesk =>
  new QuestionDesk({
    bus: new Bus(), clock: t.clock, filter: new PrivacyFilter(() => []), serverName: (id) => `name of ${id}`, isRunOpen: () => true,
    unwritten: (error) => { throw error; },
    note: (runId, events, durable) => t.line.note(runId, events, undefined, durable),
    past: (limit) => store.read((db) => lastAsked(db, limit)),
  });

test('QA26 what servers asked before the start is listed after it from the record, each once, the newest first, and goes with its run', async () => {
  const before = openDesk();
  const runs = [t.line.beginRun({ kind: 'agent', title: 'one', principal: 'agent:default' }), t.line.beginRun({ kind: 'agent', title: 'two', principal: 'agent:default' })];
  const mark = (at: number) => ({ invocationId: `i${at}`, runId: runs[at]!.id, capabilityId: 'mcp:srv:tool:x' });
  const ask = (content: AskedContent, call: ReturnType<typeof mark> | null, round = 1): string => {
    t.clock.pass(1_000);
    void before.ask({ serverId: 'srv', call, inFlight: [mark(0), mark(1)], round, content, signal: new AbortController().signal });
    return before.waiting().at(-1)!.id;
  };
  const [form, page, unclear, sampling] = [ask(FORM, mark(0)), ask(PAGE, mark(0), 2), ask(FORM, null), ask(SAMPLING, mark(1))];
  before.answer(form, { action: 'accept', content: { name: 'Ada', sure: true } }, 'window');
  before.answer(page, { action: 'decline' }, 'command');
  before.answer(unclear, { action: 'cancel' }, 'window');
  before.close();
  const ended = new Map(before.list().map((one) => [one.id, one]));
  // a restart: nothing but the file is left
  t.store.close();
  store = new SqliteStore(t.store.path);

  const after = openDesk();
  const listed = after.list();
  expect(listed.map(({ id }) => id).toSorted()).toEqual([form, page, unclear, sampling].toSorted());
  for (const one of listed) {
    const { state, by, endedAt, askedAt, round, message, runId, invocationId, serverName, voidReason } = ended.get(one.id)!;
    expect(one).toMatchObject({ state, by, endedAt, askedAt, round, message, runId, invocationId, serverName, ...(voidReason === undefined ? {} : { voidReason }) });
  }
  expect(after.list('answered').map(({ id }) => id)).toEqual([form]);
  expect(after.get(page)).toMatchObject({ ok: true, value: { state: 'declined', by: 'command', url: { url: 'https://a.example/page', host: 'a.example' } } });
  expect(after.get(form)).toMatchObject({ ok: true, value: { form: { fields: [{ name: 'name', type: 'string' }, { name: 'sure', type: 'boolean' }] } } });
  expect(after.answer(form, { action: 'decline' }, 'window')).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(JSON.stringify(listed)).not.toContain('private words');

  const deleted = store.write((db) => {
    insertDeletedRun(db, { runId: runs[0]!.id, kind: 'agent', state: 'completed', code: null, startedAt: 1, endedAt: 2, eventCount: 1, calls: 0, headHash: 'h', deletedAt: 3, deletedBy: 'window', recordRun: runs[1]!.id });
    return deleteRunSlice(db, runs[0]!.id, 1_000);
  });
  expect(deleted).toBe(true);
  expect(after.list().map(({ id }) => id)).toEqual([sampling, unclear]);
});
