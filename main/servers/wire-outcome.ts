import type { Fault } from '../../shared/fault.ts';
import type { HeldResult } from './frame-lane.ts';
import type { SourceNumber } from './source-numbers.ts';

/**
 * What became of one request on the wire. `raw` is the result as the server sent it, unjudged; a large one is `held` by the worker that parsed it, and has to be
 * judged or released. `sizeBytes` counts the UTF-8 bytes of the whole message; `exact`: numbers that reading rounded, undefined where the text was not at hand.
 * `sent`: the bytes were handed to the transport. `mayHaveRun`: no proof that the server did not carry it out (P02).
 */
export type WireOutcome =
  | { readonly kind: 'result'; readonly raw: unknown; readonly sizeBytes: number; readonly notes?: readonly string[]; readonly exact?: readonly SourceNumber[]; /** false: a part of what may not be cited */ readonly citable?: boolean }
  | { readonly kind: 'held'; readonly held: HeldResult; readonly sizeBytes: number; readonly notes?: readonly string[]; /** of an answer about a task: what it says of the task beside the result */ readonly taskState?: unknown }
  | { readonly kind: 'rpc_error'; readonly rpcCode: number; readonly message: string; readonly data?: unknown }
  | { readonly kind: 'failed'; readonly fault: Fault; readonly sent: boolean; readonly mayHaveRun: boolean };

/** A progress report of the server; the words are its own and untrusted. */
export interface WireProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}
