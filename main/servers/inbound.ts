import type { IncomingFrame } from './incoming-frame.ts';
import type { WireProgress } from './wire-outcome.ts';
import type { Ledger, Incoming } from './ledger.ts';
import { otherVersion, tidyInitializeResult } from './other-version.ts';
import type { SessionQuestions } from './questions/session-questions.ts';
import { unjudged } from './unjudged-result.ts';

type Message = Readonly<Record<string, unknown>>;

export type ListKind = 'tools' | 'resources' | 'prompts';

export interface InboundEvents {
  anomaly(what: string): void;
  listChanged(kind: ListKind): void;
  /** a resource that was asked to be told of changed, or one that nobody asked of */
  resourceUpdated(uri: string): void;
  /** a log notification of the server; `level` as it was written */
  logged(level: string, text: string): void;
  progress(token: string | number, progress: WireProgress): void;
}

const INVALID_REQUEST = -32600;
const LEVEL_CAP = 40;
const LOGGER_CAP = 100;

const LIST_CHANGED: Readonly<Record<string, ListKind>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/resources/list_changed': 'resources',
  'notifications/prompts/list_changed': 'prompts',
};

/** Sorts what a server sends, the same for every transport. What returns goes to the SDK; the rest is dealt with here. */
export class Inbound {
  era: 'legacy' | 'modern' | null = null;
  /** a `server/discover` answer, kept because it may come after the SDK stopped waiting for it */
  discovered: unknown = undefined;
  /** any message came at all */
  heard = false;
  /** when the latest message came (monotonic, ms) */
  heardAt = -Infinity;
  /** `initialize` was sent */
  introduced = false;
  #initialize: Message | null = null;
  #versionRetried = false;
  readonly #ledger: Ledger;
  readonly #events: InboundEvents;
  readonly #reply: (message: Message) => void;

  readonly #questions: SessionQuestions;

  constructor({ ledger, events, questions, reply }: { readonly ledger: Ledger; readonly events: InboundEvents; readonly questions: SessionQuestions; readonly reply: (message: Message) => void }) {
    this.#ledger = ledger;
    this.#events = events;
    this.#questions = questions;
    this.#reply = reply;
  }

  /** Every outgoing message passes here first. */
  sending(message: Message): void {
    if (message['method'] !== 'initialize') return;
    this.#initialize = message;
    this.introduced = true;
  }

  /** The introduction once more with a version the refusal names; null when there is nothing to try (C021). */
  secondInitialize(error: { readonly message?: unknown; readonly data?: unknown }): Message | null {
    const first = this.#initialize;
    if (first === null || this.#versionRetried) return null;
    const params = first['params'] as Record<string, unknown>;
    const version = otherVersion(error, String(params['protocolVersion']));
    if (version === null) return null;
    this.#versionRetried = true;
    return { ...first, params: { ...params, protocolVersion: version } };
  }

  take(message: Message, incoming: Incoming): Message | null {
    this.heard = true;
    this.heardAt = performance.now();
    if (typeof message['method'] !== 'string') return this.#answered(message, incoming);
    if (message['id'] !== undefined) {
      if (typeof message['id'] === 'number' || typeof message['id'] === 'string') this.#questions.take(message, this.#callOf(incoming.streamOf));
      else this.#events.anomaly(`a request with an id of type ${typeof message['id']}`);
      return null;
    }
    return this.#notified(message);
  }

  /** What could not be read. An answer ends its call; a request is refused (JSON-RPC 2.0, 5.1), so that its sender does not wait. */
  unreadable({ id, fault: why, sizeBytes, asks }: Extract<IncomingFrame, { kind: 'unreadable' }>): Message | null {
    if (asks !== true) return this.#ledger.unreadable(id, why, sizeBytes);
    this.#events.anomaly(why.message);
    if (id !== null) this.#reply({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message: why.message } });
    return null;
  }

  /** The call on whose stream a request came; null: another request's; undefined: it came on none's. */
  #callOf(streamOf: Incoming['streamOf']): ReturnType<SessionQuestions['flightOf']> | undefined {
    return streamOf === undefined ? undefined : this.#questions.flightOf(this.#ledger.frozenOf(streamOf));
  }

  #answered(message: Message, incoming: Incoming): Message | null {
    const id = message['id'];
    if (typeof id === 'string' && id.startsWith('server-discover-probe-') && message['result'] !== undefined) this.discovered = message['result'];
    if (this.#initialize === null || id !== this.#initialize['id']) {
      const isOurs = this.era === 'modern' && this.#ledger.methodOf(id) !== 'subscriptions/listen';
      const answer = this.#ledger.answered(message, incoming);
      return answer !== null && isOurs ? unjudged(answer) : answer;
    }
    const error = message['error'];
    if (typeof error === 'object' && error !== null) {
      const again = this.secondInitialize(error);
      if (again !== null) {
        this.#reply(again);
        return null;
      }
    }
    this.#initialize = null;
    const answer = this.#ledger.answered(message, incoming);
    return answer !== null && Object.hasOwn(answer, 'result') ? { ...answer, result: tidyInitializeResult(answer['result']) } : answer;
  }

  #notified(message: Message): Message | null {
    const method = message['method'] as string;
    const params = (typeof message['params'] === 'object' && message['params'] !== null ? message['params'] : {}) as Record<string, unknown>;
    const list = LIST_CHANGED[method];
    if (list !== undefined) {
      this.#events.listChanged(list);
      return null;
    }
    if (method === 'notifications/resources/updated') {
      if (typeof params['uri'] === 'string') this.#events.resourceUpdated(params['uri']);
      return null;
    }
    if (method === 'notifications/message') {
      const { data, logger } = params;
      const level = String(params['level'] ?? 'info').slice(0, LEVEL_CAP);
      const from = typeof logger === 'string' && logger !== '' ? ` (${logger.slice(0, LOGGER_CAP)})` : '';
      this.#events.logged(level, `${level}${from}: ${typeof data === 'string' ? data : JSON.stringify(data ?? null)}`);
      return null;
    }
    if (method === 'notifications/progress') {
      this.#progressed(params);
      return null;
    }
    if (method === 'notifications/cancelled' && this.#questions.withdrawn(params['requestId'])) return null;
    if (method === 'notifications/elicitation/complete') {
      this.#questions.completed(params);
      return null;
    }
    // subscriptions of the newer era are the SDK's; anything unknown it ignores (F15)
    return message;
  }

  #progressed(params: Record<string, unknown>): void {
    const token = params['progressToken'];
    if (typeof token !== 'number' && typeof token !== 'string') return;
    const { progress } = params;
    if (typeof progress !== 'number') return;
    // a late or made-up token finds no call and is no reason to doubt the connection (C030)
    this.#events.progress(token, {
      progress,
      ...(typeof params['total'] === 'number' ? { total: params['total'] } : {}),
      ...(typeof params['message'] === 'string' ? { message: params['message'].toWellFormed() } : {}),
    });
  }
}
