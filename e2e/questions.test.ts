import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Question } from '../shared/question.ts';
import { until } from './support/census.ts';
import { InProcess } from './support/in-process.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
const EVERYTHING = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url));
let gantry: InProcess;
let record: string;
const endpoints: ChildProcess[] = [];

/** A fixture over HTTP, connected and ready. */
const serveOverHttp = async (serverId: string, name: string, env: Readonly<Record<string, string>> = {}): Promise<void> => {
  const portFile = join(gantry.folder, `${serverId}.address`);
  endpoints.push(spawn(process.execPath, [fixture(name)], { stdio: 'ignore', env: { ...process.env, ...env, PORT_FILE: portFile } }));
  await until('the endpoint listens', () => existsSync(portFile) && readFileSync(portFile, 'utf8') !== '');
  await gantry.ask('servers:add', { serverId, spec: { kind: 'http', url: readFileSync(portFile, 'utf8') } });
  expect(await gantry.ask('servers:connect', { serverId })).toEqual({ state: 'ready' });
};

beforeAll(async () => {
  gantry = new InProcess();
  record = join(gantry.folder, 'record.jsonl');
  await gantry.start();
  await gantry.serve('older', fixture('asking-server.mjs'));
  await gantry.serve('newer', fixture('modern-asking-server.mjs'), { RECORD_FILE: record });
  await serveOverHttp('older-http', 'asking-server.mjs');
  await serveOverHttp('newer-http', 'modern-asking-server.mjs');
  await gantry.serve('everything', EVERYTHING);
  for (const serverId of ['older', 'newer', 'older-http', 'newer-http', 'everything']) await gantry.admitAll(serverId);
});
afterAll(async () => {
  for (const child of endpoints) child.kill('SIGKILL');
  await gantry.end();
});
afterEach(async () => {
  for (const { id } of (await gantry.ask('questions:list', { state: 'waiting' })).questions) await gantry.ask('questions:answer', { questionId: id, action: 'cancel' });
});

const call = (serverId: string, name: string, input: unknown = {}) => gantry.ask('calls:try', { capabilityId: `mcp:${serverId}:tool:${name}`, input, wait: true });
const waiting = async (count = 1): Promise<Question[]> => {
  let found: Question[] = [];
  await until('the question waits', async () => {
    found = (await gantry.ask('questions:list', { state: 'waiting' })).questions;
    return found.length >= count;
  });
  return found;
};
const accept = async (content?: Record<string, unknown>): Promise<Question> => {
  const [question] = await waiting();
  return (await gantry.ask('questions:answer', { questionId: question!.id, action: 'accept', ...(content === undefined ? {} : { content }) })).question;
};
const textOf = (outcome: Awaited<ReturnType<typeof call>>): unknown => JSON.parse(String(outcome.result?.content[0]?.['text']));
const eventsOf = async (runId: string) => (await gantry.ask('runs:get', { runId })).events;
const typesOf = async (runId: string): Promise<string[]> => (await eventsOf(runId)).map(({ type }) => type).filter((type) => type.startsWith('question.'));

