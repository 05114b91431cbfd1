import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { FrameLane } from '../servers/frame-lane.ts';
import { createHarness, REPO, until, type Harness } from '../servers/pool-harness.fixture.ts';
import { ScriptedPerson, untilVoid } from '../servers/questions/person.fixture.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err } from '../../shared/result.ts';
import type { FaultCode } from '../../shared/fault-codes.ts';
import type { TaskAnswer } from '../servers/task-call.ts';
import { eventsOf } from '../store/events.ts';
import { openTasks } from '../store/tasks.ts';
import { verifyRun } from '../evidence/verify-run.ts';
import type { Outcome } from './call-outcome.ts';
import { World, openTestLine } from './open-test-line.ts';
import { errorsOf, keepsDistance, neverDone, reusedIds, stopped, unusableIds } from './task-eras.fixture.ts';
import { closeTaskLines, endLater, openTaskLine, type TaskLine } from './task-line.fixture.ts';

const BOTH = ['legacy', 'modern'] as const;
afterEach(closeTaskLines);

const verified = async ({ t }: TaskLine, runId: string) => expect(await verifyRun(t.store, runId)).toMatchObject({ ok: true, value: { ok: true } });

test.each(BOTH.flatMap((era) => (['stdio', 'http'] as const).map((over) => [era, over] as const)))('TK02 TK09 a task of the %s era over %s is followed to its outcome: one call, each change on record, its id by its hash', async (era, over) => {
  const o = await openTaskLine(era, over);
  const outcome = await o.call('job');
  expect(outcome).toMatchObject({ state: 'completed', class: 'ok', result: { content: [{ text: 'counted to three' }] } });
  expect(o.said('tools/call')).toHaveLength(1);
  expect(o.said('tasks/get')).toHaveLength(3);
  expect(o.said('tasks/result')).toHaveLength(era === 'legacy' ? 1 : 0);
  expect(o.said('notifications/cancelled')).toEqual([]);
  const taskId = o.said('tasks/get')[0]!.message.params!['taskId'] as string;
  if (over === 'http' && era === 'modern') expect(new Set(o.said('tasks/get').map(({ name }) => name))).toEqual(new Set([taskId]));
  expect(o.typesOf(outcome.runId)).toEqual(['task.created', 'task.status', 'task.ended']);
  const [created] = o.events(outcome.runId).filter(({ type }) => type === 'task.created');
  expect(created!.data).toMatchObject({ serverId: 'srv', era, status: 'working', words: 'begun', askedPollMs: 20, pollEveryMs: 2000, ttlMs: 60_000 });
  expect(JSON.stringify(o.events(outcome.runId))).not.toContain(taskId);
  expect(o.events(outcome.runId).filter(({ type }) => type === 'call.intent')).toHaveLength(1);
  expect(o.t.store.read(openTasks)).toEqual([]);
  expect(o.t.heard.filter(({ name }) => name === 'call:progress').map(({ payload }) => (payload as { progress: { message?: string } }).progress.message)).toContain('begun');
  await verified(o, outcome.runId);
});

test('TK01 in the older era a tool that requires a task gets one, one that forbids it none, and one that leaves it where its review says that it submits a job; in the newer era each call declares the extension', async () => {
  const o = await openTaskLine('legacy');
  expect(await o.call('plain')).toMatchObject({ class: 'ok', result: { content: [{ text: 'plain call 1' }] } });
  expect(await o.call('choice')).toMatchObject({ class: 'ok', result: { content: [{ text: 'plain call 2' }] } });
  expect(await o.call('choice', { callClass: 'job_submission' })).toMatchObject({ class: 'ok', result: { content: [{ text: 'as a task' }] } });
  expect(await o.call('job')).toMatchObject({ class: 'ok' });
  expect(o.said('tools/call').map(({ message }) => message.params!['task'] !== undefined)).toEqual([false, false, true, true]);
  const n = await openTaskLine('modern');
  expect(await n.call('plain')).toMatchObject({ class: 'ok' });
  expect(await n.call('choice')).toMatchObject({ class: 'ok', result: { content: [{ text: 'as a task' }] } });
  for (const { message } of [...n.said('tools/call'), ...n.said('tasks/get')]) expect(message.params).toMatchObject({ _meta: { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } } } });
  expect(n.said('tools/call').map(({ message }) => message.params!['task'])).toEqual([undefined, undefined]);
});

