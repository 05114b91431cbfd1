import { fault, type Fault } from '../../shared/fault.ts';
import { isObject } from '../../shared/is-object.ts';
import type { Result } from '../../shared/result.ts';
import { authFaultOf } from './auth/auth-fault.ts';
import { isTooLarge } from '../network/answer-too-large.ts';
import { saidBy } from './answer-words.ts';
import { argumentHeaders } from './argument-headers.ts';
import { networkFault } from '../network/network-fault.ts';
import { httpStatusOf, innermost, networkCauseOf, redirectTargetOf } from './connect-fault.ts';
import type { FrozenArguments } from './frozen-arguments.ts';
import type { Incoming } from './ledger.ts';
import type { CallClock } from './questions/call-clock.ts';
import type { Flight } from './questions/flight.ts';
import type { CallMark } from './questions/question-port.ts';
import { growing, paced } from './progress-pace.ts';
import { askedPauseWith, pauseAbout } from './retry-after.ts';
import { rawRequest, type Session } from './session.ts';
import { plainWords } from './spoken-error.ts';
import { acceptedTask, asTask, strangeTask, tasksDeclared, WANTED_TTL_MS, type TaskAccepted, type TaskQuestion } from './task-call.ts';
import type { WireOutcome, WireProgress } from './wire-outcome.ts';
import { taskRequest, wireRequest, type CalledThing } from './wire-request.ts';

/** How long a request may take and who hears of it. */
export interface WireRequest {
  /** without an answer or progress */
  readonly timeoutMs: number;
  /** whatever progress says (F23) */
  readonly maxTotalMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onSent?: (() => void) | undefined;
  readonly onProgress?: ((progress: WireProgress) => void) | undefined;
  /** the answer came after the call had ended (F09): known now, too late for the caller */
  readonly onLate?: ((late: WireOutcome) => void) | undefined;
  /** whose call it is, for what its server asks meanwhile */
  readonly mark?: CallMark | undefined;
  /** stands still while a person is asked; absent: one of its own */
  readonly clock?: CallClock | undefined;
  /** asked before a later round leaves: whether what was called still is what it was */
  readonly mayGoOn?: (() => Promise<Result<null, Fault>>) | undefined;
}

/** One request of a call, of which there may be several (see `callInRounds`). */
export interface Leg {
  readonly flight: Flight;
  /** further members of its parameters: answers to what the server asked, and its state, as it came */
  readonly further: Readonly<Record<string, unknown>>;
}

/** The server wants further input before it answers (2026-07-28). */
export interface InputRequired {
  readonly wants: Readonly<Record<string, unknown>>;
}

export interface WireCall extends WireRequest, CalledThing {
  /** further members of the request's `_meta` */
  readonly meta?: Readonly<Record<string, string>> | undefined;
  /** its review says that it submits a job: sent as a task where the tool leaves the choice (older era) */
  readonly prefersTask?: boolean | undefined;
}

/** What a call that failed leaves for the decision whether it may be sent again. */
export type CallEnd = { readonly outcome: WireOutcome | TaskAccepted; readonly proof: 'session_lost' | 'not_reached' | 'auth' | null };

/** Who gets a late answer; an entry leaves when it was used or its call settled. */
export type LateListeners = WeakMap<FrozenArguments, (result: unknown, incoming: Incoming) => void>;

/** The SDK's own timer counts the time in which a person is awaited; ours does not. */
const SDK_TIMEOUT_MS = 2_000_000_000;
let nextToken = 1;

export const endOf = (fault: Fault, sent: boolean, mayHaveRun: boolean, proof: CallEnd['proof'] = null): CallEnd => ({ outcome: { kind: 'failed', fault, sent, mayHaveRun }, proof });

/** Where a request of the newer era says from which severity on its log lines are wanted; without it there are none (2026-07-28, logging). */
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

const logMeta = ({ era, logging }: Session): Readonly<Record<string, string>> => (era === 'modern' && logging.level !== null ? { [LOG_LEVEL]: logging.level } : {});

/** What is written of a call, or of a question about its task. */
const requestOf = (session: Session, call: WireCall | TaskQuestion, { token, augmented, further }: { readonly token: string; readonly augmented: boolean; readonly further: Leg['further'] }, written: () => void) => {
  if (!('toolName' in call)) return { ...taskRequest(call, tasksDeclared(session), written), headers: {} };
  const { method, frozen, params } = wireRequest(call, token, written);
  const headers = method === 'tools/call' ? argumentHeaders(session.mirrored.get(call.toolName) ?? [], call.frozenArguments) : {};
  return { method, frozen, headers, params: { ...params, ...further, ...(augmented ? { task: { ttl: WANTED_TTL_MS } } : {}), _meta: { ...(method === 'tools/call' ? tasksDeclared(session) : {}), ...logMeta(session), ...call.meta, progressToken: token } } };
};

