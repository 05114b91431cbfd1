import { setTimeout as pause } from 'node:timers/promises';
import { fault, type Fault } from '../../shared/fault.ts';
import { isObject } from '../../shared/is-object.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { canonicalText, sha256 } from '../evidence/canonical.ts';
import { wellFormed } from '../evidence/well-formed.ts';
import { callOnWire, endOf, type CallEnd, type LateListeners, type WireCall } from './call-on-wire.ts';
import { ASK_LIMITS } from './questions/ask-pace.ts';
import { CallClock } from './questions/call-clock.ts';
import type { Flight } from './questions/flight.ts';
import { urlsRequired } from './questions/urls-required.ts';
import { wireAnswer } from './questions/wire-answer.ts';
import type { Session } from './session.ts';
import type { TaskQuestion } from './task-call.ts';

/** How often a server may want further input in one call (F17), and how long its state may be. */
export const ROUND_LIMITS = { rounds: 10, stateChars: 64 * 1024, keyChars: 200 } as const;
/** A server that wants nothing but another try is not asked again at once. */
const STATE_ALONE_PAUSE_MS = 250;

type Answers = Readonly<Record<string, unknown>>;

/** Where a call stands that its server answers in several rounds. Its state is known here alone: no record, log or model sees it, and it goes back in the next round of this call or nowhere. */
export class Rounds {
  /** the round that is under way */
  n = 1;
  further: Answers = {};
}

/** What ended a call between two rounds. Earlier rounds were carried out: nobody knows how far. */
const between = (why: Fault): CallEnd => endOf(why, true, true);

/**
 * A call with all its rounds (MRTR, 2026-07-28): each is a request of its own with the same frozen arguments, what people answered, and the server's state byte for byte. A
 * later round leaves only after its intent is on record. The error by which a server of 2025-11-25 wants pages opened first (-32042) is such a round too: it proves that
 * nothing was carried out. Never throws.
 */
export const callInRounds = async (session: Session, call: WireCall | TaskQuestion, late: LateListeners, lost: () => Fault | null, rounds: Rounds): Promise<CallEnd> => {
  const flight = session.questions.begin(call.mark ?? null, call.clock ?? new CallClock());
  const stopped = (): void => flight.end('stopped');
  if (call.signal?.aborted) stopped();
  call.signal?.addEventListener('abort', stopped, { once: true });
  const startedAt = flight.clock.activeMs;
  try {
    for (;;) {
      const left = Math.max(1, call.maxTotalMs - (flight.clock.activeMs - startedAt));
      const end = await callOnWire(session, { ...call, maxTotalMs: left }, late, lost, { flight, further: rounds.further });
      if (!('toolName' in call)) return 'outcome' in end ? end : between(fault('protocol_error', 'Asked about its task, the server wants further input.'));
      const wanted = 'wants' in end ? await furtherInput(session, flight, end.wants, rounds, call) : await pagesFirst(session, flight, end, rounds);
      if (wanted === null) return 'outcome' in end ? laterRound(end, rounds) : between(fault('internal', 'A round was lost.'));
      if (!wanted.ok) return between(wanted.error);
      if (call.signal?.aborted) return between(fault('interrupted', 'The call was stopped while its server waited for an answer.'));
      if (lost() !== null) return between(lost()!);
      const open = (await call.mayGoOn?.()) ?? ok(null);
      if (!open.ok) return between(open.error);
      rounds.n += 1;
      if (!session.questions.note(session.questions.of(flight, rounds.n), { type: 'question.round', data: roundData(wanted.value) }, true)) return between(fault('store_write_failed', 'The next round could not be recorded; it was not sent.'));
      rounds.further = wanted.value;
    }
  } finally {
    call.signal?.removeEventListener('abort', stopped);
    session.questions.end(flight, call.signal?.aborted ? 'stopped' : lost() === null ? 'call_ended' : 'server_gone');
  }
};

/** A later round is not begun anew: what proves that it was not processed proves nothing of those before. A sign-in that ran out meanwhile goes on where it was. */
const laterRound = (end: CallEnd, { n }: Rounds): CallEnd => {
  if (n === 1 || end.proof === null || end.proof === 'auth' || end.outcome.kind !== 'failed') return end;
  return { proof: null, outcome: { ...end.outcome, sent: true, mayHaveRun: true } };
};

const roundData = (further: Answers): Answers => {
  const { inputResponses, requestState } = further;
  const answers = isObject(inputResponses) ? canonicalText(wellFormed(inputResponses).value) : null;
  return { answers: isObject(inputResponses) ? Object.keys(inputResponses).length : 0, ...(answers === null ? {} : { answersSha256: sha256(answers) }), stateBytes: typeof requestState === 'string' ? Buffer.byteLength(requestState) : 0 };
};

const refuse = (message: string, code: Fault['code'] = 'protocol_error'): Result<never, Fault> => err(fault(code, message));

