/** A piece of a request to a model, as its JSON text. */
export interface Piece {
  /** who speaks, or the name of a tool or of a setting */
  readonly name: string;
  readonly text: string;
}
export interface RequestParts {
  readonly messages: readonly Piece[];
  readonly tools: readonly Piece[];
  /** what else the request says: model, limits, streaming */
  readonly settings: readonly Piece[];
}
/** `before` is there for what changed. */
export type Compared = { readonly state: 'same' | 'added'; readonly piece: Piece } | { readonly state: 'removed'; readonly piece: Piece } | { readonly state: 'changed'; readonly piece: Piece; readonly before: Piece };

const record = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const piece = (name: unknown, value: unknown): Piece => ({ name: typeof name === 'string' ? name : '', text: JSON.stringify(value) });

/** Reads each protocol: messages with the system's words first, tools, and the rest. null where the request is no JSON object: it is then shown as it is. */
export const requestParts = (text: string): RequestParts | null => {
  let body: Readonly<Record<string, unknown>>;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    body = record(value);
  } catch {
    return null;
  }
  const { messages, input, instructions, system = instructions, tools, ...rest } = body;
  return {
    messages: [...(system === undefined ? [] : [piece('system', system)]), ...[...list(messages), ...list(input)].map((message) => piece(record(message)['role'] ?? record(message)['type'], message))],
    tools: list(tools).map((tool) => piece(record(record(tool)['function'])['name'] ?? record(tool)['name'], tool)),
    settings: Object.entries(rest).map(([name, value]) => piece(name, value)),
  };
};

/** Messages by their order: what both begin and end with is the same; between them what was there is removed, what is there is added. */
export const compareMessages = (before: readonly Piece[], now: readonly Piece[]): readonly Compared[] => {
  let start = 0;
  while (start < before.length && start < now.length && before[start]!.text === now[start]!.text) start += 1;
  let end = 0;
  while (end < before.length - start && end < now.length - start && before.at(-1 - end)!.text === now.at(-1 - end)!.text) end += 1;
  const same = (piece: Piece): Compared => ({ state: 'same', piece });
  const gone = before.slice(start, before.length - end);
  const come = now.slice(start, now.length - end);
  // one by one while the same speaker stands in the same place: these changed
  let changed = 0;
  while (changed < gone.length && changed < come.length && gone[changed]!.name === come[changed]!.name) changed += 1;
  return [
    ...now.slice(0, start).map(same),
    ...come.slice(0, changed).map((piece, at): Compared => ({ state: 'changed', piece, before: gone[at]! })),
    ...gone.slice(changed).map((piece): Compared => ({ state: 'removed', piece })),
    ...come.slice(changed).map((piece): Compared => ({ state: 'added', piece })),
    ...now.slice(now.length - end).map(same),
  ];
};

/** Tools and settings by their names, in their present order, what is gone last. */
export const compareNamed = (before: readonly Piece[], now: readonly Piece[]): readonly Compared[] => {
  const then = new Map(before.map((piece) => [piece.name, piece]));
  const here = new Set(now.map(({ name }) => name));
  return [
    ...now.map((piece): Compared => {
      const old = then.get(piece.name);
      if (old === undefined) return { state: 'added', piece };
      return old.text === piece.text ? { state: 'same', piece } : { state: 'changed', piece, before: old };
    }),
    ...before.filter(({ name }) => !here.has(name)).map((piece): Compared => ({ state: 'removed', piece })),
  ];
};

export const countOf = (all: readonly Compared[], state: Compared['state']): number => all.filter((one) => one.state === state).length;
