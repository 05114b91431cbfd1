export interface WordSegment {
  readonly op: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Longer texts are shown whole, before and after: the table grows with the product of both. */
const MAX_WORDS = 1_500;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

const words = (text: string): readonly string[] => Array.from(segmenter.segment(text), (part) => part.segment);

/** The difference of two texts by words (of any script), or null when they are too long for one. Joined, `same` and `added` give `after`. */
export const wordDifference = (before: string, after: string): readonly WordSegment[] | null => {
  if (before.length > 40_000 || after.length > 40_000) return null;
  const a = words(before);
  const b = words(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const rows = endA - start;
  const columns = endB - start;
  if (rows > MAX_WORDS || columns > MAX_WORDS) return null;
  // longest common subsequence of the middle, from its end
  const width = columns + 1;
  const lengths = new Uint16Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i -= 1) {
    for (let j = columns - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[start + i] === b[start + j] ? lengths[(i + 1) * width + j + 1]! + 1 : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const out: { op: WordSegment['op']; text: string }[] = [];
  const push = (op: WordSegment['op'], text: string): void => {
    const last = out.at(-1);
    if (text === '') return;
    if (last?.op === op) last.text += text;
    else out.push({ op, text });
  };
  push('same', a.slice(0, start).join(''));
  let i = 0;
  let j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && a[start + i] === b[start + j]) {
      push('same', a[start + i]!);
      i += 1;
      j += 1;
    } else if (j >= columns || (i < rows && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)) push('removed', a[start + i++]!);
    else push('added', b[start + j++]!);
  }
  push('same', a.slice(endA).join(''));
  return out;
};
