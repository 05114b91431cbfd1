import { afterEach, expect, test } from 'vitest';
import { createHarness, ECHO, textOf, until, type Harness } from '../pool-harness.fixture.ts';
import { ASK_LIMITS } from './ask-pace.ts';
import { CallClock } from './call-clock.ts';
import { ScriptedPerson, untilVoid } from './person.fixture.ts';

const open: Harness[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((harness) => harness.close()));
});
const mark = (n = 1) => ({ invocationId: `i${n}`, runId: `r${n}`, capabilityId: 'mcp:srv:tool:echo' });
const FORM = { message: 'Delete 3 rows?', requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] } };
const SAMPLING = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 10 };
const done = { reply: { content: [{ type: 'text', text: 'done' }] } };
const asks = (method: string, params: unknown, id = 'q-1') => [{ request: { id, method, params } }, { waitResponse: id }];

/** A server over stdio that does these steps in each call. */
const play = async (steps: readonly object[], person: ScriptedPerson | null = new ScriptedPerson(), script: readonly object[] = []): Promise<Harness> => {
  const harness = createHarness(person === null ? {} : { questions: person });
  open.push(harness);
  harness.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [...script, { on: 'tools/call', do: [...steps, done] }] });
  expect(await harness.pool.connect('srv')).toEqual({ state: 'ready' });
  return harness;
};
const answersTo = (harness: Harness, id = 'q-1') => harness.records('srv').flatMap(({ msg }) => (msg?.id === id && msg.method === undefined ? [msg.result ?? msg.error] : []));
const declared = (harness: Harness): unknown => harness.records('srv').find(({ msg }) => msg?.method === 'initialize')?.msg?.params?.['capabilities'];

test('QA01 QA10 a form is put to the person with its call, and accept, decline and cancel reach the server as what they are', async () => {
  const person = new ScriptedPerson();
  const harness = await play(asks('elicitation/create', FORM), person);
  for (const decision of [{ action: 'accept', content: { confirm: true } }, { action: 'decline' }, { action: 'cancel' }] as const) {
    person.decide = () => decision;
    expect(textOf(await harness.call('srv', 'echo', {}, { mark: mark() }))).toBe('done');
  }
  expect(answersTo(harness)).toEqual([{ action: 'accept', content: { confirm: true } }, { action: 'decline' }, { action: 'cancel' }]);
  expect(person.asked[0]).toMatchObject({ serverId: 'srv', call: mark(), round: 1, content: { kind: 'form', message: 'Delete 3 rows?', form: { fields: [{ name: 'confirm', type: 'boolean', required: true }] } } });
  expect(declared(harness)).toEqual({ roots: { listChanged: true }, elicitation: { form: { applyDefaults: true }, url: {} } });
});

test('QA10 F16 where nobody can be asked nothing but roots is declared, and the rest is refused at once', async () => {
  const harness = await play([...asks('elicitation/create', FORM), ...asks('sampling/createMessage', SAMPLING, 'q-2')], null);
  expect(textOf(await harness.call('srv', 'echo', {}))).toBe('done');
  expect(declared(harness)).toEqual({ roots: { listChanged: true } });
  expect([answersTo(harness), answersTo(harness, 'q-2')]).toMatchObject([[{ code: -32601 }], [{ code: -32601 }]]);
});

test('QA10 QA17 sampling is declared where a model can be chosen, its reply goes back as it was decided, a decline as the error -1', async () => {
  const person = new ScriptedPerson();
  person.offersSampling = true;
  person.decide = () => ({ action: 'accept', reply: { role: 'assistant', model: 'm-1', content: [{ type: 'text', text: 'hello' }], stopReason: 'endTurn' } });
  const harness = await play(asks('sampling/createMessage', SAMPLING), person);
  expect(declared(harness)).toMatchObject({ sampling: { tools: {} } });
  await harness.call('srv', 'echo', {}, { mark: mark() });
  person.decide = () => ({ action: 'decline' });
  await harness.call('srv', 'echo', {}, { mark: mark() });
  expect(answersTo(harness)).toEqual([{ role: 'assistant', model: 'm-1', content: { type: 'text', text: 'hello' }, stopReason: 'endTurn' }, { code: -1, message: expect.any(String) }]);
});

test('QA11 without a call under way nobody is asked', async () => {
  const person = new ScriptedPerson();
  const harness = await play([], person, [{ on: 'notifications/initialized', do: asks('elicitation/create', FORM) }]);
  await until(() => answersTo(harness).length === 1);
  expect(answersTo(harness)).toEqual([{ action: 'cancel' }]);
  expect(person.asked).toEqual([]);
  expect(harness.pool.logs('srv').lines.map(({ text }) => text)).toContain('The server asked something while no call of it was under way; nobody was asked.');
});

