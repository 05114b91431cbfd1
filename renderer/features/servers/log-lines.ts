import type { LogLine } from '../../../shared/server.ts';

/** Lines that were heard and are kept beside those that the host was last seen to hold. */
const HEARD = 2800;
/** Of those, what stays when they are more. */
const HEARD_AFTER_CUT = 1400;

/** Two runs of lines as one, in the order of their numbers, each once; of a line that was repeated meanwhile the one with the greater count. */
export const mergedLines = (before: readonly LogLine[], more: readonly LogLine[]): readonly LogLine[] => {
  const last = before.at(-1)?.seq ?? -1;
  if (more.every((line) => line.seq > last)) return [...before, ...more];
  const lines = new Map(before.map((line) => [line.seq, line]));
  for (const line of more) if ((line.count ?? 1) >= (lines.get(line.seq)?.count ?? 1)) lines.set(line.seq, line);
  return [...lines.values()].toSorted((a, b) => a.seq - b.seq);
};

/**
 * What a window has of a log. Of a flood the host keeps its start and its failures (C115), which no window can tell from the rest: what the host was last seen
 * to hold is never cut here, only what was heard beside it, the latest of which stay.
 */
export interface WindowLines {
  readonly held: readonly LogLine[];
  readonly heard: readonly LogLine[];
}
export const NO_LINES: WindowLines = { held: [], heard: [] };

/** `isCut`: lines went, of which the host may keep some; it is to be read. */
export const withHeard = ({ held, heard }: WindowLines, lines: readonly LogLine[]): { readonly lines: WindowLines; readonly isCut: boolean } => {
  const all = mergedLines(heard, lines);
  const isCut = all.length > HEARD;
  return { lines: { held, heard: isCut ? all.slice(-HEARD_AFTER_CUT) : all }, isCut };
};

/** `lines`: all that the host holds now. */
export const withRead = ({ held, heard }: WindowLines, lines: readonly LogLine[]): WindowLines => ({ held: lines, heard: mergedLines(held, heard).slice(-HEARD) });

export const linesOf = ({ held, heard }: WindowLines): readonly LogLine[] => mergedLines(held, heard);

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
