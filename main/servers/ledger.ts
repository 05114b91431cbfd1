import { randomUUID } from 'node:crypto';
import type { Fault } from '../../shared/fault.ts';
import { fault } from '../../shared/fault.ts';
import type { FrozenArguments } from './frozen-arguments.ts';
import { frozenIn } from './frozen-arguments.ts';
import type { HeldResult } from './frame-lane.ts';
import type { SourceNumber } from './source-numbers.ts';

/** One request that waits for its answer. */
export interface OpenRequest {
  readonly id: string | number;
  readonly method: string;
  readonly frozen: FrozenArguments | null;
  /** why it ended, where the wire knows better than the SDK */
  fault: Fault | null;
  sizeBytes: number;
  notes: readonly string[];
  /** the result lies in a worker; what the SDK got stands in for it */
  held: HeldResult | null;
  exact: readonly SourceNumber[] | undefined;
}

export interface LedgerEvents {
  /** something the server may not do; counted and shown (F07 to F11) */
  anomaly(what: string): void;
  /** an answer that came after its call had ended (F09) */
  late(frozen: FrozenArguments, result: unknown, incoming: Incoming): void;
}

export interface Incoming {
  readonly sizeBytes: number;
  readonly notes?: readonly string[];
  readonly fault?: Fault;
  /** the message's result is a stand-in; the real one is here, and is let go where nobody takes it */
  readonly held?: HeldResult | null;
  readonly exact?: readonly SourceNumber[] | undefined;
  /** the request on whose stream it came, over a transport that has one for each */
  readonly streamOf?: string | number;
}

type Message = Readonly<Record<string, unknown>>;
const REMEMBERED_ENDED = 256;
const REMEMBERED_FAULTS = 64;

/** Ends a request of the SDK for a reason of our own. `mark`: known to nobody else, so that no server's error is taken for one of ours. */
const errorAnswer = (id: string | number, message: string, mark: string): Message => ({ jsonrpc: '2.0', id, error: { code: -32603, message, data: mark } });

/**
 * Who asked what on one connection. The SDK takes "1" for 1 and forgets a call that ended; here ids match by type and value (F10), the first answer wins (F08),
 * unknown ids are counted (F07), late answers find their call (F09), and an error without an id, or under one that was never asked, belongs to the only open call (C036).
 */
export class Ledger {
  readonly #open = new Map<string | number, OpenRequest>();
  readonly #ended = new Map<string | number, FrozenArguments | null>();
  readonly #answered = new Set<string | number>();
  readonly #byFrozen = new Map<FrozenArguments, OpenRequest>();
  /** held results that were handed on as late ones: whoever got them lets them go */
  readonly #late = new WeakSet<HeldResult>();
  readonly #events: LedgerEvents;
  /** why requests that are no calls ended, by the mark of their error */
  readonly #faults = new Map<string, Fault>();
  #listBytes = 0;
  /** the highest id that was asked under; the SDK counts up from 0 */
  #lastId = -1;