test('TK01 a tool that wants a task of a server that declares none is called as any other', async () => {
  const h = createHarness();
  endLater(h.close);
  h.addFake('srv', { transport: 'stdio', tools: [{ name: 'job', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }], script: [{ on: 'tools/call', do: [{ reply: { content: [{ type: 'text', text: 'at once' }] } }] }] });
  await h.pool.connect('srv');
  expect(await h.callAny('srv', 'job', {}, { prefersTask: true })).toMatchObject({ kind: 'result' });
  expect(h.records('srv').find((r) => r.msg?.method === 'tools/call')!.msg!.params).not.toHaveProperty('task');
});

test('TK03 in the older era: questions keep the distance of the class and of the server, within bounds', () => keepsDistance('legacy'));
test('TK03 TK04 in the older era: a task that is never done ends in its time, and its server is asked to end it', () => neverDone('legacy'));
test('TK04 in the older era: errors of a task are told as what they are', () => errorsOf('legacy'));

test('TK04 a result of a task is judged like any other: its declared schema, its numbers, as they were written', async () => {
  for (const era of BOTH) {
    const o = await openTaskLine(era);
    expect(await o.call('exact', { outputSchema: { type: 'object', properties: { n: { type: 'integer' } } } })).toMatchObject({ class: 'ok', result: { exactNumbers: [{ place: '/structuredContent/n', text: '9007199254740993' }] } });
    expect(await o.call('job', { outputSchema: { type: 'object', required: ['n'] } })).toMatchObject({ class: 'invalid_result', fault: { field: '/structuredContent' } });
  }
});

test('TK05 in the older era: stop ends the call and asks the server to end the task, without a cancelled notification', () => stopped('legacy'));
test('TK06 in the older era: an id that is none, the state of another task and a state that is not known end the call', () => unusableIds('legacy'));
test('TK06 in the older era: an id that this server named before is another call\'s: it is neither asked about nor ended for this one', () => reusedIds('legacy'));

test('TK06 a task is not asked about at another launch of its server', async () => {
  const o = await openTaskLine('modern');
  const running = o.call('endless');
  await until(() => o.said('tasks/get').length > 0);
  o.h.store.write((db) => db.run(`UPDATE servers SET env_json = ? WHERE id = 'srv'`, [JSON.stringify({ GANTRY_TEST_MARK: { plain: o.h.dataDir }, ANOTHER: { plain: '1' } })]));
  o.h.consent('srv');
  await o.h.pool.configChanged('srv');
  await o.h.pool.connect('srv');
  expect(await running).toMatchObject({ class: 'outcome_unknown', fault: { details: { cause: 'binding_changed' } } });
  const pids = new Set(o.said('tasks/get').map((said) => (said as { pid?: number }).pid));
  expect(pids.size).toBe(1);
});

test('TK07 over a lost connection the task is asked about again on the next one, and nothing is called a second time', async () => {
  const o = await openTaskLine('modern', 'stdio', { state: true });
  const running = o.call('job');
  await until(() => o.said('tasks/get').length > 0);
  process.kill(o.h.pool.connectionInfo('srv')!.pid!, 'SIGKILL');
  expect(await running).toMatchObject({ state: 'completed', class: 'ok', result: { content: [{ text: 'counted to three' }] } });
  expect(o.said('tools/call')).toHaveLength(1);
});

