import { afterEach, expect, test } from 'vitest';
import { fault } from '../../../shared/fault.ts';
import { err } from '../../../shared/result.ts';
import { closeEndpoints, openEndpoint } from '../era-endpoint.fixture.ts';
import { ECHO, textOf, until } from '../pool-harness.fixture.ts';
import { ROUND_LIMITS } from '../call-in-rounds.ts';
import { ScriptedPerson, untilVoid } from './person.fixture.ts';

afterEach(closeEndpoints);

const mark = { invocationId: 'i1', runId: 'r1', capabilityId: 'mcp:srv:tool:echo' };
const FORM = { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } } } };
const list = { result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [ECHO] } };
const complete = (text: string) => ({ result: { resultType: 'complete', content: [{ type: 'text', text }] } });
const wants = (inputRequests: object | undefined, requestState?: unknown) => ({ result: { resultType: 'input_required', ...(inputRequests === undefined ? {} : { inputRequests }), ...(requestState === undefined ? {} : { requestState }) } });
type Params = Readonly<Record<string, unknown>>;

/** An endpoint of the newer era whose n-th answer to a call is made by `answer`. */
const play = async (answer: (params: Params, n: number) => { readonly result: object } | { readonly status: number } | null, person = new ScriptedPerson(), method = 'tools/call') => {
  let n = 0;
  const { harness, seen } = await openEndpoint('modern', (asked, params) => (asked === 'tools/list' ? list : asked === method ? answer(params, (n += 1)) : { error: { code: -32601, message: 'no' } }), { questions: person });
  expect(await harness.pool.connect('srv')).toEqual({ state: 'ready' });
  return { harness, person, calls: () => seen.filter((one) => one.method === method) };
};

test('QA20 a round goes on with the same bytes under another id, with the answers by their keys and the state as it came', async () => {
  const state = ' {"n":1}\u00e9"\\ ';
  const { harness, person, calls } = await play((params, n) => (n === 1 ? wants({ 'a b': FORM, r: { method: 'roots/list' } }, state) : complete(JSON.stringify(params['inputResponses']))));
  person.decide = () => ({ action: 'accept', content: { sure: true } });
  const outcome = await harness.call('srv', 'echo', '{"text":"1.0","zz":1}', { mark });
  expect(JSON.parse(textOf(outcome))).toEqual({ 'a b': { action: 'accept', content: { sure: true } }, r: { roots: [] } });
  const [first, second] = calls();
  expect(first!.id).not.toBe(second!.id);
  expect([first!, second!].map(({ body }) => body.includes('"arguments":{"text":"1.0","zz":1}'))).toEqual([true, true]);
  expect([first!.params['inputResponses'], first!.params['requestState'], second!.params['requestState']]).toEqual([undefined, undefined, state]);
  expect(person.notes.map(({ note, durable, of }) => [note.type, of.round, durable])).toEqual([['question.input_required', 1, false], ['question.roots', 1, false], ['question.round', 2, true]]);
  // the state is in no note and no question
  expect(JSON.stringify([person.notes, person.asked])).not.toContain('{\\"n\\"');
});

test('QA20 without a state none goes back, and one of an earlier round is not kept', async () => {
  const { harness, person, calls } = await play((_params, n) => (n === 1 ? wants({ q: FORM }, 'first') : n === 2 ? wants({ q: FORM }) : complete('done')));
  person.decide = () => ({ action: 'decline' });
  expect(textOf(await harness.call('srv', 'echo', {}, { mark }))).toBe('done');
  expect(calls().map(({ params }) => [params['inputResponses'], params['requestState']])).toEqual([[undefined, undefined], [{ q: { action: 'decline' } }, 'first'], [{ q: { action: 'decline' } }, undefined]]);
});

test('QA22 F17 the state and answers of one call go into no other one', async () => {
  const person = new ScriptedPerson();
  const { harness, calls } = await play((params, n) => (n === 1 ? wants({ q: FORM }, 'of the first') : complete(String((params['arguments'] as Params)['text']))), person);
  let goOn = (): void => {};
  person.decide = () => new Promise((done) => (goOn = () => done({ action: 'accept', content: {} })));
  const first = harness.call('srv', 'echo', { text: 'first' }, { mark });
  await until(() => person.asked.length === 1);
  expect(textOf(await harness.call('srv', 'echo', { text: 'second' }, { mark: { ...mark, invocationId: 'i2' } }))).toBe('second');
  goOn();
  expect(textOf(await first)).toBe('first');
  expect(calls().map(({ params }) => [(params['arguments'] as Params)['text'], params['requestState'], 'inputResponses' in params])).toEqual([['first', undefined, false], ['second', undefined, false], ['first', 'of the first', true]]);
});

