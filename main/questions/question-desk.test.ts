import { afterEach, expect, test } from 'vitest';
import { fault } from '../../shared/fault.ts';
import type { Question, SamplingModelChoice, SamplingReply } from '../../shared/question.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Fault } from '../../shared/fault.ts';
import type { Run } from '../../shared/run.ts';
import { Bus } from '../bus.ts';
import { systemClock } from '../clock.ts';
import { PrivacyFilter } from '../evidence/privacy-filter.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import { formFields } from '../servers/questions/form-schema.ts';
import type { Asked, AskedContent } from '../servers/questions/question-port.ts';
import { QuestionDesk, type QuestionDeskDeps } from './question-desk.ts';
import type { SamplingModel } from './sampling-model.ts';

const mark = { invocationId: 'i1', runId: 'r1', capabilityId: 'mcp:srv:tool:x' };
const requestedSchema = { type: 'object', properties: { name: { type: 'string' }, password: { type: 'string' } } };
const fields = formFields(requestedSchema);
if (!fields.ok) throw new Error('unfit');
const FORM: AskedContent = { kind: 'form', message: 'Who?', form: { requestedSchema, fields: fields.value } };
const SAMPLING: AskedContent = { kind: 'sampling', message: '', sampling: { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], maxTokens: 10, includeContext: 'allServers' } };
const REPLY: SamplingReply = { role: 'assistant', model: 'small-1', content: [{ type: 'text', text: 'hello, a-kept-secret-value' }, { type: 'tool_use', id: 't', name: 'look', input: {} }], stopReason: 'toolUse' };
const CHOICES: readonly SamplingModelChoice[] = [{ id: 'p/small', title: 'Small', provider: 'p', tools: true }];

const SECRETS = [{ ref: 'kept', value: 'a-kept-secret-value' }];
const desks: QuestionDesk[] = [];
afterEach(() => desks.splice(0).forEach((desk) => desk.close()));

/** A desk whose notes are kept; `broken` is what the store throws. */
const openDesk = (deps: Partial<QuestionDeskDeps> = {}) => {
  const notes: { readonly runId: string; readonly event: NewEvent; readonly durable: boolean }[] = [];
  const told: Question[] = [];
  const state = { broken: false };
  const bus = new Bus();
  bus.on('question:changed', ({ question }) => told.push(question));
  const filter = new PrivacyFilter(() => SECRETS);
  const desk = new QuestionDesk({
    bus, clock: systemClock, filter, serverName: (id) => `name of ${id}`, isRunOpen: () => true, unwritten: () => {}, past: () => [], ...deps,
    note: (runId, events, durable) => {
      if (state.broken) throw new Error('disk full');
      for (const event of events) notes.push({ runId, event, durable });
    },
  });
  desks.push(desk);
  return { desk, bus, notes, told, state, types: () => notes.map(({ event }) => event.type) };
};

const asking = (desk: QuestionDesk, content: AskedContent = FORM, more: Partial<Asked> = {}) => {
  const over = new AbortController();
  const decided = desk.ask({ serverId: 'srv', call: mark, inFlight: [mark], round: 1, content, signal: over.signal, ...more });
  return { decided, over, id: desk.waiting().at(-1)?.id ?? '' };
};

test('QA03 a question that nobody answers in its time is cancelled, by no person', async () => {
  const { desk, notes } = openDesk({ expiryMs: 10 });
  const { decided, id } = asking(desk);
  expect(await decided).toEqual({ action: 'cancel' });
  expect(desk.get(id)).toMatchObject({ ok: true, value: { state: 'cancelled', by: 'Gantry' } });
  expect(notes.at(-1)).toMatchObject({ event: { type: 'question.answered', data: { decision: 'cancel', by: 'Gantry', cause: 'expired' } } });
});

