/** Rows of which some may not be there yet: `rowAt` gives undefined for these. */
export interface PagedRows<R> {
  readonly total: number;
  readonly rowAt: (index: number) => R | undefined;
}

export const wholeRows = <R>(rows: readonly R[]): PagedRows<R> => ({ total: rows.length, rowAt: (index) => rows[index] });

/** Where a list was left: px from its top, the row that had the turn, and whether it had the focus. */
export interface ListPlace {
  readonly top: number;
  readonly row: number;
  readonly focused: boolean;
}
export interface ListMemory {
  readonly read: () => ListPlace | undefined;
  readonly write: (place: ListPlace) => void;
}
