/** A stored row that is asked for by its key cannot be read: changed by hand, or written by a newer Gantry. It is answered as `row_unreadable` and stays. */
export class RowUnreadable extends Error {
  readonly table: string;
  readonly row: string;
  constructor(table: string, row: string, options: ErrorOptions) {
    super(`a row of ${table} cannot be read`, options);
    this.table = table;
    this.row = row;
  }
}

/** Throws RowUnreadable in the place of what parsing throws. */
export const parseRow = <T>(table: string, raw: unknown, parse: (raw: unknown) => T): T => {
  try {
    return parse(raw);
  } catch (cause) {
    const { id } = (typeof raw === 'object' && raw !== null ? raw : {}) as { id?: unknown };
    throw new RowUnreadable(table, String(id ?? '').slice(0, 200), { cause });
  }
};