test('QA11 over one pipe a question of several calls is put as the server’s alone, and on the record of each', async () => {
  const person = new ScriptedPerson();
  const harness = createHarness({ questions: person });
  open.push(harness);
  harness.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/call', times: 1, do: [{ waitResponse: 'never' }] }, { on: 'tools/call', do: [...asks('elicitation/create', FORM), done] }] });
  await harness.pool.connect('srv');
  person.decide = () => ({ action: 'decline' });
  const stopping = new AbortController();
  const first = harness.call('srv', 'echo', {}, { mark: mark(1), signal: stopping.signal });
  await until(() => harness.records('srv').some(({ msg }) => msg?.method === 'tools/call'));
  expect(textOf(await harness.call('srv', 'echo', {}, { mark: mark(2) }))).toBe('done');
  stopping.abort();
  expect(await first).toMatchObject({ kind: 'failed' });
  expect(person.asked).toMatchObject([{ call: null, inFlight: [mark(1), mark(2)] }]);
});

test('QA03 a server that ends its call without waiting ends its question, and so does a stop', async () => {
  const person = new ScriptedPerson();
  const reasons: unknown[] = [];
  person.decide = (asked) => {
    asked.signal.addEventListener('abort', () => reasons.push(asked.signal.reason));
    return untilVoid(asked);
  };
  const harness = await play([{ request: { id: 'q-1', method: 'elicitation/create', params: FORM } }], person);
  expect(textOf(await harness.call('srv', 'echo', {}, { mark: mark() }))).toBe('done');
  const stopping = new AbortController();
  const slow = await play(asks('elicitation/create', FORM), person);
  const calling = slow.call('srv', 'echo', {}, { mark: mark(), signal: stopping.signal });
  await until(() => person.asked.length === 2);
  stopping.abort();
  expect(await calling).toMatchObject({ kind: 'failed', fault: { code: 'interrupted' } });
  const dying = await play(asks('elicitation/create', FORM), person);
  const lost = dying.call('srv', 'echo', {}, { mark: mark() });
  await until(() => person.asked.length === 3);
  await dying.pool.disable('srv');
  expect(await lost).toMatchObject({ kind: 'failed' });
  expect(reasons).toEqual(['call_ended', 'stopped', 'server_gone']);
});

test('QA03 a question that cannot be put to its person is cancelled, and its call goes on', async () => {
  const person = new ScriptedPerson();
  person.decide = () => {
    throw new Error('no room for a question');
  };
  const harness = await play(asks('elicitation/create', FORM), person);
  expect(textOf(await harness.call('srv', 'echo', {}, { mark: mark() }))).toBe('done');
  expect(answersTo(harness)).toEqual([{ action: 'cancel' }]);
  expect(harness.pool.logs('srv').lines.map(({ text }) => text)).toContainEqual(expect.stringContaining('no room for a question'));
});

test('QA02 C034 the time of a call stands still while a person is asked, for both of its limits', async () => {
  let now = 0;
  const clock = new CallClock(() => now);
  const person = new ScriptedPerson();
  const harness = await play([...asks('elicitation/create', FORM), ...asks('elicitation/create', FORM, 'q-2')], person);
  person.decide = () => {
    now += 3_600_000;
    return { action: 'accept', content: { confirm: true } };
  };
  expect(textOf(await harness.call('srv', 'echo', {}, { mark: mark(), timeoutMs: 5_000, maxTotalMs: 6_000, clock }))).toBe('done');
  expect([clock.waitedMs, clock.activeMs]).toEqual([7_200_000, 0]);
});

test('QA02 a timer of a call goes on where it stood when nobody is asked any more', async () => {
  let now = 0;
  const clock = new CallClock(() => now);
  const due: string[] = [];
  clock.waits();
  clock.waits();
  clock.after(0, () => due.push('at once'));
  const forget = clock.after(0, () => due.push('forgotten'));
  now = 100;
  clock.goesOn();
  await new Promise((next) => setTimeout(next, 5));
  expect(due).toEqual([]);
  forget();
  clock.goesOn();
  await until(() => due.length === 1);
  expect([due, clock.waitedMs, clock.activeMs]).toEqual([['at once'], 100, 0]);
});

test('QA12 a form that cannot be shown is declined with its reason on record, what cannot be read is an error, and nobody is asked', async () => {
  const person = new ScriptedPerson();
  const harness = await play([...asks('elicitation/create', { ...FORM, requestedSchema: { type: 'object', properties: { a: { type: 'object' } } } }), ...asks('elicitation/create', { requestedSchema: FORM.requestedSchema }, 'q-2'), ...asks('elicitation/create', { mode: 'url', message: 'm', url: 'javascript:alert(1)', elicitationId: 'e' }, 'q-3')], person);
  await harness.call('srv', 'echo', {}, { mark: mark() });
  expect([answersTo(harness), answersTo(harness, 'q-2'), answersTo(harness, 'q-3')]).toMatchObject([[{ action: 'decline' }], [{ code: -32602 }], [{ action: 'decline' }]]);
  expect(person.asked).toEqual([]);
  expect(person.notes.map(({ of, note }) => [of.call, note.type, note.data['code']])).toEqual([[mark(), 'question.refused', 'bad_schema'], [mark(), 'question.refused', 'bad_params'], [mark(), 'question.refused', 'bad_url']]);
});

