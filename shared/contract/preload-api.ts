import type { Fault } from '../fault.ts';
import type { Result } from '../result.ts';
import type { InputOf, OutputOf, RequestName } from './contract.ts';
import type { EventName, Events } from './events.ts';

/** `window.gantry` in Electron: one function a request and one a event, by name; no generic door (style: ToolHive's warning). */
export interface PreloadApi {
  readonly request: { readonly [N in RequestName]: (input: InputOf<N>) => Promise<Result<OutputOf<N>, Fault>> };
  /** Each returns its unsubscribe function. */
  readonly on: { readonly [N in EventName]: (listener: (payload: Events[N]) => void) => () => void };
}

/** The one channel on which the host sends events to its window: (name, payload). */
export const EVENT_CHANNEL = 'gantry:event';
