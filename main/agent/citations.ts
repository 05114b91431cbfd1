import type { Citations } from '../../shared/conversation.ts';

/** A result of a conversation, under the label that the model was told. */
export interface LabelledResult {
  /** r1, r2, … in the order in which they came */
  readonly label: string;
  readonly invocationId: string;
  /** it may be cited (design section 5) */
  readonly grounded: boolean;
}

/** Bounded, and told apart by its first character at each step: a model's text takes no time beyond its length. */
const BRACKETED = /[[【]([\srR\d,;，；、]{2,2000})[\]】]/g;
const LABELS = /^\s*(?:[rR]\d{1,6}(?!\d)\s*(?:[,;，；、]\s*)?)+$/;
/** Labels that one answer is checked for. */
const MOST_CITED = 500;

/** The labels that a text cites, each once, in their order: [r3], [r1, r2], also in full-width brackets. */
export const citedLabels = (text: string): readonly string[] => {
  const labels = new Set<string>();
  for (const [, inside = ''] of text.matchAll(BRACKETED)) {
    if (!LABELS.test(inside)) continue;
    for (const [label] of inside.matchAll(/[rR]\d{1,6}/g)) if (labels.size < MOST_CITED) labels.add(`r${Number(label.slice(1))}`);
  }
  return [...labels];
};

/** The one after the highest: where the record of an earlier question was deleted, its labels are gone, and those that stay keep theirs. */
export const nextLabel = (results: readonly LabelledResult[]): string => `r${results.reduce((most, { label }) => Math.max(most, Number(label.slice(1))), 0) + 1}`;

/** What an answer cites, against the results that there are. */
export const checkCitations = (text: string, results: readonly LabelledResult[]): Citations => {
  const byLabel = new Map(results.map((one) => [one.label, one]));
  const cited = citedLabels(text);
  const known = cited.flatMap((label) => byLabel.get(label) ?? []);
  return {
    cited: [...cited],
    grounded: known.filter((one) => one.grounded).map(({ label }) => label),
    notGrounded: known.filter((one) => !one.grounded).map(({ label }) => label),
    unknown: cited.filter((label) => !byLabel.has(label)),
    results: Object.fromEntries(known.map(({ label, invocationId }) => [label, invocationId])),
  };
};
