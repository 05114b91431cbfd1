import type { Place } from '../../shared/shell.ts';

/**
 * Where the window is asked to go, until it takes it: the last place alone, because it is the one the person wants now, and because
 * whoever opens links in a row shall fill nothing.
 */
export class PlaceSlot {
  readonly #onPlace: () => void;
  #place: Place | null = null;

  constructor(onPlace: () => void) {
    this.#onPlace = onPlace;
  }

  ask(place: Place): void {
    this.#place = place;
    this.#onPlace();
  }

  take(): Place | null {
    const place = this.#place;
    this.#place = null;
    return place;
  }
}
