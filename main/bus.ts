import type { EventName, Events } from '../shared/contract/events.ts';

type Listener = (name: EventName, payload: unknown) => void;

/** Host events to its windows. A listener that throws never stops the others. */
export class Bus {
  readonly #any = new Set<Listener>();
  readonly #named = new Map<EventName, Set<Listener>>();
  #soon: (() => void)[] = [];

  hears(name: EventName): boolean {
    return this.#any.size > 0 || (this.#named.get(name)?.size ?? 0) > 0;
  }

  emit<N extends EventName>(name: N, payload: Events[N]): void {
    for (const listeners of [this.#named.get(name), this.#any]) {
      for (const listener of listeners ?? []) {
        try {
          listener(name, payload);
        } catch {
          // a broken window must not stop the host
        }
      }
    }
  }

  /** The same in order, but after the present work and built only then: the first byte of a call does not wait for its windows. Nothing is built for nobody. */
  emitSoon<N extends EventName>(name: N, payload: () => Events[N]): void {
    if (!this.hears(name)) return;
    this.#soon.push(() => this.emit(name, payload()));
    if (this.#soon.length > 1) return;
    queueMicrotask(() => {
      const told = this.#soon;
      this.#soon = [];
      for (const tell of told) tell();
    });
  }

  onAny(listener: Listener): () => void {
    this.#any.add(listener);
    return () => this.#any.delete(listener);
  }

  on<N extends EventName>(name: N, listener: (payload: Events[N]) => void): () => void {
    const listeners = this.#named.get(name) ?? new Set();
    this.#named.set(name, listeners);
    const own: Listener = (_name, payload) => listener(payload as Events[N]);
    listeners.add(own);
    return () => listeners.delete(own);
  }
}