test('QA16 a server that asks without end reaches nobody after so many questions of a call', async () => {
  const person = new ScriptedPerson();
  person.decide = () => ({ action: 'decline' });
  const harness = await play(Array.from({ length: ASK_LIMITS.perCall + 3 }, (_, i) => asks('elicitation/create', FORM, `q-${i}`)).flat(), person);
  expect(textOf(await harness.call('srv', 'echo', {}, { mark: mark() }))).toBe('done');
  expect(person.asked).toHaveLength(ASK_LIMITS.perCall);
  expect(answersTo(harness, `q-${ASK_LIMITS.perCall}`)).toEqual([{ action: 'cancel' }]);
  // a flood is on record as one, with its number
  expect(person.notes.map(({ note }) => [note.type, note.data['code'], note.data['times']])).toEqual([['question.refused', 'too_many', undefined], ['question.refused', 'too_many', 3]]);
  expect(textOf(await harness.call('srv', 'echo', {}, { mark: mark(2) }))).toBe('done');
  // of the next call no more than the minute has left
  expect(person.asked).toHaveLength(ASK_LIMITS.perMinute);
});

test('QA18 roots are the folders that the person named, as file URIs; a change is announced, and what was told is on the record', async () => {
  const person = new ScriptedPerson();
  const harness = await play(asks('roots/list', {}), person);
  await harness.call('srv', 'echo', {}, { mark: mark() });
  harness.store.write((db) => db.run('UPDATE servers SET roots_json = ? WHERE id = ?', [JSON.stringify(['/tmp/a b', '/']), 'srv']));
  harness.pool.rootsChanged('srv');
  await until(() => harness.records('srv').some(({ msg }) => msg?.method === 'notifications/roots/list_changed'));
  await harness.call('srv', 'echo', {}, { mark: mark() });
  expect(answersTo(harness)).toEqual([{ roots: [] }, { roots: [{ uri: 'file:///tmp/a%20b', name: 'a b' }, { uri: 'file:///', name: '/' }] }]);
  expect(person.notes.map(({ note }) => note)).toEqual([{ type: 'question.roots', data: { count: 0, roots: [] } }, { type: 'question.roots', data: { count: 2, roots: ['file:///tmp/a%20b', 'file:///'] } }]);
});

test('QA15 the server’s word that a page is done with is passed on', async () => {
  const person = new ScriptedPerson();
  person.decide = () => ({ action: 'accept' });
  const harness = await play([...asks('elicitation/create', { mode: 'url', message: 'Connect', url: 'https://a.example/x', elicitationId: 'e-1' }), { notify: { method: 'notifications/elicitation/complete', params: { elicitationId: 'e-1' } } }], person);
  await harness.call('srv', 'echo', {}, { mark: mark() });
  expect(answersTo(harness)).toEqual([{ action: 'accept' }]);
  expect(person.completedIds).toEqual(['e-1']);
});

const required = (pages: unknown) => ({ error: { code: -32042, message: 'Open this first', data: { elicitations: pages } } });
const PAGE = { mode: 'url', message: 'Connect', url: 'https://a.example/x', elicitationId: 'e-1' };

test('QA25 a call that wants a page opened first is sent again once that is done, the same bytes under another id', async () => {
  const person = new ScriptedPerson();
  person.decide = () => ({ action: 'accept' });
  const harness = createHarness({ questions: person });
  open.push(harness);
  harness.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/call', times: 1, do: [required([PAGE])] }, { on: 'tools/call', do: [done] }] });
  await harness.pool.connect('srv');
  expect(textOf(await harness.call('srv', 'echo', '{"text":"hi"}', { mark: mark() }))).toBe('done');
  expect(person.asked).toMatchObject([{ content: { kind: 'url', url: { url: 'https://a.example/x', elicitationId: 'e-1', thenContinue: true } } }]);
  const sent = harness.records('srv').flatMap(({ msg }) => (msg?.method === 'tools/call' ? [msg] : []));
  expect(sent.map(({ params }) => params!['arguments'])).toEqual([{ text: 'hi' }, { text: 'hi' }]);
  expect(sent[0]!.id).not.toBe(sent[1]!.id);
  expect(person.notes.map(({ note, durable }) => [note.type, durable])).toEqual([['question.round', true]]);
});

test('QA25 declined, or with what is no page, the error stands as the answer and nothing is sent again', async () => {
  const person = new ScriptedPerson();
  person.decide = () => ({ action: 'decline' });
  const harness = createHarness({ questions: person });
  open.push(harness);
  harness.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/call', times: 1, do: [required([PAGE])] }, { on: 'tools/call', times: 1, do: [required([{ ...PAGE, url: 'file:///etc/passwd' }])] }, { on: 'tools/call', do: [required([])] }] });
  await harness.pool.connect('srv');
  for (let n = 0; n < 3; n += 1) expect(await harness.call('srv', 'echo', {}, { mark: mark() })).toMatchObject({ kind: 'rpc_error', rpcCode: -32042 });
  expect(person.asked).toHaveLength(1);
  expect(harness.records('srv').filter(({ msg }) => msg?.method === 'tools/call')).toHaveLength(3);
});