/** Why a request is given up, as its server hears it (notifications/cancelled). */
const REASONS = { timeout: 'No answer in time.', caller: 'The caller stopped it.' } as const;

/** One request of a call on a live session (`tools/call`, `resources/read` or `prompts/get`), or a question about its task. `lost` tells why the connection ended, where it did. Never throws. */
export const callOnWire = async (session: Session, call: WireCall | TaskQuestion, late: LateListeners, lost: () => Fault | null, { flight, further }: Leg): Promise<CallEnd | InputRequired> => {
  if (call.signal?.aborted) return endOf(fault('cancelled', 'The call was stopped before it was sent.'), false, false);
  let sent = false;
  const token = `gantry-${nextToken++}`;
  const isTool = 'toolName' in call && (call.kind ?? 'tool') === 'tool';
  const augmented = isTool && asTask(session, call.toolName, call.prefersTask === true);
  const { method, frozen, params, headers } = requestOf(session, call, { token, augmented, further }, () => {
    sent = true;
    call.onSent?.();
  });
  const cancel = new AbortController();
  const { clock } = flight;
  flight.frozen = frozen;
  const startedAt = clock.activeMs;
  let stoppedBy: 'timeout' | 'caller' | null = null;
  const stop = (by: 'timeout' | 'caller'): void => {
    stoppedBy ??= by;
    const reason = new session.sdk.SdkError(session.sdk.SdkErrorCode.RequestTimeout, REASONS[by]);
    // the SDK sends it as text, with the name of the error before it
    reason.name = '';
    cancel.abort(reason);
  };
  const arm = (): (() => void) => clock.after(Math.max(0, Math.min(call.timeoutMs, call.maxTotalMs - (clock.activeMs - startedAt))), () => stop('timeout'));
  let disarm = arm();
  const report = call.onProgress === undefined ? null : paced(call.onProgress);
  let waits = true;
  session.progress.set(token, growing((progress) => {
    if (waits) {
      disarm();
      disarm = arm();
    }
    report?.(progress);
  }));
  const forget = (): void => void session.progress.delete(token);
  const onCallerStop = (): void => stop('caller');
  call.signal?.addEventListener('abort', onCallerStop, { once: true });
  const { onLate } = call;
  if (onLate !== undefined) late.set(frozen, (raw, incoming) => onLate(lateOutcome(raw, incoming)));
  let isTask = false;
  try {
    const raw = await rawRequest(session.client, method, params, { signal: cancel.signal, timeout: SDK_TIMEOUT_MS, allowInputRequired: true, headers } as never);
    const request = session.ledger.release(frozen);
    if ('settled' in session.transport) session.transport.settled(frozen);
    if (isInputRequired(raw)) {
      const isLarge = request?.held != null;
      request?.held?.release();
      if (session.era === 'modern' && !isLarge && isObject(raw)) return { wants: raw };
      return endOf(fault('protocol_error', 'The server wants further input for this call in a way that Gantry does not take.'), true, true);
    }
    const accepted = isTool && !request?.held ? acceptedTask(session.era, raw, augmented) : null;
    const outcome = received(raw, request);
    if (accepted === null) return { outcome: outcome.kind === 'held' && !('toolName' in call) ? { ...outcome, taskState: raw } : outcome, proof: null };
    if (!accepted.ok) return endOf(strangeTask(accepted.error), true, true);
    isTask = true;
    return { outcome: { kind: 'task', state: accepted.value, era: session.era, sizeBytes: request?.sizeBytes ?? 0, forget }, proof: null };
  } catch (error) {
    const request = session.ledger.release(frozen);
    request?.held?.release();
    const ownFault = request?.fault ?? null;
    if (stoppedBy !== null) {
      if ('abandon' in session.transport) session.transport.abandon(frozen);
      const seconds = Math.round((clock.activeMs - startedAt) / 100) / 10;
      const why = stoppedBy === 'timeout' ? fault('timeout', `No answer within ${seconds} s.`, { details: { waitedMs: Math.round(seconds * 1000) } }) : sent ? fault('interrupted', 'The call was stopped while it ran.') : fault('cancelled', 'The call was stopped before it was sent.');
      return endOf(why, sent, sent);
    }
    if (ownFault !== null) return endOf(ownFault, true, true);
    return judge(error, sent, session, lost);
  } finally {
    waits = false;
    disarm();
    // the token of a call goes on being its task's
    if (!isTask) forget();
    call.signal?.removeEventListener('abort', onCallerStop);
  }
};

