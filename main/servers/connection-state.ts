import type { Fault } from '../../shared/fault.ts';
import type { ServerState, ServerStateName } from '../../shared/server.ts';

/** The moves of one server's line (design section 4). `installing` belongs to the installer. */
export const MOVES = {
  installing: ['installed', 'unavailable'],
  installed: ['connecting', 'unavailable', 'stopping'],
  connecting: ['connecting', 'discovering', 'stopping', 'unavailable'],
  discovering: ['ready', 'stopping', 'unavailable'],
  ready: ['connecting', 'stopping', 'unavailable'],
  stopping: ['installed', 'unavailable'],
  // discovering: what paused is read anew on the session that was kept
  unavailable: ['connecting', 'discovering', 'installed', 'stopping', 'unavailable'],
} as const satisfies Record<ServerStateName, readonly ServerStateName[]>;

type StateOf<N extends ServerStateName> = Extract<ServerState, { state: N }>;
/** The states that may follow `From`; an illegal move does not compile. */
export type After<From extends ServerStateName> = StateOf<(typeof MOVES)[From][number]>;

export const moved = <From extends ServerStateName, To extends After<From>>(_from: StateOf<From>, to: To): To => to;

const isMove = (from: ServerStateName, to: ServerStateName): boolean => (MOVES[from] as readonly string[]).includes(to);

/** Holds one server's state and tells of every change; a move outside the table is a bug and throws. */
export class StateCell {
  #value: ServerState = { state: 'installed' };
  readonly #changed: (state: ServerState) => void;

  constructor(changed: (state: ServerState) => void) {
    this.#changed = changed;
  }

  get value(): ServerState {
    return this.#value;
  }

  /** A new start is at hand: what failed before is not shown beside it. `stops`: something of it still runs. */
  turnOver(stops: boolean, now: number): void {
    if (this.#value.state === 'unavailable') this.to({ state: stops ? 'stopping' : 'connecting', since: now });
  }

  /** Unavailable for this reason, until `retryMs` from now (null: until something changes). */
  rest(why: Fault, retryMs: number | null, tries: number, now: number): void {
    if (this.#value.state === 'unavailable' && this.#value.fault === why && retryMs === null) return;
    this.to({ state: 'unavailable', since: now, code: why.code, fault: why, ...(retryMs === null ? {} : { retryAt: now + retryMs }), ...(tries > 0 ? { tries } : {}) });
  }

  /** What it said last while it starts. */
  latestLine(text: string): void {
    if (this.#value.state === 'connecting') this.to({ ...this.#value, latestLine: text.slice(0, 500).toWellFormed() });
  }

  to(next: ServerState): void {
    if (!isMove(this.#value.state, next.state)) throw new Error(`a server cannot go from ${this.#value.state} to ${next.state}`);
    this.#value = next;
    this.#changed(next);
  }
}