/** A line whose server names a task and answers questions about it as told. */
const scripted = (answers: readonly TaskAnswer[]) => {
  const t = openTestLine(new World(), { wait: async (ms, signal) => {
    if (ms === 800) return new Promise<void>((done) => signal.addEventListener('abort', () => done()));
    await new Promise((done) => setImmediate(done));
    t.clock.pass(ms);
  } });
  t.world.answer = () => ({ kind: 'task', state: { taskId: 't', status: 'working' }, handle: { taskId: 't', era: 'modern', launchFingerprint: 'l' }, sizeBytes: 0, forget: () => {} });
  t.world.stands = (question, n) => (question.ask.what === 'cancel' ? { kind: 'acknowledged' } : (answers[n - 1] ?? answers.at(-1)!));
  const call = async (): Promise<Outcome> => {
    const made = await t.line.tryCall({ capabilityId: t.world.tool({ name: 'job', tier: 'read_only' }), principal: 'user', input: {}, wait: true });
    if (!made.ok) throw new Error(made.error.message);
    return made.value;
  };
  return { t, call };
};

const away = (code: FaultCode, details: Fault['details'] = {}): TaskAnswer => ({ kind: 'failed', fault: fault(code, 'away', { details }) });
const DONE: TaskAnswer = { kind: 'state', state: { taskId: 't', status: 'completed' }, settled: World.text('done') };

test('TK07 what passes by itself is waited for, and told once; what is final ends the call; refusals in a row end it', async () => {
  const passing = scripted([away('connection_failed'), away('timeout'), away('not_connected', { state: 'installed' }), away('protocol_error', { status: 503 }), DONE]);
  const outcome = await passing.call();
  expect(outcome).toMatchObject({ state: 'completed', class: 'ok' });
  expect(passing.t.store.read((db) => eventsOf(db, outcome.runId)).map(({ type }) => type).filter((type) => type.startsWith('task.'))).toEqual(['task.created', 'task.unreachable', 'task.status', 'task.ended']);
  for (const answer of [away('auth_required'), away('unavailable', { code: 'disabled' }), away('unavailable', { code: 'connection_failed', confirmed: true })]) {
    const final = scripted([answer, DONE]);
    expect(await final.call()).toMatchObject({ state: 'failed', class: 'interrupted' });
    expect(final.t.world.questions).toHaveLength(1);
  }
  const refusing = scripted([{ kind: 'refused', rpcCode: -32603, words: 'no' }]);
  expect(await refusing.call()).toMatchObject({ state: 'failed', class: 'protocol_error' });
  expect(refusing.t.world.questions).toHaveLength(3);
  expect([passing, refusing].map(({ t }) => t.world.calls.length)).toEqual([1, 1]);
});

test('TK07 a server that came back without the task ends the call as unknown', async () => {
  const o = await openTaskLine('legacy');
  const running = o.call('endless');
  await until(() => o.said('tasks/get').length > 0);
  process.kill(o.h.pool.connectionInfo('srv')!.pid!, 'SIGKILL');
  expect(await running).toMatchObject({ class: 'outcome_unknown', fault: { details: { cause: 'not_found' } } });
  expect(o.said('tools/call')).toHaveLength(1);
});

test('TK07 a server that is removed ends the call of its task as unknown', async () => {
  const o = await openTaskLine('modern', 'stdio', { state: true });
  const running = o.call('endless');
  await until(() => o.said('tasks/get').length > 0);
  await o.h.pool.remove('srv');
  expect(await running).toMatchObject({ class: 'outcome_unknown', fault: { details: { cause: 'not_found' } } });
  expect(o.said('tools/call')).toHaveLength(1);
});

