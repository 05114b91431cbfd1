import { jsonRows } from './json-rows.ts';
import type { JsonRow } from './json-rows.ts';
import { lineChanges } from './word-diff.ts';

/** What differs from an earlier input: rows of the present one by index, and what the earlier one had and this has not. */
export interface InputDifference {
  readonly changedRows: ReadonlySet<number>;
  readonly gone: readonly { readonly pointer: string; readonly text: string }[];
}

interface Leaf {
  readonly text: string;
  readonly rows: number[];
  readonly lines: string[];
}

const leavesOf = (rows: readonly JsonRow[]): Map<string, Leaf> => {
  const leaves = new Map<string, Leaf>();
  rows.forEach((row, i) => {
    if (row.kind === 'open' || row.kind === 'close') return;
    const leaf = leaves.get(row.pointer);
    if (leaf === undefined) leaves.set(row.pointer, { text: row.text, rows: [i], lines: row.kind === 'string_line' ? [row.text] : [] });
    else {
      leaf.rows.push(i);
      if (row.kind === 'string_line') leaf.lines.push(row.text);
    }
  });
  return leaves;
};

/** Compares value by value, long strings line by line. Both texts are canonical JSON. */
export const inputDifference = (before: string, after: string): InputDifference => {
  const now = leavesOf(jsonRows(after).rows);
  const then = leavesOf(jsonRows(before).rows);
  const changedRows = new Set<number>();
  for (const [pointer, leaf] of now) {
    const old = then.get(pointer);
    if (old !== undefined && leaf.lines.length > 0 && old.lines.length > 0) {
      const changed = lineChanges(old.lines, leaf.lines);
      if (changed.after.size > 0 || changed.before.size > 0) changedRows.add(leaf.rows[0]!);
      for (const line of changed.after) changedRows.add(leaf.rows[line + 1]!);
    } else if (old === undefined || old.text !== leaf.text || old.lines.length !== leaf.lines.length) for (const row of leaf.rows) changedRows.add(row);
  }
  const gone = [...then].filter(([pointer]) => !now.has(pointer)).map(([pointer, leaf]) => ({ pointer, text: leaf.lines.length > 0 ? leaf.lines.join('\n') : leaf.text }));
  return { changedRows, gone };
};