test.each(['older', 'older-http'])('QA01 QA05 QA14 a form of %s is told with its call, answered by a person, recorded, and proved', async (serverId) => {
  const calling = call(serverId, 'form');
  const [question] = await waiting();
  expect(question).toMatchObject({ kind: 'form', state: 'waiting', serverId, serverName: serverId === 'older' ? 'node' : '127.0.0.1', capabilityId: `mcp:${serverId}:tool:form`, round: 1, message: 'Where shall it go?' });
  if (question?.kind !== 'form') throw new Error('no form');
  expect(question.form.fields.map(({ name, type, secretLike, required }) => [name, type, secretLike, required])).toEqual([['name', 'string', false, true], ['size', 'choice', false, false], ['apiToken', 'string', true, false]]);
  expect((await gantry.ask('window:first', {})).questions.map(({ id }) => id)).toEqual([question.id]);
  const answer = (content: Record<string, unknown>) => gantry.rpc('questions:answer', { questionId: question.id, action: 'accept', content });
  expect(await answer({ size: 'xl' })).toMatchObject({ ok: false, error: { code: 'invalid_input', field: '/content/size' } });
  expect(await answer({ name: 'Bo', apiToken: 'short-lived-value' })).toMatchObject({ ok: true, value: { question: { state: 'answered', by: 'script' } } });
  // once: the second answer comes too late
  expect(await answer({ name: 'Cy' })).toMatchObject({ ok: false, error: { code: 'conflict' } });
  const outcome = await calling;
  expect(textOf(outcome)).toEqual({ action: 'accept', content: { name: 'Bo', size: 'l', apiToken: 'short-lived-value' } });
  expect(await typesOf(outcome.runId)).toEqual(['question.asked', 'question.answered']);
  const events = await eventsOf(outcome.runId);
  const answered = events.find(({ type }) => type === 'question.answered')!;
  expect(answered).toMatchObject({ invocationId: outcome.invocationId, data: { decision: 'accept', by: 'script', answerFields: expect.arrayContaining(['name']), notRecorded: ['apiToken'] } });
  expect(answered.data).not.toHaveProperty('answer');
  expect(answered.data).not.toHaveProperty('answerSha256');
  expect(await gantry.ask('runs:verify', { runId: outcome.runId })).toMatchObject({ ok: true });
  expect((await gantry.ask('runs:export', { runId: outcome.runId })).text).toContain('question.answered');
  const { invocation } = await gantry.ask('calls:get', { invocationId: outcome.invocationId });
  expect(invocation.waitedMs).toBeGreaterThan(0);
});

test('QA01 a decline and a cancel reach the server as what they are', async () => {
  for (const action of ['decline', 'cancel'] as const) {
    const calling = call('older', 'form');
    const [question] = await waiting();
    expect((await gantry.ask('questions:answer', { questionId: question!.id, action })).question.state).toBe(action === 'decline' ? 'declined' : 'cancelled');
    expect(textOf(await calling)).toEqual({ action });
  }
});

test('QA13 an answer that holds a kept secret goes nowhere', async () => {
  await gantry.ask('secrets:unlock', { passphrase: 'a long passphrase for tests' });
  await gantry.ask('servers:add', { serverId: 'keeper', spec: { kind: 'command', command: process.execPath }, enabled: false, env: { KEPT: { secret: 'a-secret-that-gantry-keeps' } } });
  const calling = call('older', 'form');
  const [question] = await waiting();
  expect(await gantry.rpc('questions:answer', { questionId: question!.id, action: 'accept', content: { name: 'a-secret-that-gantry-keeps' } })).toMatchObject({ ok: false, error: { code: 'secret_in_input', field: '/content/name' } });
  await gantry.ask('questions:answer', { questionId: question!.id, action: 'decline' });
  expect(textOf(await calling)).toEqual({ action: 'decline' });
});

test.each(['older', 'older-http'])('QA15 a page of %s is put whole, and the consent is the answer', async (serverId) => {
  const calling = call(serverId, 'page');
  const [question] = await waiting();
  expect(question).toMatchObject({ kind: 'url', url: { url: 'https://login.example/device?code=1', host: 'login.example', elicitationId: 'e-1', thenContinue: false } });
  await accept();
  expect(textOf(await calling)).toEqual({ action: 'accept' });
});

test('QA25 a call that wants a page first goes on when the person says that it is done, and was carried out once', async () => {
  const calling = call('older', 'first');
  expect(await accept()).toMatchObject({ state: 'waiting', url: { thenContinue: true, openedAt: expect.any(Number) } });
  expect(await accept()).toMatchObject({ state: 'answered' });
  const outcome = await calling;
  expect(textOf(outcome)).toBe('carried out');
  expect(await typesOf(outcome.runId)).toEqual(['question.asked', 'question.opened', 'question.answered', 'question.round']);
});