test('TK08 a task outlives the host: closing leaves it, and the next start follows it to its end', async () => {
  const o = await openTaskLine('modern', 'http', { state: true });
  const running = o.call('job');
  await until(() => o.said('tasks/get').length > 0);
  void running;
  await o.t.line.close();
  expect(o.said('tasks/cancel')).toEqual([]);
  const [row] = o.t.store.read(openTasks);
  const next = o.t.restart();
  next.recoverAtStart();
  await until(() => next.get(row!.invocationId).ok && (next.get(row!.invocationId) as { value: { state: string } }).value.state === 'completed');
  const call = next.get(row!.invocationId);
  expect(call).toMatchObject({ ok: true, value: { class: 'ok', result: { content: [{ text: 'counted to three' }] } } });
  const runId = call.ok ? call.value.runId : '';
  expect(o.typesOf(runId)).toEqual(expect.arrayContaining(['task.created', 'task.taken_up', 'task.ended']));
  expect(o.said('tools/call')).toHaveLength(1);
  expect(o.t.store.read(openTasks)).toEqual([]);
  await verified(o, runId);
});

test('TK08 closing between two questions leaves at once, and does not wait over and over', async () => {
  let waits = 0;
  const wait = async (ms: number, signal: AbortSignal) => {
    if ((waits += 1) > 50) throw new Error('It waits again and again.');
    await pause(ms, undefined, { signal, ref: false }).catch(() => {});
  };
  const o = await openTaskLine('modern', 'stdio', { wait });
  void o.call('endless');
  await until(() => waits === 1);
  await o.t.line.close();
  await new Promise((done) => setImmediate(done));
  expect(waits).toBe(1);
  expect(o.said('tasks/cancel')).toEqual([]);
  expect(o.t.store.read(openTasks)).toHaveLength(1);
});

test('TK08 what is taken up is judged by the tool as it was; a row that no event names is not taken up', async () => {
  const o = await openTaskLine('modern', 'http', { state: true });
  void o.call('job');
  await until(() => o.said('tasks/get').length > 0);
  await o.t.line.close();
  const [row] = o.t.store.read(openTasks);
  o.t.world.tool({ name: 'job' }, 2);
  const next = o.t.restart();
  next.recoverAtStart();
  await until(() => next.get(row!.invocationId).ok && (next.get(row!.invocationId) as { value: { endedAt: number | null } }).value.endedAt !== null);
  expect(next.get(row!.invocationId)).toMatchObject({ value: { state: 'failed', class: 'outcome_unknown', fault: { details: { cause: 'binding_changed' } } } });

  void o.call('endless', { line: next });
  for (const a of next.approvals.list('pending')) void next.approvals.decide(a.id, 'approve', { by: 'me' });
  const [other] = await until(() => o.t.store.read(openTasks).length > 0 && o.t.store.read(openTasks));
  await next.close();
  o.t.store.write((db) => db.run('UPDATE tasks SET handle_json = ? WHERE invocation_id = ?', [JSON.stringify({ ...other!.handle, taskId: 'somebody-elses' }), other!.invocationId]));
  const third = o.t.restart();
  third.recoverAtStart();
  expect(third.get(other!.invocationId)).toMatchObject({ value: { state: 'failed', class: 'outcome_unknown' } });
  expect(o.said('tasks/get').map(({ message }) => message.params!['taskId'])).not.toContain('somebody-elses');
});

test('TK09 a known secret in the words of a task is masked on record, in the windows and in the log', async () => {
  const o = await openTaskLine('modern');
  const outcome = await o.call('secret');
  expect(outcome).toMatchObject({ class: 'ok' });
  expect(JSON.stringify([o.events(outcome.runId), o.t.heard])).not.toContain('tell-nobody-1234');
});

