/** What could be made of the rows: one that cannot be read is left out alone, and stays in the table. */
export const readableRows = <T>(rows: readonly unknown[], parse: (row: unknown) => T): T[] =>
  rows.flatMap((row) => {
    const parsed = readRow(row, parse);
    return parsed === null ? [] : [parsed];
  });

/** Null where the row cannot be read. */
export const readRow = <T>(row: unknown, parse: (row: unknown) => T): T | null => {
  try {
    return parse(row);
  } catch {
    return null;
  }
};

/** The column `id` of the rows that cannot be read. */
export const unreadableRows = (rows: readonly unknown[], parse: (row: unknown) => unknown): string[] =>
  rows.flatMap((row) => (readRow(row, (raw) => ({ read: parse(raw) })) === null ? [String((row as { readonly id?: unknown }).id)] : []));
