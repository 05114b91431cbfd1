import type { Fault } from '../../shared/fault.ts';
import type { ServerRow } from '../store/servers.ts';
import { keepsOlderEra } from './live-session.ts';

const REFUSED: ReadonlySet<string> = new Set(['protocol_version', 'protocol_error', 'not_mcp']);

/** In which era the next try of a connection introduces itself. */
export class EraChoice {
  /** the newer era's question ended or deafened the server */
  #olderOnly = false;
  /** what was found earlier holds no longer: the server was renewed */
  #askAnew = false;

  mode(row: ServerRow, now: number): 'legacy' | 'auto' {
    return this.#olderOnly || (!this.#askAnew && keepsOlderEra(row, now)) ? 'legacy' : 'auto';
  }

  /** The newer era's question was no good to this server. */
  olderOnly(): void {
    this.#olderOnly = true;
  }

  /** A try in this mode failed. True: it is made once more, because the older era was spoken from memory, and the introduction was refused. */
  failed(mode: 'legacy' | 'auto', why: Fault): boolean {
    // silence until the end: the newer era's question may have deafened it, so the next try does without
    if (why.code === 'start_timeout') this.#olderOnly = mode === 'auto';
    if (mode === 'auto' || this.#olderOnly || this.#askAnew || !REFUSED.has(why.code)) return false;
    this.#askAnew = true;
    return true;
  }

  ready(): void {
    this.#askAnew = false;
  }

  /** The configuration is another one. */
  forget(): void {
    this.#olderOnly = false;
    this.#askAnew = false;
  }
}
