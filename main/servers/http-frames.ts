import { randomUUID } from 'node:crypto';
import { LARGE_FRAME_BYTES, type FrameLane } from './frame-lane.ts';
import type { PassedFrame } from './frame-reader.ts';
import { readFrame } from './incoming-frame.ts';
import { passedPart, readLarge, type RoutedPart } from './large-frame.ts';
import type { Ledger } from './ledger.ts';

const MARK = 'gantry-part';
/** Stands for a request of the server: a notice, which the SDK judges by nothing. */
const ASKED = 'notifications/gantry-asked';
const isId = (id: unknown): id is string | number => typeof id === 'string' || typeof id === 'number';

/**
 * Messages are read on their way to the SDK's HTTP transports as on every other one: large and odd ones, bytes that are not UTF-8, numbers that reading rounds. The
 * SDK, which refuses what is odd with a list of its own schema's complaints, gets a small answer with a mark that no server can know; `take` gives what it stands for.
 */
export class HttpFrames {
  readonly #lane: FrameLane | undefined;
  readonly #ledger: Ledger;
  readonly #parts = new Map<string, RoutedPart>();

  constructor(lane: FrameLane | undefined, ledger: Ledger) {
    this.#lane = lane;
    this.#ledger = ledger;
  }

  /** The JSON texts that the SDK reads instead of this one; null: it is no message, and the SDK says so itself. `requestId`: of the request that this answers. */
  standIns(bytes: Buffer, requestId: unknown): Promise<string[]> | string[] | null {
    if (bytes.length > LARGE_FRAME_BYTES && this.#lane !== undefined) return readLarge(bytes, this.#lane, this.#ledger).then((parts) => parts.map((part) => this.#standIn(part, requestId)));
    const parts = readFrame(bytes);
    return parts.every((part) => part.kind !== 'junk') ? parts.map((part) => this.#standIn(part, requestId)) : null;
  }

  passed(frame: PassedFrame, requestId: unknown): string {
    return this.#standIn(passedPart(frame), requestId);
  }

  /** What a delivered message stands for; null: for itself. Once. */
  take(message: Readonly<Record<string, unknown>>): RoutedPart | null {
    const result = message['method'] === ASKED ? message['params'] : message['result'];
    const mark = typeof result === 'object' && result !== null ? (result as Readonly<Record<string, unknown>>)[MARK] : undefined;
    if (typeof mark !== 'string') return null;
    const part = this.#parts.get(mark) ?? null;
    this.#parts.delete(mark);
    return part;
  }

  /** A request of the server, kept with the request on whose stream it came. */
  #asked(part: RoutedPart, requestId: unknown): string {
    const mark = randomUUID();
    this.#parts.set(mark, isId(requestId) ? { ...part, streamOf: requestId } : part);
    return JSON.stringify({ jsonrpc: '2.0', method: ASKED, params: { [MARK]: mark } });
  }

  #standIn(part: RoutedPart, requestId: unknown): string {
    if (part.kind === 'junk') return 'null';
    if (part.kind === 'message' && typeof part.message['method'] === 'string') return part.message['id'] === undefined ? JSON.stringify(part.message) : this.#asked(part, requestId);
    // a request that could not be read answers nothing: the stream of the call on which it came goes on
    if (part.kind === 'unreadable' && part.asks === true) return this.#asked(part, requestId);
    const written = part.kind === 'message' ? part.message['id'] : part.id;
    // an error answer without an id belongs to the one request it answers (C036)
    const isUnclaimed = (written === null || written === undefined) && isId(requestId) && (part.kind === 'unreadable' || 'error' in part.message);
    const id = isUnclaimed ? requestId : written;
    const mark = randomUUID();
    this.#parts.set(mark, isUnclaimed ? ownedBy(part, requestId) : part);
    return JSON.stringify({ jsonrpc: '2.0', id: isId(id) ? id : -1, result: { [MARK]: mark } });
  }
}

const ownedBy = (part: Exclude<RoutedPart, { kind: 'junk' }>, id: string | number): RoutedPart => (part.kind === 'message' ? { ...part, message: { ...part.message, id } } : { ...part, id });
