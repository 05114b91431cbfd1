import type { ListMove } from './keys.ts';

/** Options that a field commands, as they are shown. `answered`: they are those of the words in the field. */
export interface CommandedOptions {
  readonly words: string;
  readonly ids: readonly string[];
  readonly answered: boolean;
  /** the first is chosen by Enter without going to it; else Enter is the field's own until an arrow key has gone to an option */
  readonly takesFirst: boolean;
}

/** Where the keyboard stands among them, for as long as the field has these words. */
export interface ListPlace {
  readonly words: string;
  /** the option that was gone to: the option and not its place, so that a list which changes moves nothing under the hand */
  readonly id: string | null;
}

export const startOf = (words: string): ListPlace => ({ words, id: null });

const firstOf = ({ ids, takesFirst }: CommandedOptions): string | null => (takesFirst ? (ids[0] ?? null) : null);

/** The option that the keyboard is at; null where it is at none. */
export const activeIn = (place: ListPlace, options: CommandedOptions): string | null => (place.words === options.words && place.id !== null && options.ids.includes(place.id) ? place.id : firstOf(options));

/** After an arrow key. Options of other words that still stand there are gone through only where the first is taken, which may be among the answer too. */
export const moved = (place: ListPlace, options: CommandedOptions, way: ListMove, loops: boolean): ListPlace => {
  const { words, ids, answered, takesFirst } = options;
  if (ids.length === 0 || (!answered && !takesFirst) || (way !== 'down' && way !== 'up')) return place;
  const active = activeIn(place, options);
  const at = active === null ? (way === 'down' ? -1 : ids.length) : ids.indexOf(active);
  const to = at + (way === 'down' ? 1 : -1);
  return { words, id: ids[loops ? (to + ids.length) % ids.length : Math.min(ids.length - 1, Math.max(0, to))]! };
};

/** What Enter chooses now that the answer is there. One that was gone to and is not among the answer has no successor: nothing is chosen in its place. */
export const chosenIn = (place: ListPlace, options: CommandedOptions): string | null => {
  if (place.words !== options.words || !options.answered) return null;
  return place.id !== null && !options.ids.includes(place.id) ? null : activeIn(place, options);
};