const received = (raw: unknown, from: Partial<Omit<Incoming, 'fault'>> | null): WireOutcome => {
  const about = { sizeBytes: from?.sizeBytes ?? 0, ...(from?.notes === undefined || from.notes.length === 0 ? {} : { notes: from.notes }) };
  if (from?.held) return { kind: 'held', held: from.held, ...about };
  return { kind: 'result', raw, ...about, ...(from?.exact === undefined ? {} : { exact: from.exact }) };
};

/** The ledger hands on a result as it is, and an error as an object with `error` alone. */
const lateOutcome = (raw: unknown, incoming: Incoming): WireOutcome => {
  const keys = typeof raw === 'object' && raw !== null ? Object.keys(raw) : [];
  const error = keys.length === 1 && keys[0] === 'error' ? (raw as { error: { code?: unknown; message?: unknown; data?: unknown } | null }).error : null;
  if (error && typeof error.code === 'number') return { kind: 'rpc_error', rpcCode: error.code, message: String(error.message).toWellFormed(), ...(error.data === undefined ? {} : { data: error.data }) };
  return received(raw, incoming);
};

const isInputRequired = (raw: unknown): boolean => typeof raw === 'object' && raw !== null && (raw as { resultType?: unknown }).resultType === 'input_required';

const judge = (error: unknown, sent: boolean, session: Session, lost: () => Fault | null): CallEnd => {
  const rpc = error as { name?: string; code?: unknown; message?: unknown; data?: unknown };
  if (rpc.name === 'ProtocolError' || (error instanceof Error && typeof rpc.code === 'number' && httpStatusOf(error) === null)) {
    return { outcome: { kind: 'rpc_error', rpcCode: Number(rpc.code), message: String(rpc.message).toWellFormed(), ...(rpc.data === undefined ? {} : { data: rpc.data }) }, proof: null };
  }
  // thrown ahead of the request: the token is over and could not be renewed
  const unauthorized = authFaultOf(error);
  if (unauthorized !== null) return endOf(unauthorized, false, false, unauthorized.code === 'connection_failed' ? null : 'auth');
  if (isTooLarge(error)) return endOf(fault('too_large', 'The answer is larger than what Gantry takes.'), true, true);
  const status = httpStatusOf(error);
  if (status === 404 && session.transport instanceof Object && 'sessionId' in session.transport && session.transport.sessionId !== undefined) return endOf(fault('not_connected', 'The session on the endpoint is over (HTTP 404).', { details: { status } }), true, false, 'session_lost');
  if (status === 401 || status === 403) return endOf(fault('auth_required', `The endpoint answered ${status}; the call was not carried out.`, { remedy: 'Check its key or sign in again.', details: { status, ...saidBy(error) } }), true, false, 'auth');
  const redirect = redirectTargetOf(error);
  if (redirect !== null) return endOf(fault('protocol_error', `The endpoint leads on to ${redirect}; that was not followed.`, { details: { redirect, ...(status === null ? {} : { status }) } }), true, true);
  if (status !== null) {
    const pause = pauseAbout(askedPauseWith(status, session.transport));
    return endOf(fault('protocol_error', `The endpoint answered HTTP ${status}.${pause.words}`, { details: { status, ...pause.details, ...saidBy(error) } }), true, status !== 404 && status !== 405 && status !== 429);
  }
  const network = networkCauseOf(error);
  if (network !== null && !network.reached) return endOf(networkFault(error, 'The endpoint') ?? fault('connection_failed', `The endpoint could not be reached (${network.code}).`, { details: { cause: network.code } }), false, false, 'not_reached');
  if (network !== null) return endOf(fault('connection_failed', `The connection broke before the answer came (${network.code}).`, { details: { cause: network.code } }), true, true);
  const { SdkErrorCode } = session.sdk;
  const code = (error as { code?: unknown }).code;
  if (code === SdkErrorCode.InvalidResult || code === SdkErrorCode.UnsupportedResultType || (error as { name?: string }).name === 'ZodError') return endOf(fault('invalid_result', plainWords(error).replace(/[^.]$/, '$&.')), true, true);
  const reason = lost();
  if (reason !== null) return endOf(reason, sent, sent);
  const words = innermost(error);
  return endOf(sent ? fault('protocol_error', `The answer could not be read: ${words.replace(/\.$/, '')}.`) : fault('not_connected', words), sent, sent);
};
