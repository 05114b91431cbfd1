import { parseCapabilityId } from '../../shared/capability-id.ts';
import type { Outcome } from '../calls/call-outcome.ts';
import { pendingWork, type PendingWork } from '../calls/result-pending.ts';

/** Something that a server said it goes on with (class `pending`), and what it named it by. */
export interface OpenPiece extends PendingWork {
  readonly invocationId: string;
  readonly capabilityId: string;
}

const ANSWERED: ReadonlySet<string> = new Set(['ok', 'ok_empty', 'stored']);
/** A server that opens work at every call is followed so far. */
const MOST_OPEN = 200;

/** Every text and number in an input, as text. */
const valuesIn = (value: unknown, out: Set<string> = new Set()): ReadonlySet<string> => {
  if (typeof value === 'string' || typeof value === 'number') out.add(String(value));
  else if (Array.isArray(value)) for (const item of value) valuesIn(item, out);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) valuesIn(item, out);
  return out;
};

const inputOf = (argumentsText: string): unknown => {
  try {
    return JSON.parse(argumentsText) as unknown;
  } catch {
    return null;
  }
};

/**
 * What the servers of one run still go on with (design section 5, `pending`): opened by an answer that is a promise, closed by a later valid answer of
 * the same server to a call that names it. Nothing is taken for done because time went by.
 */
export class OpenWork {
  readonly #open = new Map<string, OpenPiece>();

  /** After each call; answers with the pieces that this call ended. */
  heard(call: { readonly capabilityId: string; readonly argumentsText: string }, outcome: Outcome): readonly OpenPiece[] {
    const serverId = parseCapabilityId(call.capabilityId)?.serverId;
    const asked = valuesIn(inputOf(call.argumentsText));
    const about = [...this.#open.values()].filter((piece) => parseCapabilityId(piece.capabilityId)?.serverId === serverId && Object.values(piece.ids).some((id) => asked.has(id)));
    if (outcome.class === 'pending') {
      const { result } = outcome;
      const work = result === undefined ? null : pendingWork(result.content, result.structuredContent === undefined ? null : { value: result.structuredContent }, result.extra);
      // a poll that is told "not yet" is about the same piece
      if (about.length > 0 && work !== null) for (const piece of about) this.#open.set(piece.invocationId, { ...piece, status: work.status });
      else if (this.#open.size < MOST_OPEN) this.#open.set(outcome.invocationId, { status: work?.status ?? 'pending', ids: work?.ids ?? {}, invocationId: outcome.invocationId, capabilityId: call.capabilityId });
      return [];
    }
    if (!ANSWERED.has(outcome.class ?? '')) return [];
    for (const piece of about) this.#open.delete(piece.invocationId);
    return about;
  }

  /** in the order in which it was opened */
  list(): readonly OpenPiece[] {
    return [...this.#open.values()];
  }
}

/** As evidence tells a piece: its server, what it is named by and what was said of it last. */
export const openPieceFacts = ({ invocationId, capabilityId, status, ids }: OpenPiece): Readonly<Record<string, unknown>> => ({
  invocationId, capabilityId, serverId: parseCapabilityId(capabilityId)?.serverId ?? '', said: status, named: Object.entries(ids).map(([name, id]) => `${name} ${id}`).join(', '),
});
