import { randomUUID } from 'node:crypto';
import type { ParsedInputOf } from '../../shared/contract/contract.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import type { Question, QuestionState, QuestionVoidReason, SamplingModelChoice, SamplingReply } from '../../shared/question.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import type { PrivacyFilter } from '../evidence/privacy-filter.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import type { AskedRow } from '../store/asked-questions.ts';
import { judgeContent } from '../servers/questions/form-content.ts';
import type { Asked, AskedOf, Decision, QuestionNote, QuestionPort } from '../servers/questions/question-port.ts';
import { editedReplyOf } from './edited-reply.ts';
import { openQuestion } from './open-question.ts';
import { pastQuestion } from './past-questions.ts';
import { answerData, askedData } from './question-events.ts';
import type { SamplingModel } from './sampling-model.ts';

/** How long a question waits for its person before the server is told that it was cancelled. */
const QUESTION_EXPIRY_MS = 15 * 60_000;
/** Questions that lists have, those that ended in memory or read from the evidence of their runs. */
const KEPT_ENDED = 500;

export interface QuestionDeskDeps {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly filter: Pick<PrivacyFilter, 'text' | 'value' | 'findSecret'>;
  readonly serverName: (serverId: string) => string;
  readonly isRunOpen: (runId: string) => boolean;
  /** writes evidence; throws what the store throws */
  readonly note: (runId: string, events: readonly NewEvent[], durable: boolean) => void;
  /** it could not be written */
  readonly unwritten: (error: unknown) => void;
  /** what is on record of the last questions, the newest first */
  readonly past: (limit: number) => readonly AskedRow[];
  /** null where none answers sampling */
  readonly model?: SamplingModel | null;
  readonly expiryMs?: number;
}

interface Open {
  question: Question;
  readonly asked: Asked;
  readonly timer: NodeJS.Timeout;
  readonly settle: (decision: Decision) => void;
  /** the chosen model is at work */
  model: AbortController | null;
}

type Answer = Pick<ParsedInputOf<'questions:answer'>, 'action' | 'content' | 'modelId' | 'editedReply'>;
const STATE_OF: Readonly<Record<Decision['action'], QuestionState>> = { accept: 'answered', decline: 'declined', cancel: 'cancelled' };

/** What servers ask of the person in the middle of their calls: waits for one answer each, and keeps the record. Nothing else than a person, a clock or the end of the call ends a question. */
export class QuestionDesk implements QuestionPort {
  readonly #deps: QuestionDeskDeps;
  readonly #open = new Map<string, Open>();
  readonly #ended = new Map<string, Question>();
  /** servers that were declined as a whole, by run, or alone */
  readonly #declined = new Map<string, string>();

