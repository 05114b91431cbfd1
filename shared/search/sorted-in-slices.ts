/** So many are sorted in one go: about a millisecond. */
const AT_ONCE = 1_000;

/**
 * All items in the order of their texts by code units, ties as they were. Yields after every slice of work: many are parted by their next character first,
 * however many share a beginning.
 */
export function* sortedInSlices<T>(all: readonly T[], textOf: (item: T) => string): Generator<void, T[]> {
  const sorted: T[] = [];
  yield* sortInto(sorted, all, textOf, 0);
  return sorted;
}

function* sortInto<T>(sorted: T[], all: readonly T[], textOf: (item: T) => string, depth: number): Generator<void> {
  if (all.length <= AT_ONCE) {
    const texts = all.map((item, at) => ({ item, at, text: textOf(item) }));
    texts.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.at - b.at));
    for (const { item } of texts) sorted.push(item);
    yield;
    return;
  }
  // what ends here comes first, as -1
  const parts = new Map<number, T[]>();
  for (const [at, item] of all.entries()) {
    const text = textOf(item);
    const next = depth < text.length ? text.charCodeAt(depth) : -1;
    const part = parts.get(next);
    if (part === undefined) parts.set(next, [item]);
    else part.push(item);
    if (at % (10 * AT_ONCE) === 10 * AT_ONCE - 1) yield;
  }
  for (const next of [...parts.keys()].sort((a, b) => a - b)) {
    const part = parts.get(next)!;
    if (next !== -1) yield* sortInto(sorted, part, textOf, depth + 1);
    else for (const item of part) sorted.push(item);
  }
}