test('TK10 a task of the newer era that wants input asks the person of its call once, and goes on with the answer', async () => {
  const person = new ScriptedPerson();
  person.decide = () => ({ action: 'accept', content: { name: 'Ada' } });
  const o = await openTaskLine('modern', 'stdio', { person });
  const outcome = await o.call('asks');
  expect(outcome).toMatchObject({ state: 'completed', class: 'ok', result: { content: [{ text: 'hello' }] } });
  expect(person.asked).toHaveLength(1);
  expect(person.asked[0]).toMatchObject({ serverId: 'srv', call: { invocationId: outcome.invocationId, runId: outcome.runId }, content: { kind: 'form', message: 'Who?' } });
  expect(o.said('tasks/update').map(({ message }) => message.params!['inputResponses'])).toEqual([{ who: { action: 'accept', content: { name: 'Ada' } } }]);
  expect(o.typesOf(outcome.runId)).toEqual(['task.created', 'task.status', 'task.status', 'task.status', 'task.ended']);
});

test('TK10 while a person is asked the task goes on being asked about, and stop voids the question', async () => {
  const person = new ScriptedPerson();
  person.decide = untilVoid;
  const o = await openTaskLine('modern', 'stdio', { person });
  const running = o.call('asks');
  await until(() => person.asked.length === 1);
  const before = o.said('tasks/get').length;
  await until(() => o.said('tasks/get').length > before);
  o.t.line.stop(o.t.store.read(openTasks)[0]!.invocationId);
  expect(await running).toMatchObject({ state: 'failed', code: 'outcome_unknown' });
  expect(person.asked).toHaveLength(1);
  expect(person.asked[0]!.signal.reason).toBe('stopped');
  expect(o.said('tasks/update')).toEqual([]);
});

test('TK10 TK07 a question of a task whose connection ends is void, nothing is said to the server for its person, and it is asked anew over the next connection', async () => {
  const person = new ScriptedPerson();
  person.decide = untilVoid;
  const o = await openTaskLine('modern', 'stdio', { person, state: true });
  const running = o.call('asks');
  await until(() => person.asked.length === 1);
  person.decide = () => ({ action: 'accept', content: { name: 'Ada' } });
  process.kill(o.h.pool.connectionInfo('srv')!.pid!, 'SIGKILL');
  expect(await running).toMatchObject({ state: 'completed', class: 'ok', result: { content: [{ text: 'hello' }] } });
  expect(person.asked.map(({ signal }) => signal.reason as unknown)[0]).toBe('server_gone');
  expect(o.said('tasks/update').map(({ message }) => message.params!['inputResponses'])).toEqual([{ who: { action: 'accept', content: { name: 'Ada' } } }]);
  expect(o.said('tools/call')).toHaveLength(1);
});

test('TK10 a task that wants what was not offered is ended', async () => {
  const o = await openTaskLine('modern');
  const outcome = await o.call('asks');
  expect(outcome).toMatchObject({ state: 'failed', class: 'protocol_error', fault: { details: { taskCancel: 'acknowledged' } } });
  expect(o.said('tasks/update')).toEqual([]);
  expect(o.events(outcome.runId).find(({ type }) => type === 'task.cancel')!.data).toMatchObject({ why: 'not_answered' });
  // the older era sends its questions on the stream of tasks/result, which is asked for at once
  const older = await openTaskLine('legacy');
  expect(await older.call('asks')).toMatchObject({ state: 'completed', class: 'ok', result: { content: [{ text: 'hello' }] } });
  expect(older.said('tasks/result')).toHaveLength(1);
});

test('TK10 while a server is asked to end what nobody answers, it is asked nothing else: its own end of the task is not taken for the cause', async () => {
  const wants = fault('protocol_error', 'not offered');
  const { t, call } = scripted([]);
  t.world.answerTask = async () => err(wants);
  const asked: string[] = [];
  let isCancelled = false;
  t.world.stands = async ({ ask }) => {
    asked.push(ask.what);
    if (ask.what === 'get') return { kind: 'state', state: isCancelled ? { taskId: 't', status: 'cancelled' } : { taskId: 't', status: 'input_required', inputRequests: { who: {} } } };
    isCancelled = true;
    for (let turns = 0; turns < 20; turns += 1) await new Promise((done) => setImmediate(done));
    return { kind: 'acknowledged' };
  };
  const outcome = await call();
  expect(outcome).toMatchObject({ state: 'failed', class: 'protocol_error', fault: { details: { taskCancel: 'acknowledged' } } });
  expect(asked).toEqual(['get', 'cancel']);
  expect(t.store.read((db) => eventsOf(db, outcome.runId)).map(({ type }) => type).filter((type) => type.startsWith('task.'))).toEqual(['task.created', 'task.status', 'task.cancel', 'task.ended']);
});

