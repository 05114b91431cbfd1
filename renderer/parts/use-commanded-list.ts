import { useState, type KeyboardEvent } from 'react';
import { activeIn, chosenIn, moved, startOf, type CommandedOptions } from './commanded-list.ts';
import { isKey, KEYS, listMove } from './keys.ts';
import { useOnceAnswered } from './use-once-answered.ts';

interface CommandedListInput extends CommandedOptions {
  /** from the last on to the first */
  readonly loops: boolean;
  readonly onTake: (id: string) => void;
}

interface CommandedList {
  /** the option that is marked; null: none */
  readonly active: string | null;
  /** its place in the list where the options are those of the words; else -1, and a screen reader is told of none */
  readonly told: number;
  /** true: the key was the list's */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  /** by pointer */
  readonly goTo: (id: string) => void;
  /** the field was left: nothing waits any more */
  readonly onBlur: () => void;
}

/**
 * The keyboard of a field that commands a list whose options the host answers: arrow keys go through them, Enter chooses. Enter never acts on options of other words
 * than those in the field: pressed before the answer it waits for it (`takesFirst`), or is the field's own.
 */
export const useCommandedList = ({ loops, onTake, ...options }: CommandedListInput): CommandedList => {
  const [held, setHeld] = useState(() => startOf(options.words));
  const place = held.words === options.words ? held : startOf(options.words);
  const active = activeIn(place, options);
  const { ask, drop } = useOnceAnswered<'choose'>(options.words, options.answered, () => {
    const chosen = chosenIn(place, options);
    if (chosen !== null) onTake(chosen);
  });
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (event.nativeEvent.isComposing) return false;
    const way = listMove(event);
    if (way === 'down' || way === 'up') {
      drop();
      setHeld(moved(place, options, way, loops));
    } else if (isKey(event, KEYS.list.open) && (options.takesFirst || (options.answered && active !== null))) ask('choose');
    else return false;
    event.preventDefault();
    return true;
  };
  return {
    active,
    told: options.answered && active !== null ? options.ids.indexOf(active) : -1,
    onKeyDown,
    goTo: (id) => setHeld({ words: options.words, id }),
    onBlur: drop,
  };
};
