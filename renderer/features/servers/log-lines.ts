import type { LogLine } from '../../../shared/server.ts';

/** Lines kept in a window; the host's ring is shorter, and what it dropped is counted there. */
const KEPT = 20_000;

/** Two runs of lines as one, in the order of their numbers, each once. */
export const mergedLines = (before: readonly LogLine[], more: readonly LogLine[]): readonly LogLine[] => {
  const last = before.at(-1)?.seq ?? -1;
  const news = more.filter((line) => line.seq > last);
  if (news.length === more.length || last === -1) return [...before, ...news].slice(-KEPT);
  const known = new Set(before.map((line) => line.seq));
  return [...before, ...more.filter((line) => !known.has(line.seq))].toSorted((a, b) => a.seq - b.seq).slice(-KEPT);
};