test('QA03 QA01 an answer after the end of its call is a conflict and reaches nobody', async () => {
  const { desk, types } = openDesk();
  const { decided, over, id } = asking(desk);
  over.abort('call_ended');
  expect(await decided).toEqual({ action: 'cancel' });
  expect(desk.answer(id, { action: 'accept', content: {} }, 'window')).toMatchObject({ ok: false, error: { code: 'conflict', details: { state: 'void' } } });
  expect(desk.answer('none', { action: 'accept' }, 'window')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(types()).toEqual(['question.asked', 'question.voided']);
});

test('QA05 what cannot be recorded is not asked, and an acceptance that cannot be recorded is not sent', async () => {
  const { desk, state } = openDesk();
  state.broken = true;
  expect(await asking(desk).decided).toEqual({ action: 'cancel' });
  expect(desk.waiting()).toEqual([]);
  state.broken = false;
  const { decided, id } = asking(desk);
  state.broken = true;
  expect(desk.answer(id, { action: 'accept', content: { name: 'Bo' } }, 'window')).toMatchObject({ ok: false, error: { code: 'store_write_failed' } });
  expect(desk.waiting()).toHaveLength(1);
  state.broken = false;
  expect(desk.answer(id, { action: 'accept', content: { name: 'Bo' } }, 'window')).toMatchObject({ ok: true });
  expect(await decided).toEqual({ action: 'accept', content: { name: 'Bo' } });
});

test('QA05 an acceptance is on record before it leaves, durably, with its hash; what a field took that looks like a secret is not, nor its hash', () => {
  const { desk, notes } = openDesk();
  desk.answer(asking(desk).id, { action: 'accept', content: { name: 'Bo' } }, 'window');
  desk.answer(asking(desk).id, { action: 'accept', content: { name: 'Bo', password: 'hunter22' } }, 'window');
  const answered = notes.filter(({ event }) => event.type === 'question.answered');
  expect(answered).toMatchObject([{ durable: true, event: { data: { answer: { name: 'Bo' }, answerSha256: expect.any(String) } } }, { durable: true, event: { data: { answerFields: ['name', 'password'], notRecorded: ['password'] } } }]);
  expect(JSON.stringify(notes)).not.toContain('hunter22');
});

test('QA04 declining all of a server in a run holds for those that wait and those to come, not for another run or server', async () => {
  const { desk, bus } = openDesk();
  const first = asking(desk);
  const second = asking(desk);
  const other = asking(desk, FORM, { call: { ...mark, runId: 'r2' } });
  expect(desk.declineAll(first.id, 'window')).toEqual({ ok: true, value: { declined: 2 } });
  expect([await first.decided, await second.decided, await asking(desk).decided]).toEqual([{ action: 'decline' }, { action: 'decline' }, { action: 'decline' }]);
  expect(desk.waiting().map(({ id }) => id)).toEqual([other.id]);
  asking(desk, FORM, { serverId: 'another' });
  expect(desk.waiting()).toHaveLength(2);
  bus.emit('run:changed', { run: { id: 'r1', endedAt: 1 } as Run });
  asking(desk);
  expect(desk.waiting()).toHaveLength(3);
});

/** A model that answers when the test says so. */
const handModel = () => {
  const asked: { readonly request: unknown; readonly modelId: string; readonly signal: AbortSignal }[] = [];
  let reply: (result: Result<SamplingReply, Fault>) => void = () => {};
  const model: SamplingModel = {
    models: () => CHOICES,
    ask: (request, { modelId, signal }) => {
      asked.push({ request, modelId, signal });
      return new Promise((done) => (reply = done));
    },
  };
  return { model, asked, reply: async (result: Result<SamplingReply, Fault>) => (reply(result), await new Promise((next) => setImmediate(next))) };
};

test('QA17 the chosen model is asked after the consent alone, with the server’s request and nothing of the host; its reply leaves once it was seen', async () => {
  const hand = handModel();
  const { desk, types, told, notes } = openDesk({ model: hand.model });
  expect(desk.offersSampling).toBe(true);
  const { decided, id } = asking(desk, SAMPLING);
  expect(hand.asked).toEqual([]);
  expect(desk.answer(id, { action: 'accept' }, 'window')).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/modelId' } });
  expect(desk.answer(id, { action: 'accept', modelId: 'p/other' }, 'window')).toMatchObject({ ok: false, error: { field: '/modelId' } });
  expect(desk.answer(id, { action: 'accept', modelId: 'p/small' }, 'window')).toMatchObject({ ok: true, value: { state: 'waiting', sampling: { asked: { modelId: 'p/small' } } } });
  expect(desk.answer(id, { action: 'accept', modelId: 'p/small' }, 'window')).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(hand.asked.map(({ request, modelId }) => [request, modelId])).toEqual([[{ messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], maxTokens: 10 }, 'p/small']]);
  await hand.reply(ok(REPLY));
  const inReview = told.at(-1)!;
  expect(inReview).toMatchObject({ state: 'review', sampling: { reply: { model: 'small-1' } } });
  // a kept secret goes to no server
  expect(JSON.stringify(inReview)).not.toContain('a-kept-secret-value');
  expect(desk.answer(id, { action: 'accept' }, 'window')).toMatchObject({ ok: true, value: { state: 'answered' } });
  expect(await decided).toMatchObject({ action: 'accept', reply: { model: 'small-1', content: [{ type: 'text', text: expect.stringMatching(/^hello, /) }, { type: 'tool_use', id: 't' }] } });
  expect(types()).toEqual(['question.asked', 'question.model_asked', 'question.model_replied', 'question.answered']);
  expect(notes.find(({ event }) => event.type === 'question.model_asked')).toMatchObject({ durable: true, event: { data: { modelId: 'p/small', by: 'window' } } });
});

