import type { RunSpan } from './run-span.ts';

/** Known spans with those that began or changed since: a changed one keeps its place, and one that did not change stays the same object. */
export const joinSpans = (known: readonly RunSpan[], news: readonly RunSpan[]): readonly RunSpan[] => {
  if (news.length === 0) return known;
  const changed = new Map(news.map((span) => [span.id, span]));
  const kept = known.map((span) => {
    const now = changed.get(span.id);
    changed.delete(span.id);
    return now ?? span;
  });
  return [...kept, ...changed.values()];
};