test('TK10 TK02 the task of server-everything asks its person on the stream of its result', async () => {
  const person = new ScriptedPerson();
  person.decide = () => ({ action: 'accept', content: { interpretation: 'snake' } });
  const h = createHarness({ questions: person });
  endLater(h.close);
  h.add('srv', { kind: 'command', command: process.execPath, args: [join(REPO, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'] });
  await h.pool.connect('srv');
  const t = openTestLine(new World(), { pool: h.pool, wait: (_ms, signal) => new Promise((done) => (signal.addEventListener('abort', () => done()), setTimeout(done, 200))) });
  t.world.tool({ name: 'simulate-research-query', tier: 'read_only', callClass: 'slow_read' });
  // its clock does not count: the waits above are short
  const ticks = setInterval(() => t.clock.pass(2000), 200);
  endLater(() => clearInterval(ticks));
  const made = await t.line.tryCall({ capabilityId: 'mcp:srv:tool:simulate-research-query', principal: 'user', input: { topic: 'python', ambiguous: true }, wait: true });
  if (!made.ok) throw new Error(made.error.message);
  expect(made.value).toMatchObject({ state: 'completed', class: 'ok' });
  expect(String(made.value.result?.content[0]?.['text'])).toContain('python (snake)');
  expect(person.asked).toHaveLength(1);
  expect(person.asked[0]).toMatchObject({ call: { invocationId: made.value.invocationId }, content: { kind: 'form' } });
});

test('TK11 a call that ended before its server named a task has that task ended', async () => {
  const t = openTestLine();
  const capabilityId = t.world.tool({ name: 'late', tier: 'high_write' });
  let name: (() => void) | undefined;
  t.world.answer = () => new Promise((done) => {
    name = () => done({ kind: 'task', state: { taskId: 'late-1', status: 'working' }, handle: { taskId: 'late-1', era: 'modern', launchFingerprint: 'l' }, sizeBytes: 0, forget: () => {} });
  });
  t.world.stands = () => ({ kind: 'acknowledged' });
  const waiting = t.line.tryCall({ capabilityId, principal: 'user', input: {}, wait: true });
  await new Promise((done) => setImmediate(done));
  for (const a of t.line.approvals.list('pending')) void t.line.approvals.decide(a.id, 'approve', { by: 'me' });
  await until(() => name);
  t.line.stopAll();
  const outcome = await waiting;
  expect(outcome).toMatchObject({ value: { code: 'outcome_unknown' } });
  name!();
  await until(() => t.world.questions.length === 1);
  expect(t.world.questions[0]).toMatchObject({ ask: { what: 'cancel' }, handle: { taskId: 'late-1' } });
  await until(() => t.store.read(openTasks).length === 0);
});

test('TK12 a task that was not asked for is no result', async () => {
  const h: Harness = createHarness({ open: { frames: new FrameLane(new URL('./frame-worker.ts', import.meta.url)) } });
  endLater(h.close);
  h.addFake('srv', { transport: 'stdio', tools: [{ name: 'echo', inputSchema: { type: 'object' } }], script: [{ on: 'tools/call', do: [{ reply: { task: { taskId: 'x', status: 'working' } } }] }] });
  await h.pool.connect('srv');
  expect(await h.callAny('srv', 'echo', {})).toMatchObject({ kind: 'result', raw: { task: { taskId: 'x' } } });
});
