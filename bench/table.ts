/** One row of the printed table; `unit` belongs to every number of the row. */
export interface Row {
  readonly what: string;
  readonly unit: 'ms' | 'MB' | 'count' | '%';
  readonly gantry: number;
  readonly peer?: number | undefined;
  readonly peerName?: string | undefined;
  /** what the issue asks, in words */
  readonly aim?: string | undefined;
  readonly met?: boolean | undefined;
}

const show = (n: number | undefined): string => (n === undefined ? '-' : n >= 100 ? n.toFixed(0) : n.toFixed(2));

export const printTable = (rows: readonly Row[]): string => {
  const cells = [
    ['what', 'unit', 'Gantry', 'peer', 'difference', 'aim', 'met'],
    ...rows.map((r) => [
      r.what,
      r.unit,
      show(r.gantry),
      r.peer === undefined ? '-' : `${show(r.peer)} (${r.peerName ?? 'peer'})`,
      r.peer === undefined ? '-' : show(r.gantry - r.peer),
      r.aim ?? '-',
      r.met === undefined ? '-' : r.met ? 'yes' : 'no',
    ]),
  ];
  return printCells(cells);
};

/** A table: the first row is its head. */
export const printCells = (cells: readonly (readonly string[])[]): string => {
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.map((row, i) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd() + (i === 0 ? `\n${widths.map((w) => '-'.repeat(w)).join('  ')}` : '')).join('\n');
};

export const quantile = (values: readonly number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
};
