import type { LogLine } from '../../../shared/server.ts';

/** Lines kept in a window; the host's ring is shorter, and what it dropped is counted there. */
const KEPT = 5000;
/** Of what a window keeps, the oldest stay: they tell how it began. */
const KEPT_FIRST = 200;

const bounded = (lines: readonly LogLine[]): readonly LogLine[] => (lines.length <= KEPT ? lines : [...lines.slice(0, KEPT_FIRST), ...lines.slice(KEPT_FIRST - KEPT)]);

/** Two runs of lines as one, in the order of their numbers, each once; of a line that was repeated meanwhile the one with the greater count. */
export const mergedLines = (before: readonly LogLine[], more: readonly LogLine[]): readonly LogLine[] => {
  const last = before.at(-1)?.seq ?? -1;
  if (more.every((line) => line.seq > last)) return bounded([...before, ...more]);
  const lines = new Map(before.map((line) => [line.seq, line]));
  for (const line of more) if ((line.count ?? 1) >= (lines.get(line.seq)?.count ?? 1)) lines.set(line.seq, line);
  return bounded([...lines.values()].toSorted((a, b) => a.seq - b.seq));
};

/** A line, or how many lines are not there before the next one. */
export type LogRow = { readonly kind: 'line'; readonly line: LogLine } | { readonly kind: 'gap'; readonly before: number; readonly count: number };

/** Rows of a list: with a word looked for, the lines that hold it, in any case; without one, all, and where lines are missing how many. */
export const logRows = (lines: readonly LogLine[], word: string): readonly LogRow[] => {
  const wanted = word.trim().toLowerCase();
  if (wanted !== '') return lines.flatMap((line): LogRow[] => (line.text.toLowerCase().includes(wanted) ? [{ kind: 'line', line }] : []));
  return lines.flatMap((line, at): LogRow[] => {
    const missing = at === 0 ? line.seq - 1 : line.seq - lines[at - 1]!.seq - 1;
    return [...(missing > 0 ? [{ kind: 'gap' as const, before: line.seq, count: missing }] : []), { kind: 'line', line }];
  });
};