test('QA17 a changed reply keeps the model’s other parts or leaves them out; a use of a tool cannot be made up', async () => {
  const hand = handModel();
  const { desk } = openDesk({ model: hand.model });
  const { decided, id } = asking(desk, SAMPLING);
  desk.answer(id, { action: 'accept', modelId: 'p/small' }, 'window');
  await hand.reply(ok(REPLY));
  const edit = (content: Record<string, unknown>[]) => desk.answer(id, { action: 'accept', editedReply: { content } }, 'window');
  expect(edit([])).toMatchObject({ ok: false, error: { code: 'invalid_input', field: '/editedReply/content' } });
  expect(edit([{ type: 'text', text: 'mine' }, { type: 'tool_use', id: 't', name: 'look', input: { all: true } }])).toMatchObject({ ok: false, error: { field: '/editedReply/content/1' } });
  expect(edit([{ type: 'text', text: 'mine' }])).toMatchObject({ ok: true });
  expect(await decided).toMatchObject({ reply: { content: [{ type: 'text', text: 'mine' }] } });
});

test('QA17 a model that fails leaves the question waiting, for another; a decline in between stops it', async () => {
  const hand = handModel();
  const { desk, told } = openDesk({ model: hand.model });
  const { decided, id } = asking(desk, SAMPLING);
  desk.answer(id, { action: 'accept', modelId: 'p/small' }, 'window');
  await hand.reply(err(fault('model_failed', 'quota')));
  expect(told.at(-1)).toMatchObject({ state: 'waiting', sampling: { asked: null, failed: { code: 'model_failed' } } });
  expect(desk.answer(id, { action: 'accept', modelId: 'p/small' }, 'window')).toMatchObject({ ok: true });
  desk.answer(id, { action: 'decline' }, 'window');
  expect(hand.asked[1]!.signal.aborted).toBe(true);
  expect(await decided).toEqual({ action: 'decline' });
  await hand.reply(ok(REPLY));
  expect(told.at(-1)).toMatchObject({ state: 'declined' });
});

test('QA17 without a model none is asked', () => {
  const { desk } = openDesk();
  expect(desk.offersSampling).toBe(false);
  expect(desk.answer(asking(desk, SAMPLING).id, { action: 'accept', modelId: 'p/small' }, 'window')).toMatchObject({ ok: false, error: { code: 'no_model' } });
});

test('QA25 the server’s word that a page is done ends a question only after its person agreed to open it', async () => {
  const { desk } = openDesk();
  const page = { kind: 'url', message: 'm', url: { url: 'https://a.example/', host: 'a.example', elicitationId: 'e', thenContinue: true } } as const;
  const { decided, id } = asking(desk, page);
  desk.completed('srv', 'e');
  expect(desk.waiting()).toHaveLength(1);
  const again = asking(desk, { ...page, url: { ...page.url, elicitationId: 'e2' } });
  desk.answer(again.id, { action: 'accept' }, 'window');
  desk.completed('another', 'e2');
  expect(desk.waiting()).toHaveLength(2);
  desk.completed('srv', 'e2');
  expect(await again.decided).toEqual({ action: 'accept' });
  desk.answer(id, { action: 'decline' }, 'window');
  expect(await decided).toEqual({ action: 'decline' });
});

test('QA05 the words of a server are masked before they are shown', () => {
  const { desk } = openDesk();
  asking(desk, { ...FORM, message: 'Is it a-kept-secret-value?' } as AskedContent);
  expect(desk.waiting()[0]!.message).not.toContain('a-kept-secret-value');
});

test('QA04 what is declined as a whole of a run that has ended is not kept: nothing would take it away', async () => {
  const { desk } = openDesk({ isRunOpen: () => false });
  const first = asking(desk);
  expect(desk.declineAll(first.id, 'window')).toEqual({ ok: true, value: { declined: 1 } });
  expect(await first.decided).toEqual({ action: 'decline' });
  const late = asking(desk);
  expect(desk.get(late.id)).toMatchObject({ ok: true, value: { state: 'waiting' } });
});
