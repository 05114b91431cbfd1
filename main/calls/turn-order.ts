/** Of one turn, at one server, at once. */
const MOST_AT_ONCE = 4;

/** `coming`: not sent yet; `aside`: waits for a person, or for the end of the same write, and holds no other back; `going`: on its way. */
interface Place {
  readonly serverId: string;
  effects: boolean;
  state: 'coming' | 'aside' | 'going' | 'ended';
}

/** Where one call stands among those of its turn. */
export interface CallPlace {
  /** What has to be over before a rule may send it; null: it may be sent now. `effects`: as it was judged. */
  ahead(effects: boolean): Promise<void> | null;
  /** What has to be over before a person's yes may send it; null: it may be sent now. */
  inFlight(): Promise<void> | null;
  /** When another one that waits for a person has ended; null where none does. */
  nextEnd(): Promise<void> | null;
  aside(): void;
  comes(): void;
  sent(): void;
  ended(): void;
}

/**
 * The calls of one turn, which are put on the line together. Reads of one server go side by side, so many at once; what may have effects has its server for itself:
 * it is sent after what was given before it has ended, and before what was given after it. A call that waits for a person holds no other back, and is sent when the
 * person says so, as soon as nothing is under way that it would meet. Different servers never wait for one another.
 */
export class TurnOrder {
  readonly #places: readonly Place[];
  readonly #listeners = new Set<() => void>();

  /** In the order of the model's calls. `effects`: as far as it is known before it is judged. */
  constructor(calls: readonly { readonly serverId: string; readonly effects: boolean }[]) {
    this.#places = calls.map((call): Place => ({ ...call, state: 'coming' }));
  }

  at(index: number): CallPlace {
    const own = this.#places[index]!;
    const move = (state: Place['state']) => (): void => {
      if (own.state === 'ended' || own.state === state) return;
      own.state = state;
      for (const heard of [...this.#listeners]) heard();
    };
    return {
      ahead: (effects) => {
        own.effects = effects;
        return this.#until(() => this.#isFirst(own, index));
      },
      inFlight: () => this.#until(() => !this.#meets(own)),
      nextEnd: () => {
        const ended = (): number => this.#places.filter(({ state }) => state === 'ended').length;
        const before = ended();
        return this.#places.some((other) => other !== own && other.state === 'aside') ? this.#until(() => ended() > before) : null;
      },
      aside: move('aside'),
      comes: move('coming'),
      sent: move('going'),
      ended: move('ended'),
    };
  }

  /** Another is on its way at the same server, and one of the two may have effects. */
  #meets(own: Place): boolean {
    return this.#places.some((other) => other !== own && other.serverId === own.serverId && other.state === 'going' && (other.effects || own.effects));
  }

  #isFirst(own: Place, index: number): boolean {
    const same = this.#places.filter(({ serverId }) => serverId === own.serverId);
    if (this.#meets(own) || same.filter((other) => other !== own && other.state === 'going').length >= MOST_AT_ONCE) return false;
    return !this.#places.slice(0, index).some((other) => other.serverId === own.serverId && other.state === 'coming' && (other.effects || own.effects));
  }

  #until(isSo: () => boolean): Promise<void> | null {
    if (isSo()) return null;
    return new Promise((resolve) => {
      const heard = (): void => {
        if (!isSo()) return;
        this.#listeners.delete(heard);
        resolve();
      };
      this.#listeners.add(heard);
    });
  }
}
