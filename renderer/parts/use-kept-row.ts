import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { useCallback } from 'react';

/** Rows in sight, and one that stays in the document wherever the list is scrolled to: the one with the focus must not lose it by that. */
export const useKeptRow = (kept: number): ((range: Range) => number[]) =>
  useCallback(
    (range) => {
      const rows = defaultRangeExtractor(range);
      if (kept < 0 || kept >= range.count || rows.includes(kept)) return rows;
      return kept < (rows[0] ?? 0) ? [kept, ...rows] : [...rows, kept];
    },
    [kept],
  );