test('QA21 F17 a server that wants further input for ever is given up after so many rounds', async () => {
  const { harness, person, calls } = await play((_params, n) => wants({ q: FORM }, `state ${n}`));
  person.decide = () => ({ action: 'decline' });
  expect(await harness.call('srv', 'echo', {}, { mark })).toMatchObject({ kind: 'failed', sent: true, mayHaveRun: true, fault: { code: 'question_limit' } });
  expect([calls().length, person.asked.length]).toEqual([ROUND_LIMITS.rounds + 1, ROUND_LIMITS.rounds]);
  // each round has an intent of its own, before it
  expect(person.typesOf().filter((type) => type === 'question.round')).toHaveLength(ROUND_LIMITS.rounds);
});

test.each([
  ['a state that is too long', wants({ q: FORM }, 'x'.repeat(ROUND_LIMITS.stateChars + 1)), 'protocol_error'],
  ['too much at once', wants(Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`q${i}`, FORM]))), 'question_limit'],
  ['what is no question', wants({ q: 5 }), 'protocol_error'],
  ['another tool', wants({ q: { method: 'tools/call', params: { name: 'other', arguments: {} } } }), 'protocol_error'],
  ['a model that was not offered', wants({ q: { method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 1 } } }), 'protocol_error'],
  ['nothing', wants({}), 'invalid_result'],
  ['a state that is an object', wants({ q: FORM }, { step: 1 }), 'invalid_result'],
  ['a state alone that is an object', wants(undefined, { step: 1 }), 'invalid_result'],
  ['a state that is null', wants({ q: FORM }, null), 'invalid_result'],
  ['a list of questions', wants([FORM]), 'invalid_result'],
])('QA21 F16 F17 a call that wants %s ends without a question and may have been carried out', async (_what, answer, code) => {
  const { harness, person, calls } = await play(() => answer);
  expect(await harness.call('srv', 'echo', {}, { mark })).toMatchObject({ kind: 'failed', sent: true, mayHaveRun: true, fault: { code } });
  expect([person.asked.length, calls().length]).toEqual([0, 1]);
});

test('QA12 a form that cannot be shown is declined in its round, and the call goes on', async () => {
  const { harness, person } = await play((params, n) => (n === 1 ? wants({ q: { ...FORM, params: { ...FORM.params, requestedSchema: { type: 'array' } } } }) : complete(JSON.stringify(params['inputResponses']))));
  expect(textOf(await harness.call('srv', 'echo', {}, { mark }))).toBe('{"q":{"action":"decline"}}');
  expect(person.notes.map(({ note }) => [note.type, note.data['code']])).toContainEqual(['question.refused', 'bad_schema']);
});

test('QA17 a model request that nobody agreed to ends the call', async () => {
  const person = new ScriptedPerson();
  person.offersSampling = true;
  person.decide = () => ({ action: 'decline' });
  const { harness, calls } = await play(() => wants({ q: { method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 1 } } }), person);
  expect(await harness.call('srv', 'echo', {}, { mark })).toMatchObject({ kind: 'failed', fault: { code: 'denied' } });
  expect(calls()).toHaveLength(1);
});

test('QA20 QA05 a round that cannot be recorded, or whose tool moved meanwhile, is not sent', async () => {
  const person = new ScriptedPerson();
  const { harness, calls } = await play(() => wants({ q: FORM }), person);
  person.writes = ({ type }) => type !== 'question.round';
  expect(await harness.call('srv', 'echo', {}, { mark })).toMatchObject({ kind: 'failed', sent: true, mayHaveRun: true, fault: { code: 'store_write_failed' } });
  person.writes = () => true;
  expect(await harness.call('srv', 'echo', {}, { mark, mayGoOn: async () => err(fault('binding_changed', 'moved')) })).toMatchObject({ kind: 'failed', sent: true, mayHaveRun: true, fault: { code: 'binding_changed' } });
  expect(calls()).toHaveLength(2);
});

