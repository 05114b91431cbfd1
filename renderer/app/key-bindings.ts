import { KEYS, pressed } from '../parts/keys.ts';

type Bound = 'anywhere' | 'go' | 'page';
type NameIn<G extends Bound> = keyof (typeof KEYS)[G] & string;
export type KeyName = { [G in Bound]: `${G}.${NameIn<G>}` }[Bound];

/** All that acts wherever the focus is, by how it is pressed: derived from the one table. */
const BY_PRESS = new Map<string, KeyName>((['anywhere', 'go', 'page'] as const).flatMap((group) => Object.entries(KEYS[group]).flatMap(([name, keys]) => (keys as readonly string[]).map((key) => [key, `${group}.${name}` as KeyName] as const))));
const FIRSTS = new Set([...BY_PRESS.keys()].filter((key) => key.includes(' ')).map((key) => key.split(' ', 1)[0]!));

/** As long after the first key of two is the second one waited for. */
const PAIR_MS = 1_500;

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
  readonly repeat: boolean;
  /** something nearer has used it */
  readonly defaultPrevented: boolean;
  readonly timeStamp: number;
}

export interface Around {
  /** the focus is where letters are written */
  readonly writing: boolean;
  /** a dialog or a menu has the keys */
  readonly taken: boolean;
  /** the person wants keys without Ctrl or Cmd */
  readonly letters: boolean;
}

/** Reads key presses one after another. Answers what one means here, or null. */
export class KeyReader {
  #first: { readonly key: string; readonly at: number } | null = null;

  read(press: KeyPress, around: Around): KeyName | null {
    const before = this.#first;
    this.#first = null;
    if (press.defaultPrevented || press.isComposing || press.repeat || around.taken) return null;
    const key = pressed(press);
    if (key === null) return null;
    const chord = key.startsWith('Mod+');
    if (!chord && (around.writing || !around.letters)) return null;
    if (before !== null && press.timeStamp - before.at < PAIR_MS) {
      const both = BY_PRESS.get(`${before.key} ${key}`);
      if (both !== undefined) return both;
    }
    if (FIRSTS.has(key)) {
      this.#first = { key, at: press.timeStamp };
      return null;
    }
    return BY_PRESS.get(key) ?? null;
  }
}
