import type { RunSpan } from '../../../shared/run-span.ts';

export interface SpanRow {
  readonly span: RunSpan;
  /** 0 stands in the run itself */
  readonly depth: number;
  /** has spans in it */
  readonly opens: boolean;
  readonly open: boolean;
  /** parts of the run's whole time, 0 to 1 */
  readonly from: number;
  readonly share: number;
}

/** Closed at first: what is inside a call; the rest is what a person looks for. */
const OPEN_AT_FIRST: ReadonlySet<RunSpan['kind']> = new Set(['turn']);

/** What is to be drawn, in order: each open span followed by what is in it. `toggled`: spans that the person opened or closed. `until`: where time stands for what has not ended. */
export const spanRows = (spans: readonly RunSpan[], toggled: ReadonlySet<string>, { startedAt, until }: { readonly startedAt: number; readonly until: number }): readonly SpanRow[] => {
  const inside = Map.groupBy(spans, ({ parent }) => parent);
  const whole = Math.max(1, until - startedAt);
  const rows: SpanRow[] = [];
  const walk = (parent: string | null, depth: number): void => {
    for (const span of inside.get(parent) ?? []) {
      const opens = inside.has(span.id);
      const open = opens && OPEN_AT_FIRST.has(span.kind) !== toggled.has(span.id);
      const endedAt = endOf(span, inside.get(span.id));
      const from = clamp((span.startedAt - startedAt) / whole);
      rows.push({ span: endedAt === span.endedAt ? span : { ...span, endedAt }, depth, opens, open, from, share: clamp(((endedAt ?? until) - span.startedAt) / whole) });
      if (open) walk(span.id, depth + 1);
    }
  };
  walk(null, 0);
  return rows;
};

/** A turn has not ended while a call of it goes on. */
const endOf = (span: RunSpan, inside: readonly RunSpan[] = []): number | null => {
  if (span.kind !== 'turn' || span.endedAt === null) return span.endedAt;
  return inside.some(({ endedAt }) => endedAt === null) ? null : inside.reduce((last, { endedAt }) => Math.max(last, endedAt ?? 0), span.endedAt);
};

const clamp = (share: number): number => Math.min(1, Math.max(0, share));
