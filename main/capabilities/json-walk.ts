/** RFC 6901: one reference token, escaped. */
export const pointerToken = (key: string | number): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

interface Visit {
  readonly value: unknown;
  readonly pointer: string;
}

/**
 * The pointer of the first leaf (or member name) that fits, in document order; undefined when none does.
 * Walks without recursion and each object once, so that depth and cycles do no harm.
 */
export const pointerTo = (root: unknown, fits: (leaf: unknown) => boolean): string | undefined => {
  const seen = new Set<object>();
  const stack: Visit[] = [{ value: root, pointer: '' }];
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    const { value, pointer } = visit;
    if (typeof value !== 'object' || value === null) {
      if (fits(value)) return pointer;
      continue;
    }
    if (seen.has(value)) continue;
    seen.add(value);
    const entries = Object.entries(value);
    const odd = entries.find(([key]) => fits(key));
    if (odd) return `${pointer}/${pointerToken(odd[0])}`;
    for (const [key, member] of entries.reverse()) stack.push({ value: member, pointer: `${pointer}/${pointerToken(key)}` });
  }
  return undefined;
};
