import type { EventName, Events } from '../shared/contract/events.ts';

/** Host events to its windows. A listener that throws never stops the others. */
export class Bus {
  readonly #listeners = new Set<(name: EventName, payload: unknown) => void>();

  emit<N extends EventName>(name: N, payload: Events[N]): void {
    for (const listener of this.#listeners) {
      try {
        listener(name, payload);
      } catch {
        // a broken window must not stop the host
      }
    }
  }

  onAny(listener: (name: EventName, payload: unknown) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  on<N extends EventName>(name: N, listener: (payload: Events[N]) => void): () => void {
    return this.onAny((n, payload) => {
      if (n === name) listener(payload as Events[N]);
    });
  }
}
