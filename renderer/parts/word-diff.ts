export interface DiffPiece {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Over this many cells the middle is told as replaced as a whole instead of being aligned. */
const MAX_CELLS = 2_000_000;

/** Indices that are in no longest common subsequence of the two lists. */
const changes = (before: readonly string[], after: readonly string[]): { before: Set<number>; after: Set<number> } => {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let endBefore = before.length;
  let endAfter = after.length;
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore -= 1;
    endAfter -= 1;
  }
  const gone = new Set<number>();
  const fresh = new Set<number>();
  const rows = endBefore - start;
  const columns = endAfter - start;
  if (rows * columns > MAX_CELLS) {
    for (let i = start; i < endBefore; i += 1) gone.add(i);
    for (let j = start; j < endAfter; j += 1) fresh.add(j);
    return { before: gone, after: fresh };
  }
  const width = columns + 1;
  const table = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i -= 1)
    for (let j = columns - 1; j >= 0; j -= 1)
      table[i * width + j] = before[start + i] === after[start + j] ? table[(i + 1) * width + j + 1]! + 1 : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
  let i = 0;
  let j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && before[start + i] === after[start + j]) {
      i += 1;
      j += 1;
    } else if (j >= columns || (i < rows && table[(i + 1) * width + j]! >= table[i * width + j + 1]!)) gone.add(start + i++);
    else fresh.add(start + j++);
  }
  return { before: gone, after: fresh };
};

export const lineChanges = changes;

/** Words by the rules of the text's own script; spaces and punctuation are pieces of their own. */
const words = (text: string): string[] => [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].map((s) => s.segment);

/** Word-level difference; joining `same` and `gone` gives before, `same` and `new` gives after. */
export const wordDiff = (before: string, after: string): DiffPiece[] => {
  const old = words(before);
  const now = words(after);
  const changed = changes(old, now);
  const out: DiffPiece[] = [];
  const push = (kind: DiffPiece['kind'], text: string): void => {
    const last = out.at(-1);
    if (last?.kind === kind) out[out.length - 1] = { kind, text: last.text + text };
    else out.push({ kind, text });
  };
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && changed.before.has(i)) push('gone', old[i++]!);
    else if (j < now.length && changed.after.has(j)) push('new', now[j++]!);
    else {
      push('same', now[j]!);
      i += 1;
      j += 1;
    }
  }
  return out;
};
