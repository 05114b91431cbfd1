import type { Scope } from '../../shared/agent-profile.ts';
import type { Fault } from '../../shared/fault.ts';
import type { Undo } from '../capabilities/routes/undo.ts';
import type { TurnBinding } from '../capabilities/turn-binding.ts';
import type { Via } from '../../shared/principal.ts';
import type { ShownAs } from './plan.ts';
import type { CallPlace } from './turn-order.ts';

/** A use of one capability. `inputText` (raw JSON) is preferred over `input`. `run`: an open run to belong to; without it the call is a run of its own. */
export interface TryCall {
  readonly capabilityId: string;
  readonly principal: string;
  /** the way in it came by */
  readonly via?: Via | undefined;
  readonly input?: unknown;
  readonly inputText?: string | undefined;
  /** false: answer at once; true: answer at the end, person included; undefined: at the end, or as soon as a person is awaited */
  readonly wait?: boolean | undefined;
  readonly run?: { readonly id: string } | undefined;
  /** of the run: narrows what the principal may use */
  readonly scope?: Scope | null | undefined;
  /** the turn's, where there is a turn */
  readonly binding?: TurnBinding | undefined;
  readonly shown?: ShownAs | undefined;
  /** the turn's request did not carry it, an earlier one of the run did, with this binding: it is refused with what became of it */
  readonly isUnshown?: boolean | undefined;
  /** the reply that holds it did not come to its end: it is refused by this, on record */
  readonly notMade?: Fault | undefined;
  /** of the rendering that the model saw */
  readonly undo?: Undo | null | undefined;
  /** of whoever asks: once it has come, nothing is begun any more */
  readonly signal?: AbortSignal | undefined;
  /** among the calls of its turn, which are put on the line together; the caller waits for each to its end */
  readonly place?: CallPlace | undefined;
  /** send it again as a new call, even where the first result of the same write would answer it; where it may have effects a person is asked */
  readonly fresh?: boolean | undefined;
}