  constructor(deps: QuestionDeskDeps) {
    this.#deps = deps;
    // what is on record is read from there: without the deleted runs
    deps.bus.on('history:changed', () => this.#ended.clear());
    deps.bus.on('run:changed', ({ run }) => {
      if (run.endedAt !== null) this.#runEnded(run.id);
    });
  }

  get offersSampling(): boolean {
    return this.models().length > 0;
  }

  models(): readonly SamplingModelChoice[] {
    return this.#deps.model?.models() ?? [];
  }

  ask(asked: Asked): Promise<Decision> {
    if (asked.signal.aborted) return Promise.resolve({ action: 'cancel' });
    const { clock, serverName, filter, expiryMs = QUESTION_EXPIRY_MS } = this.#deps;
    const question = openQuestion(asked, { id: randomUUID(), serverName: serverName(asked.serverId), now: clock.now(), expiryMs, text: (text) => filter.text(text), value: (value) => filter.value(value).value });
    const declinedBy = this.#declined.get(declineKey(asked));
    // what cannot be put on record is not asked
    if (!this.#write(asked, { type: 'question.asked', data: { ...askedData(question), ...(asked.call === null ? { unclear: true } : {}) } })) return Promise.resolve({ action: 'cancel' });
    return new Promise((settle) => {
      const timer = setTimeout(() => this.#end(question.id, { action: 'cancel' }, 'Gantry', 'expired'), expiryMs);
      timer.unref();
      this.#open.set(question.id, { question, asked, timer, settle, model: null });
      if (declinedBy !== undefined) return void this.#end(question.id, { action: 'decline' }, declinedBy, 'declined_all');
      asked.signal.addEventListener('abort', () => this.#void(question.id, asked.signal.reason as QuestionVoidReason), { once: true });
      this.#tell(question);
    });
  }

  note(of: AskedOf, { type, data }: QuestionNote, durable = false): boolean {
    return this.#write(of, { type, data: { serverId: of.serverId, round: of.round, ...data } }, durable);
  }

  completed(serverId: string, elicitationId: string): void {
    const isIt = (question: Question): boolean => question.kind === 'url' && question.serverId === serverId && question.url.elicitationId === elicitationId && question.url.completedAt === null;
    const found = [...this.#open.values()].map(({ question }) => question).find(isIt) ?? [...this.#ended.values()].find((question) => isIt(question) && question.state === 'answered');
    if (found?.kind !== 'url') return;
    const done: Question = { ...found, url: { ...found.url, completedAt: this.#deps.clock.now() } };
    this.#replace(done);
    if (done.url.thenContinue && done.url.openedAt !== null && this.#open.has(done.id)) this.#end(done.id, { action: 'accept' }, 'Gantry', 'completed');
    // its run may have ended meanwhile
    if (done.runId !== null) this.#note(done.runId, { type: 'question.completed', invocationId: done.invocationId, data: { questionId: done.id, serverId } }, false);
  }

  list(state?: QuestionState): Question[] {
    const open = [...this.#open.values()].map(({ question }) => question);
    if (state === 'waiting' || state === 'review') return open.filter((question) => question.state === state);
    const now = [...this.#ended.values()].reverse();
    const ended = [...now, ...this.#past()];
    return state === undefined ? [...open.reverse(), ...ended].slice(0, KEPT_ENDED) : ended.filter((question) => question.state === state).slice(0, KEPT_ENDED);
  }

  /** Those that wait for a person, the oldest first. */
  waiting(): Question[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  get(questionId: string): Result<Question, Fault> {
    const found = this.#open.get(questionId)?.question ?? this.#ended.get(questionId) ?? this.#past().find(({ id }) => id === questionId);
    return found ? ok(found) : err(fault('not_found', 'There is no such question.'));
  }

  /** A person's answer. Errors: not_found, conflict, invalid_input, secret_in_input, invalid_request, no_model. */
  answer(questionId: string, answer: Answer, by: string): Result<Question, Fault> {
    const known = this.get(questionId);
    if (!known.ok) return known;
    const open = this.#open.get(questionId);
    if (open === undefined) return err(fault('conflict', 'This question does not wait any more.', { details: { state: known.value.state } }));
    if (answer.action !== 'accept') return this.#end(questionId, { action: answer.action }, by);
    const { question } = open;
    if (question.kind === 'sampling') return this.#acceptSampling(open, question, answer, by);
    if (question.kind === 'url') return question.url.thenContinue && question.url.openedAt === null ? this.#opened(open, question, by) : this.#end(questionId, { action: 'accept' }, by);
    const content = judgeContent(question.form, answer.content ?? {});
    if (!content.ok) return content;
    const secretAt = this.#deps.filter.findSecret(content.value);
    if (secretAt !== null) return err(fault('secret_in_input', 'The answer holds a secret that Gantry keeps; nothing was sent.', { field: `/content${secretAt}`, remedy: 'Leave it out: a form is no place for a secret.' }));
    return this.#end(questionId, { action: 'accept', content: content.value }, by);
  }

  /** Declines all of this server in this run, those that wait and those to come. Error: not_found. */
  declineAll(questionId: string, by: string): Result<{ readonly declined: number }, Fault> {
    const known = this.get(questionId);
    if (!known.ok) return known;
    const key = declineKey({ serverId: known.value.serverId, call: known.value.runId === null ? null : { runId: known.value.runId } });
    // what is over asks no more: nothing would ever take the key away
    if (known.value.runId === null ? this.#open.has(questionId) : this.#deps.isRunOpen(known.value.runId)) this.#declined.set(key, by);
    const same = [...this.#open.values()].filter(({ asked }) => declineKey(asked) === key);
    for (const { question } of same) this.#end(question.id, { action: 'decline' }, by, 'declined_all');
    return ok({ declined: same.length });
  }

  /** The server's connection is another one now: what was declined without a run asks again. */
  serverLeft(serverId: string): void {
    this.#declined.delete(declineKey({ serverId, call: null }));
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.#void(id, 'stopped');
  }

  /** Those of earlier starts, and what this one keeps no more; the newest first, each once. */
  #past(): Question[] {
    const known = new Set([...this.#open.keys(), ...this.#ended.keys()]);
    return this.#deps.past(KEPT_ENDED).flatMap((row) => {
      const question = pastQuestion(row, this.#deps.serverName);
      if (question === null || known.has(question.id)) return [];
      known.add(question.id);
      return [question];
    });
  }

  #opened(open: Open, question: Extract<Question, { kind: 'url' }>, by: string): Result<Question, Fault> {
    const opened: Question = { ...question, url: { ...question.url, openedAt: this.#deps.clock.now() } };
    if (!this.#write(open.asked, { type: 'question.opened', data: { questionId: question.id, host: question.url.host, by } }, true)) return err(fault('store_write_failed', 'The consent could not be recorded; the page is not to be opened.'));
    this.#update(open, opened);
    return ok(opened);
  }

  #acceptSampling(open: Open, question: Extract<Question, { kind: 'sampling' }>, answer: Answer, by: string): Result<Question, Fault> {
    const { reply } = question.sampling;
    if (question.state === 'review' && reply !== undefined) {
      const sent = editedReplyOf(reply, answer.editedReply?.content);
      return sent.ok ? this.#end(question.id, { action: 'accept', reply: sent.value }, by) : sent;
    }
    if (open.model !== null) return err(fault('conflict', 'The chosen model is at work.', { details: { state: question.state } }));
    const { model } = this.#deps;
    const chosen = this.models().find(({ id }) => id === answer.modelId);
    if (!model || this.models().length === 0) return err(fault('no_model', 'No model is set up that could answer.', { remedy: 'Set up a model in Settings.' }));
    if (chosen === undefined) return err(fault('invalid_request', 'Name the model that is to answer.', { field: '/modelId', remedy: `One of: ${this.models().map(({ id }) => id).join(', ')}.` }));
    const controller = new AbortController();
    open.model = controller;
    const { asked: _asked, reply: _reply, failed: _failed, includeContext: _context, ...request } = question.sampling;
    const asking: Question = { ...question, sampling: { ...withoutFailure(question.sampling), asked: { modelId: chosen.id, at: this.#deps.clock.now() } } };
    if (!this.#write(open.asked, { type: 'question.model_asked', data: { questionId: question.id, modelId: chosen.id, by } }, true)) {
      open.model = null;
      return err(fault('store_write_failed', 'The consent could not be recorded; the model was not asked.'));
    }
    this.#update(open, asking);
    const of = { serverId: question.serverId, runId: question.runId, questionId: question.id, modelId: chosen.id, signal: controller.signal, record: (event: Pick<NewEvent, 'type' | 'data'>) => this.#write(open.asked, event, true) };
    void model.ask(request, of).catch((error: unknown) => err(fault('model_failed', error instanceof Error ? error.message : String(error)))).then((replied) => this.#replied(question.id, replied));
    return ok(asking);
  }

  #replied(questionId: string, replied: Result<SamplingReply, Fault>): void {
    const open = this.#open.get(questionId);
    if (open?.question.kind !== 'sampling') return;
    open.model = null;
    const { question } = open;
    if (!replied.ok) {
      this.#write(open.asked, { type: 'question.model_failed', data: { questionId, code: replied.error.code, message: replied.error.message } });
      return this.#update(open, { ...question, sampling: { ...question.sampling, asked: null, failed: { ...replied.error, details: replied.error.details === undefined ? undefined : { ...replied.error.details } } } });
    }
    const reply = this.#deps.filter.value(replied.value).value as SamplingReply;
    this.#write(open.asked, { type: 'question.model_replied', data: { questionId, model: reply.model, stopReason: reply.stopReason, blocks: reply.content.length, ...answerData(question, { content: reply.content }) } });
    this.#update(open, { ...question, state: 'review', sampling: { ...question.sampling, reply } });
  }

  #void(questionId: string, reason: QuestionVoidReason): void {
    const open = this.#open.get(questionId);
    if (open === undefined) return;
    this.#write(open.asked, { type: 'question.voided', data: { questionId, kind: open.question.kind, cause: reason } });
    this.#settle(open, { ...open.question, state: 'void', by: 'Gantry', endedAt: this.#deps.clock.now(), voidReason: reason }, { action: 'cancel' });
  }

  /** Once: the second of two answers finds that it does not wait. */
  #end(questionId: string, decision: Decision, by: string, cause?: 'expired' | 'declined_all' | 'completed'): Result<Question, Fault> {
    const open = this.#open.get(questionId);
    if (open === undefined) return err(fault('conflict', 'This question does not wait any more.'));
    const given = decision.action === 'accept' ? (decision.content ?? (decision.reply === undefined ? undefined : { content: decision.reply.content })) : undefined;
    const written = this.#write(open.asked, { type: 'question.answered', data: { questionId, kind: open.question.kind, decision: decision.action, by, cause, ...answerData(open.question, given) } }, decision.action === 'accept');
    // an accepted answer leaves only when it is on record
    if (!written && decision.action === 'accept') return err(fault('store_write_failed', 'The answer could not be recorded; nothing was sent.', { remedy: 'Make the data folder writable, then answer again.' }));
    const ended: Question = { ...open.question, state: STATE_OF[decision.action], by, endedAt: this.#deps.clock.now() };
    this.#settle(open, ended, decision);
    return ok(ended);
  }

  #settle(open: Open, ended: Question, decision: Decision): void {
    clearTimeout(open.timer);
    open.model?.abort();
    this.#open.delete(ended.id);
    this.#ended.set(ended.id, ended);
    if (this.#ended.size > KEPT_ENDED) this.#ended.delete(this.#ended.keys().next().value!);
    this.#tell(ended);
    open.settle(decision);
  }

  #runEnded(runId: string): void {
    for (const key of this.#declined.keys()) if (key.endsWith(` ${runId}`)) this.#declined.delete(key);
  }

  #update(open: Open, question: Question): void {
    open.question = question;
    this.#tell(question);
  }

  #replace(question: Question): void {
    const open = this.#open.get(question.id);
    if (open !== undefined) return this.#update(open, question);
    this.#ended.set(question.id, question);
    this.#tell(question);
  }

  /** In the run of its call; where that is not clear, in the run of each call that it may belong to. */
  #write(of: AskedOf, event: Pick<NewEvent, 'type' | 'data'>, durable = false): boolean {
    const { call } = of;
    if (call !== null) return this.#note(call.runId, { ...event, invocationId: call.invocationId }, durable);
    return [...new Set(of.inFlight.map(({ runId }) => runId))].map((runId) => this.#note(runId, { ...event, invocationId: null }, durable)).every(Boolean);
  }

  #note(runId: string, event: NewEvent, durable: boolean): boolean {
    try {
      this.#deps.note(runId, [event], durable);
      return true;
    } catch (error) {
      this.#deps.unwritten(error);
      return false;
    }
  }

  #tell(question: Question): void {
    this.#deps.bus.emit('question:changed', { question });
  }
}

const declineKey = ({ serverId, call }: { readonly serverId: string; readonly call: { readonly runId: string } | null }): string => `${serverId} ${call?.runId ?? ''}`;

const withoutFailure = <T extends { readonly failed?: unknown }>({ failed: _failed, ...sampling }: T): Omit<T, 'failed'> => sampling;