/** What one `input_required` asks for, answered; the parameters of the next round. */
const furtherInput = async (session: Session, flight: Flight, wants: Answers, { n }: Rounds, call: WireCall): Promise<Result<Answers, Fault>> => {
  const { questions } = session;
  const { inputRequests, requestState } = wants;
  const of = questions.of(flight, n);
  const requests = Object.entries(isObject(inputRequests) ? inputRequests : {});
  if (n > ROUND_LIMITS.rounds) return refuse(`The server wanted further input ${n} times in one call; Gantry takes part in ${ROUND_LIMITS.rounds} rounds.`, 'question_limit');
  if (requestState !== undefined && typeof requestState !== 'string') return refuse('The server wants its state back, and what it gave is no text (/requestState).', 'invalid_result');
  if (requestState !== undefined && requestState.length > ROUND_LIMITS.stateChars) return refuse(`The state that the server wants back is longer than ${ROUND_LIMITS.stateChars} characters.`);
  if (inputRequests !== undefined && !isObject(inputRequests)) return refuse('What the server wants further is no object (/inputRequests).', 'invalid_result');
  const state = requestState === undefined ? {} : { requestState };
  questions.note(of, { type: 'question.input_required', data: { asks: requests.slice(0, ASK_LIMITS.perRound).map(([, request]) => (isObject(request) ? String(request['method']).slice(0, 100) : 'unknown')), count: requests.length, stateBytes: requestState === undefined ? 0 : Buffer.byteLength(requestState) } });
  if (requests.length === 0) {
    if (requestState === undefined) return refuse('The server wants further input and says not which.', 'invalid_result');
    await pause(STATE_ALONE_PAUSE_MS, undefined, { signal: call.signal }).catch(() => {});
    return ok(state);
  }
  const answered = await answersTo(session, flight, inputRequests as Answers, n);
  return answered.ok ? ok({ inputResponses: answered.value, ...state }) : answered;
};

/** Asks the person all that a server wants to know at once: the answers, by key, or why there are none. */
export const answersTo = async (session: Session, flight: Flight, inputRequests: Answers, round: number): Promise<Result<Answers, Fault>> => {
  const requests = Object.entries(inputRequests);
  if (requests.length > ASK_LIMITS.perRound) return refuse(`The server asked ${requests.length} things at once; Gantry passes on ${ASK_LIMITS.perRound}.`, 'question_limit');
  const asked = await Promise.all(requests.map(async ([key, request]) => [key, await answerTo(session, flight, key, request, round)] as const));
  const failed = asked.find(([, answer]) => !answer.ok);
  if (failed !== undefined && !failed[1].ok) return err(failed[1].error);
  return ok(Object.fromEntries(asked.map(([key, answer]) => [key, answer.ok ? answer.value : null])));
};

const answerTo = async (session: Session, flight: Flight, key: string, request: unknown, round: number): Promise<Result<Answers, Fault>> => {
  const { questions } = session;
  const of = questions.of(flight, round);
  const method = isObject(request) ? request['method'] : undefined;
  if (typeof method !== 'string' || key.length > ROUND_LIMITS.keyChars || key === '__proto__') return refuse('What the server asks in this call cannot be read.');
  const params = (request as Answers)['params'];
  if (method === 'roots/list') return ok(questions.rootsFor(flight, round));
  if (!questions.offers(method)) {
    questions.refused(of, { code: 'not_offered', message: `It asks for ${method.slice(0, 100)}, which was not offered to it.` });
    return refuse(`The server asks for ${method.slice(0, 100)} in this call, which Gantry did not offer.`);
  }
  const judged = questions.judge(method, params, of, [flight]);
  if (!judged.ok) {
    if (judged.error.code === 'too_many') return refuse('The server asks more often than Gantry passes on.', 'question_limit');
    return method === 'elicitation/create' ? ok({ action: 'decline' }) : refuse(judged.error.message);
  }
  const result = wireAnswer(judged.value, await questions.ask(judged.value, of, [flight]));
  return result === null ? refuse('Nobody agreed to the model request that this call asked for.', 'denied') : ok(result);
};

/** The pages that a server of 2025-11-25 wants opened before it takes a call; null where this end is another. */
const pagesFirst = async (session: Session, flight: Flight, end: CallEnd, { n }: Rounds): Promise<Result<Answers, Fault> | null> => {
  const { questions } = session;
  if (end.outcome.kind === 'task') return null;
  const pages = session.era === 'legacy' && questions.offers('elicitation/create') ? urlsRequired(end.outcome) : null;
  if (pages === null || n > ROUND_LIMITS.rounds) return null;
  const of = questions.of(flight, n);
  const judged = pages.map((params) => questions.judge('elicitation/create', params, of, [flight]));
  const contents = judged.flatMap((one) => (one.ok && one.value.kind === 'url' ? [{ ...one.value, url: { ...one.value.url, thenContinue: true } }] : []));
  if (contents.length < pages.length) return null;
  const decisions = await Promise.all(contents.map((content) => questions.ask(content, of, [flight])));
  // declined: the server's own answer to the call stands
  return decisions.every(({ action }) => action === 'accept') ? ok({}) : null;
};