test('QA10 QA17 without a model sampling is not offered', async () => {
  expect(await gantry.ask('questions:models', {})).toEqual({ models: [] });
  expect(textOf(await call('older', 'model'))).toMatchObject({ error: { message: expect.stringContaining('sampling') } });
});

test('QA18 roots that a person names are told, in both eras', async () => {
  const folder = gantry.folder;
  await gantry.ask('servers:update', { serverId: 'older', roots: [folder] });
  expect((await gantry.ask('servers:get', { serverId: 'older' })).server.roots).toEqual([folder]);
  expect(textOf(await call('older', 'roots'))).toMatchObject({ roots: [{ uri: `file://${folder}` }] });
  expect(textOf(await call('older-http', 'roots'))).toMatchObject({ roots: [] });
  expect(await gantry.rpc('servers:update', { serverId: 'older', roots: ['relative'] })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/roots/0' } });
});

test('QA11 over HTTP two calls ask at once and each question has its own call', async () => {
  const calls = [call('older-http', 'form'), call('older-http', 'page')];
  const asked = await waiting(2);
  expect(asked.map(({ kind, capabilityId }) => [kind, capabilityId]).sort()).toEqual([['form', 'mcp:older-http:tool:form'], ['url', 'mcp:older-http:tool:page']]);
  for (const { id } of asked) await gantry.ask('questions:answer', { questionId: id, action: 'decline' });
  expect((await Promise.all(calls)).map(textOf)).toEqual([{ action: 'decline' }, { action: 'decline' }]);
});

test('QA11 over one pipe the question of two calls is the server’s alone, on the record of both', async () => {
  const calls = [call('older', 'form'), call('older', 'form')];
  const asked = await waiting(2);
  // the first may have come while its call was the only one
  expect(asked.at(-1)).toMatchObject({ invocationId: null, runId: null, capabilityId: null });
  for (const { id } of asked) await gantry.ask('questions:answer', { questionId: id, action: 'decline' });
  for (const { runId } of await Promise.all(calls)) {
    const unclear = (await eventsOf(runId)).filter(({ type, invocationId }) => type === 'question.asked' && invocationId === null);
    expect(unclear.length).toBeGreaterThan(0);
    expect(await gantry.ask('runs:verify', { runId })).toMatchObject({ ok: true });
  }
});

test('QA03 a server that goes on without the answer voids its question; so does a stop', async () => {
  const outcome = await call('older', 'impatient');
  expect(textOf(outcome)).toBe('gone on');
  expect(await typesOf(outcome.runId)).toEqual(['question.asked', 'question.voided']);
  const { questions } = await gantry.ask('questions:list', { state: 'void' });
  expect(questions[0]).toMatchObject({ state: 'void', voidReason: 'call_ended', by: 'Gantry' });
  expect(await gantry.rpc('questions:answer', { questionId: questions[0]!.id, action: 'accept', content: {} })).toMatchObject({ ok: false, error: { code: 'conflict', details: { state: 'void' } } });
  const calling = call('older', 'form');
  const [question] = await waiting();
  await gantry.ask('calls:stop', { invocationId: question!.invocationId! });
  expect(await calling).toMatchObject({ state: 'failed', code: 'interrupted' });
  expect((await gantry.ask('questions:get', { questionId: question!.id })).question).toMatchObject({ state: 'void', voidReason: 'stopped' });
});

test.each(['newer', 'newer-http'])('QA20 QA22 the rounds of %s: the same input, each with its intent, and its state in no record', async (serverId) => {
  const calling = call(serverId, 'remove', { rows: 3 });
  expect(await accept({})).toMatchObject({ round: 1, message: 'Remove 3 rows?' });
  expect(await accept({ sure: false, note: 'old' })).toMatchObject({ round: 2, message: 'Why?' });
  const outcome = await calling;
  expect(textOf(outcome)).toEqual({ removed: 3, answers: { why: { action: 'accept', content: { sure: false, note: 'old' } }, where: { roots: [] } } });
  const events = await eventsOf(outcome.runId);
  expect(events.map(({ type }) => type).filter((type) => type.startsWith('question.') || type === 'call.intent')).toEqual([
    'call.intent', 'question.input_required', 'question.asked', 'question.answered', 'question.round', 'question.input_required', 'question.asked', 'question.roots', 'question.answered', 'question.round',
  ]);
  expect(events.filter(({ type }) => type === 'question.answered').at(-1)!.data).toMatchObject({ decision: 'accept', answer: { sure: false, note: 'old' }, answerSha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(JSON.stringify(events)).not.toContain('opaque');
  expect(await gantry.ask('runs:verify', { runId: outcome.runId })).toMatchObject({ ok: true });
  if (serverId === 'newer') {
    const did = readFileSync(record, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(did.map(({ rows, state, removed }) => [rows, state, removed])).toEqual([[3, undefined, undefined], [3, 'one-3-opaque', undefined], [3, 'two-3-opaque', undefined], [undefined, undefined, 3]]);
  }
});

test('QA10 a server of the newer era is told which capabilities there are, and asks for no others', async () => {
  expect(await call('newer', 'ask_model')).toMatchObject({ state: 'failed' });
  expect((await gantry.ask('questions:list', { state: 'waiting' })).questions).toEqual([]);
});

test('QA04 all of a server in a run is declined at once, and another run asks again', async () => {
  const calling = call('newer', 'remove', { rows: 1 });
  const [question] = await waiting();
  expect(await gantry.ask('questions:declineAll', { questionId: question!.id })).toEqual({ declined: 1 });
  const outcome = await calling;
  expect(textOf(outcome)).toMatchObject({ answers: { why: { action: 'decline' } } });
  expect((await eventsOf(outcome.runId)).filter(({ type }) => type === 'question.answered').map(({ data }) => [data['decision'], data['cause'], data['by']])).toEqual([['decline', 'declined_all', 'script'], ['decline', 'declined_all', 'script']]);
  const again = call('newer', 'remove', { rows: 2 });
  await waiting();
  await gantry.ask('questions:declineAll', { questionId: (await waiting())[0]!.id });
  await again;
});

test('QA01 the elicitation of server-everything is answered as a person fills it in', async () => {
  const tools = (await gantry.ask('capabilities:list', { serverId: 'everything' })).capabilities.map(({ id }) => id);
  const name = tools.find((id) => /elicitation-request$/.test(id))!;
  const calling = gantry.ask('calls:try', { capabilityId: name, input: {}, wait: true });
  const [question] = await waiting();
  if (question?.kind !== 'form') throw new Error('no form');
  const required = question.form.fields.filter((field) => field.required && field.default === undefined);
  await gantry.ask('questions:answer', { questionId: question.id, action: 'accept', content: Object.fromEntries(required.map((field) => [field.name, field.type === 'boolean' ? true : field.type === 'string' ? 'Ada' : 1])) });
  expect((await calling).result?.content.map((block) => String(block['text'])).join('\n')).toContain('provided the requested information');
});

test('QA06 a host that ended while a question waited finds it void at the next start, and the call cut off', async () => {
  const calling = call('older', 'form').catch(() => null);
  const [question] = await waiting();
  const { runId, invocationId } = question!;
  // what a kill leaves behind: the copy of the data as it stands now
  await gantry.leaveAsKilled();
  await calling;
  expect((await gantry.ask('calls:get', { invocationId: invocationId! })).invocation).toMatchObject({ state: 'failed', code: 'interrupted' });
  expect((await eventsOf(runId!)).filter(({ type }) => type.startsWith('question.')).map(({ type, data }) => [type, data['cause']])).toEqual([['question.asked', undefined], ['question.voided', 'restarted']]);
  expect(await gantry.ask('runs:verify', { runId: runId! })).toMatchObject({ ok: true });
});
