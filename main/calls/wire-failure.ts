import type { ResultClass } from '../../shared/call.ts';
import type { CapabilityKind } from '../../shared/capability-id.ts';
import { FAULT_CODES } from '../../shared/fault-codes.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import { categoryOf, type ErrorCategory } from './redact-error.ts';

export interface FailedOutcome {
  readonly class: ResultClass;
  readonly fault: Fault;
}

const CHECK_FIRST = 'Check whether it happened before you repeat it; a repetition is a new call.';

const MAY_HAVE_RUN = 'The call may have been carried out.';

/** Why nothing came, in the words of the transport, without its own code twice. */
const causeOf = (f: Fault): Readonly<Record<string, unknown>> => ({ ...f.details, cause: f.code });

/** A call whose bytes left and of which no answer came. Read only: cut off; else it may have happened (C083, C047). */
export const withoutAnswer = (cause: Fault, effects: boolean): FailedOutcome => {
  if (effects) {
    const f = fault('outcome_unknown', `${cause.message} ${MAY_HAVE_RUN}`, { remedy: CHECK_FIRST, details: { ...causeOf(cause), mayHaveRun: true } });
    return { class: 'outcome_unknown', fault: f };
  }
  const code = cause.code === 'timeout' ? 'timeout' : 'interrupted';
  return { class: code, fault: fault(code, `${cause.message} It only reads, so nothing was changed.`, { remedy: 'It can be tried again.', details: { ...causeOf(cause), mayHaveRun: true, retryable: true } }) };
};

/** Answers that did arrive but cannot be used: the server's doing, told as what it is. */
const ARRIVED: ReadonlyMap<string, ResultClass> = new Map([
  ['frame_too_large', 'too_large'],
  ['too_large', 'too_large'],
  ['protocol_error', 'protocol_error'],
  ['invalid_result', 'invalid_result'],
]);

/** The server is there and takes nothing before a person has signed in, or has granted more. */
const WANTS_A_PERSON: ReadonlySet<string> = new Set(['auth_required', 'sign_in_required', 'scope_missing', 'sign_in_unsafe']);

const notSent = (f: Fault): FailedOutcome => {
  const isTransport = FAULT_CODES[f.code].layer === 'transport' || WANTS_A_PERSON.has(f.code);
  const resultClass: ResultClass = f.code === 'timeout' ? 'timeout' : isTransport ? 'unavailable' : 'not_sent';
  return { class: resultClass, fault: { ...f, message: `${f.message} The tool was not called.`, details: { ...f.details, mayHaveRun: false } } };
};

/** The class of a wire failure (design section 5). `effects`: the tool may change something. */
export const classOfFailure = (wire: Extract<WireOutcome, { kind: 'failed' }>, effects: boolean): FailedOutcome => {
  const arrived = ARRIVED.get(wire.fault.code);
  if (arrived !== undefined && wire.sent) {
    const code = arrived === 'too_large' ? 'too_large' : wire.fault.code;
    const unsure = wire.mayHaveRun && effects;
    const message = unsure ? `${wire.fault.message} ${MAY_HAVE_RUN}` : wire.fault.message;
    return { class: arrived, fault: { ...wire.fault, code, message, ...(unsure ? { remedy: wire.fault.remedy ?? CHECK_FIRST } : {}), details: { ...causeOf(wire.fault), mayHaveRun: wire.mayHaveRun } } };
  }
  return wire.mayHaveRun ? withoutAnswer(wire.fault, effects) : notSent(wire.fault);
};

/** JSON-RPC says of these that the request was not processed. -32602 is the server's own word about the arguments, not proof. */
const NEVER_RAN: ReadonlySet<number> = new Set([-32700, -32600, -32601]);

const RPC_WORDS: ReadonlyMap<number, string> = new Map([
  [-32601, 'The server says that it does not offer tool calls.'],
  [-32602, 'The server says that it does not know this tool, or that its arguments are wrong.'],
  [-32603, 'The server had an internal error.'],
  [-32600, 'The server says that the request is not valid.'],
  [-32700, 'The server says that it could not read the request.'],
]);

/** Resource not found: -32002 up to 2025-11-25, -32602 in 2026-07-28 and from the SDKs of both eras. */
const NO_RESOURCE: ReadonlySet<number> = new Set([-32002, -32602]);
const OTHER_WORDS: Readonly<Record<'resource' | 'prompt', ReadonlyMap<number, string>>> = {
  resource: new Map([[-32601, 'The server says that it does not offer resources.']]),
  prompt: new Map([[-32601, 'The server says that it does not offer prompts.'], [-32602, 'The server says that it does not know this prompt, or that its arguments are wrong.']]),
};

/** What the words do not tell the code may. */
const RPC_CATEGORIES: ReadonlyMap<number, ErrorCategory> = new Map([[-32601, 'not_found'], [-32602, 'invalid_argument'], [-32600, 'invalid_argument'], [-32700, 'invalid_argument']]);
const rpcCategory = (rpcCode: number, words: string): ErrorCategory => {
  const said = categoryOf(words);
  return said === 'other' ? (RPC_CATEGORIES.get(rpcCode) ?? 'other') : said;
};

/** A JSON-RPC error instead of a result. `words` are the server's own, masked and redacted. */
export const classOfRpcError = (rpcCode: number, words: string, effects: boolean, kind: CapabilityKind = 'tool'): FailedOutcome => {
  if (kind === 'resource' && NO_RESOURCE.has(rpcCode)) {
    const details = { rpcCode, serverWords: words, category: 'not_found', mayHaveRun: true, retryable: false };
    return { class: 'protocol_error', fault: fault('resource_not_found', `The server says that it has no such resource (${rpcCode}: ${words.slice(0, 400)})`, { details, remedy: 'Read the lists of the server anew, or check the values of the template.' }) };
  }
  const mayHaveRun = !NEVER_RAN.has(rpcCode);
  const message = `${(kind === 'tool' ? undefined : OTHER_WORDS[kind].get(rpcCode)) ?? RPC_WORDS.get(rpcCode) ?? 'The server answered with a protocol error.'} (${rpcCode}: ${words.slice(0, 400)})`;
  const details = { rpcCode, serverWords: words, category: rpcCategory(rpcCode, words), mayHaveRun, retryable: !effects && rpcCode === -32603 };
  return { class: 'protocol_error', fault: fault('protocol_error', message, { details, ...(effects && mayHaveRun ? { remedy: CHECK_FIRST } : {}) }) };
};