test('QA03 a stop while its question waits ends the call and the question, and nothing more is sent', async () => {
  const person = new ScriptedPerson();
  person.decide = untilVoid;
  const { harness, calls } = await play(() => wants({ q: FORM }, 's'), person);
  const stopping = new AbortController();
  const calling = harness.call('srv', 'echo', {}, { mark, signal: stopping.signal });
  await until(() => person.asked.length === 1);
  stopping.abort();
  expect(await calling).toMatchObject({ kind: 'failed', sent: true, fault: { code: 'interrupted' } });
  expect([person.asked[0]!.signal.reason, calls().length]).toEqual(['stopped', 1]);
});

test.each(['disable', 'remove'] as const)('QA03 QA11 a question between two rounds is void when its server is left (%s), though no request of the call is under way', async (how) => {
  const person = new ScriptedPerson();
  person.decide = untilVoid;
  const { harness, calls } = await play(() => wants({ q: FORM }, 's'), person);
  const calling = harness.call('srv', 'echo', {}, { mark });
  await until(() => person.asked.length === 1);
  await harness.pool[how]('srv');
  expect(await calling).toMatchObject({ kind: 'failed', sent: true, mayHaveRun: true });
  expect([person.asked[0]!.signal.reason, calls().length]).toEqual(['server_gone', 1]);
});

test('QA05 F17 of what a server wants in one round no more is put on record than is passed on', async () => {
  const { harness, person } = await play(() => wants(Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`q${i}`, FORM]))));
  expect(await harness.call('srv', 'echo', {}, { mark })).toMatchObject({ kind: 'failed', fault: { code: 'question_limit' } });
  expect(person.notes).toMatchObject([{ note: { type: 'question.input_required', data: { asks: Array.from({ length: 10 }, () => FORM.method), count: 2_000 } } }]);
});

test('QA23 a later round that was refused is not begun anew', async () => {
  const { harness, person, calls } = await play((_params, n) => (n === 1 ? wants({ q: FORM }, 's') : { status: 404 }));
  person.decide = () => ({ action: 'decline' });
  expect(await harness.call('srv', 'echo', {}, { mark })).toMatchObject({ kind: 'failed', sent: true });
  expect(calls()).toHaveLength(2);
});

test.each([
  ['resources/read', { kind: 'resource', toolName: 'x://a', uri: 'x://a' }, { contents: [{ uri: 'x://a', text: 'done' }] }],
  ['prompts/get', { kind: 'prompt', toolName: 'p' }, { messages: [{ role: 'user', content: { type: 'text', text: 'done' } }] }],
] as const)('QA24 %s has its rounds, too', async (method, thing, result) => {
  const { harness, person, calls } = await play((_params, n) => (n === 1 ? wants({ q: FORM }, 's') : ({ result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result } } as never)), new ScriptedPerson(), method);
  person.decide = () => ({ action: 'accept', content: { sure: false } });
  expect(await harness.call('srv', thing.toolName, {}, { ...thing, mark })).toMatchObject({ kind: 'result', raw: result });
  expect(calls().map(({ params }) => [params['uri'] ?? params['name'], params['requestState'], params['inputResponses']])).toEqual([[thing.toolName, undefined, undefined], [thing.toolName, 's', { q: { action: 'accept', content: { sure: false } } }]]);
});

test('QA22 a server of the older era has no rounds: nobody is asked, and what it answered is judged as a result', async () => {
  const person = new ScriptedPerson();
  const { harness, seen } = await openEndpoint('legacy', (method) => (method === 'tools/list' ? { result: { tools: [ECHO] } } : method === 'tools/call' ? wants({ q: FORM }) : { error: { code: -32601, message: 'no' } }), { questions: person });
  await harness.pool.connect('srv');
  expect(await harness.call('srv', 'echo', {}, { mark })).toMatchObject({ kind: 'result', raw: expect.not.objectContaining({ content: expect.anything() }) });
  expect([person.asked.length, seen.filter(({ method }) => method === 'tools/call').length]).toEqual([0, 1]);
});
