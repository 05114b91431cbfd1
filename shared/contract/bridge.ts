import type { Fault } from '../fault.ts';
import type { Result } from '../result.ts';
import type { InputOf, OutputOf, RequestName } from './contract.ts';
import type { EventName, Events } from './events.ts';

/** The renderer's only door; Electron's preload and the loopback client both make one. */
export interface Bridge {
  readonly shell: 'electron' | 'loopback';
  request<N extends RequestName>(name: N, input: InputOf<N>): Promise<Result<OutputOf<N>, Fault>>;
  /** Returns the unsubscribe function. */
  on<N extends EventName>(name: N, listener: (payload: Events[N]) => void): () => void;
  /** `lost` while the host cannot be reached; the loopback client reconnects by itself. */
  onConnection(listener: (state: 'connected' | 'lost') => void): () => void;
}
