/**
 * Every key of the window: what handles keys reads them here, and the page of keys lists this table. `Mod` is Ctrl, on a Mac Cmd; two keys with a space between them are
 * pressed one after the other. None of them approves anything (docs/spec/ui.md, U92).
 */
export const KEYS = {
  anywhere: { search: ['Mod+k'], keys: ['?', 'Mod+/'] },
  go: { market: ['g m'], servers: ['g s'], capabilities: ['g c'], agent: ['g t'], planner: ['g p'], approvals: ['g a'], runs: ['g r'], settings: ['g e'], guide: ['g f'], help: ['g h'], import: ['g i'] },
  page: { find: ['/'], next: ['j'], previous: ['k'] },
  list: { down: ['ArrowDown'], up: ['ArrowUp'], right: ['ArrowRight'], left: ['ArrowLeft'], pageDown: ['PageDown'], pageUp: ['PageUp'], first: ['Home'], last: ['End'], open: ['Enter'] },
  leave: { clear: ['Escape'], close: ['Escape'] },
  approval: { deny: ['Escape'] },
  question: { later: ['Escape'] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export type KeyGroup = keyof typeof KEYS;
export type ListMove = Exclude<keyof typeof KEYS.list, 'open'>;

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** How a key press stands in the table; null for what no entry can mean. */
export const pressed = ({ key, ctrlKey, metaKey, altKey }: Pressed): string | null => {
  if (altKey) return null;
  return ctrlKey || metaKey ? `Mod+${key.toLowerCase()}` : key;
};

const MOVES = new Map(Object.entries(KEYS.list).flatMap(([move, keys]) => (move === 'open' ? [] : keys.map((key) => [key as string, move as ListMove] as const))));

/** Which way a key goes in a list; null where it goes none. */
export const listMove = (event: Pressed): ListMove | null => MOVES.get(pressed(event) ?? '') ?? null;

export const isKey = (event: Pressed, keys: readonly string[]): boolean => {
  const now = pressed(event);
  return now !== null && keys.includes(now);
};