  constructor(events: LedgerEvents) {
    this.#events = events;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Bytes of all answers so far but those to calls. */
  get listBytes(): number {
    return this.#listBytes;
  }

  /** The reason of our own for which a request was rejected with this error; null where the server or the connection is the reason. Once. */
  faultOf(error: unknown): Fault | null {
    const mark = (error as { data?: unknown } | null)?.data;
    if (typeof mark !== 'string') return null;
    const found = this.#faults.get(mark) ?? null;
    this.#faults.delete(mark);
    return found;
  }

  sent(message: Message): OpenRequest | null {
    if (typeof message['method'] !== 'string') return null;
    const id = message['id'];
    if (typeof id === 'number' || typeof id === 'string') {
      const frozen = frozenIn(message);
      const request: OpenRequest = { id, method: message['method'], frozen, fault: null, sizeBytes: 0, notes: [], held: null, exact: undefined };
      this.#open.set(id, request);
      if (typeof id === 'number' && id > this.#lastId) this.#lastId = id;
      if (frozen !== null) this.#byFrozen.set(frozen, request);
      return request;
    }
    if (message['method'] === 'notifications/cancelled') this.#cancelled(message);
    return null;
  }

  /** Ends the record of a call whose caller no longer waits; an answer to it is late from now on. */
  release(frozen: FrozenArguments): OpenRequest | null {
    const request = this.#byFrozen.get(frozen) ?? null;
    this.#byFrozen.delete(frozen);
    if (request !== null && this.#open.delete(request.id)) this.#remember(request.id, frozen);
    return request;
  }

  /** What the open request with this id asked; null where there is none. */
  methodOf(id: unknown): string | null {
    return (typeof id === 'number' || typeof id === 'string' ? this.#open.get(id)?.method : null) ?? null;
  }

  /** The arguments that the open request with this id carries; null where it is no call. */
  frozenOf(id: string | number): FrozenArguments | null {
    return this.#open.get(id)?.frozen ?? null;
  }

  /** The answer as the SDK should see it, or null when it must not see it. */
  answered(message: Message, incoming: Incoming): Message | null {
    const answer = this.#answer(message, incoming);
    if (answer === null && incoming.held && !this.#late.delete(incoming.held)) incoming.held.release();
    return answer;
  }

  #answer(message: Message, incoming: Incoming): Message | null {
    const id = message['id'];
    if (id === null || id === undefined) return this.#withoutId(message, incoming);
    if (typeof id !== 'number' && typeof id !== 'string') return this.#odd(`an answer with an id of type ${typeof id}`);
    const request = this.#open.get(id);
    if (request === undefined) return this.#notOpen(id, message, incoming);
    this.#open.delete(id);
    this.#markAnswered(id);
    request.sizeBytes = incoming.sizeBytes;
    if (request.frozen === null) this.#listBytes += incoming.sizeBytes;
    request.notes = incoming.notes ?? [];
    request.held = incoming.held ?? null;
    request.exact = incoming.exact;
    if (incoming.fault !== undefined) return this.#fail(request, incoming.fault);
    const hasResult = Object.hasOwn(message, 'result');
    const hasError = Object.hasOwn(message, 'error') && message['error'] !== undefined;
    if (hasResult === hasError) {
      const what = hasResult ? 'both a result and an error' : 'neither a result nor an error';
      this.#events.anomaly(`an answer with ${what}`);
      return this.#fail(request, fault('protocol_error', `The server answered with ${what}.`));
    }
    if (hasError) return { jsonrpc: '2.0', id, error: tidyError(message['error']) };
    if (typeof message['result'] !== 'object' || message['result'] === null || Array.isArray(message['result'])) {
      this.#events.anomaly('a result that is no object');
      return this.#fail(request, fault('protocol_error', 'The server answered with a result that is not an object.'));
    }
    return message;
  }

  /** An answer of which only the id could be read (bad UTF-8, too deep, not JSON). */
  unreadable(id: string | number | null, why: Fault, sizeBytes: number): Message | null {
    const waiting = this.#waiting();
    const only = id ?? (waiting.length === 1 ? waiting[0]!.id : null);
    if (only === null || !this.#open.has(only)) return this.#odd(why.message);
    return this.answered({ id: only }, { sizeBytes, fault: why });
  }

  /** The transport knows that no answer will come. */
  endedWithout(id: string | number, why: Fault): Message | null {
    return this.#open.has(id) ? this.answered({ id }, { sizeBytes: 0, fault: why }) : null;
  }

  #fail(request: OpenRequest, why: Fault): Message {
    request.fault = why;
    const mark = randomUUID();
    if (request.frozen === null) {
      this.#faults.set(mark, why);
      if (this.#faults.size > REMEMBERED_FAULTS) this.#faults.delete(this.#faults.keys().next().value!);
    }
    return errorAnswer(request.id, why.message, mark);
  }

  /** What an answer without an id may belong to; a subscription stands open and waits for none. */
  #waiting(): OpenRequest[] {
    return [...this.#open.values()].filter((request) => request.method !== 'subscriptions/listen');
  }

  #withoutId(message: Message, incoming: Incoming): Message | null {
    if (!Object.hasOwn(message, 'error')) return this.#odd('an answer without an id');
    const calls = this.#waiting();
    const only = calls.length === 1 ? calls[0]! : null;
    this.#events.anomaly(only === null ? `an error without a usable id while ${calls.length} requests were open` : `an error without a usable id, taken for the answer to ${only.method}`);
    return only === null ? null : this.answered({ ...message, id: only.id }, incoming);
  }

  #notOpen(id: string | number, message: Message, incoming: Incoming): Message | null {
    if (this.#ended.has(id)) {
      const frozen = this.#ended.get(id);
      this.#ended.delete(id);
      this.#markAnswered(id);
      if (frozen) {
        if (incoming.held) this.#late.add(incoming.held);
        this.#events.late(frozen, Object.hasOwn(message, 'result') ? message['result'] : { error: message['error'] }, incoming);
      }
      return null;
    }
    const isStray = typeof id === 'string' || !(id > 0 && id <= this.#lastId);
    // an error under an id that was never asked names no request: no id at all, in other words (C036)
    if (isStray && !this.#answered.has(id) && Object.hasOwn(message, 'error') && !Object.hasOwn(message, 'result') && message['error'] !== null) return this.#withoutId(message, incoming);
    return this.#odd(this.#answered.has(id) ? `a second answer to request ${JSON.stringify(id)}` : `an answer to ${JSON.stringify(id)}, which was not asked`);
  }

  #odd(what: string): null {
    this.#events.anomaly(what);
    return null;
  }

  #cancelled(message: Message): void {
    const params = message['params'] as { requestId?: unknown } | undefined;
    const id = params?.requestId;
    if (typeof id !== 'number' && typeof id !== 'string') return;
    const request = this.#open.get(id);
    if (request === undefined) return;
    this.#open.delete(id);
    this.#remember(id, request.frozen);
  }

  #remember(id: string | number, frozen: FrozenArguments | null): void {
    this.#ended.set(id, frozen);
    if (this.#ended.size > REMEMBERED_ENDED) this.#ended.delete(this.#ended.keys().next().value!);
  }

  #markAnswered(id: string | number): void {
    this.#answered.add(id);
    if (this.#answered.size > REMEMBERED_ENDED) this.#answered.delete(this.#answered.keys().next().value!);
  }
}

const tidyError = (error: unknown): { code: number; message: string; data?: unknown } => {
  const e = (typeof error === 'object' && error !== null ? error : { message: String(error) }) as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: Number.isSafeInteger(e.code) ? (e.code as number) : -32603,
    message: typeof e.message === 'string' ? e.message : JSON.stringify(error),
    ...(e.data === undefined ? {} : { data: e.data }),
  };
};
