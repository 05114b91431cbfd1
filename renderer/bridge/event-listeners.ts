import type { EventName, Events } from '../../shared/contract/events.ts';

type Listener = (payload: never) => void;

/** Listeners by event name. One that throws is reported and does not stop the others. */
export class EventListeners {
  readonly #byName = new Map<string, Set<Listener>>();

  add<N extends EventName>(name: N, listener: (payload: Events[N]) => void): () => void {
    const set = this.#byName.get(name) ?? new Set<Listener>();
    this.#byName.set(name, set);
    set.add(listener);
    return () => set.delete(listener);
  }

  emit(name: string, payload: unknown): void {
    for (const listener of [...(this.#byName.get(name) ?? [])]) {
      try {
        listener(payload as never);
      } catch (error) {
        console.error(`A listener of ${name} failed`, error);
      }
    }
  }
}
