/** Rows of a list by page; the last page that is there may be short. */
export type PagesOfRows<R> = ReadonlyMap<number, readonly R[]>;

/** The same with rows that were added at the end of the list, from the place `from` on: only pages that are there whole up to their place take them; a page that begins with them is new. */
export const grownPages = <R>(pages: PagesOfRows<R>, pageSize: number, from: number, rows: readonly R[]): PagesOfRows<R> => {
  const next = new Map(pages);
  const own = new Set<number>();
  rows.forEach((row, at) => {
    const place = from + at;
    const page = Math.floor(place / pageSize);
    const there = next.get(page) ?? (place % pageSize === 0 ? [] : undefined);
    if (there === undefined || there.length !== place % pageSize) return;
    if (own.has(page)) (there as R[]).push(row);
    else next.set(page, [...there, row]);
    own.add(page);
  });
  return next;
};

/** Whether a page that was read is short of what is known to be there: its reading was on its way while the list grew. */
export const isShort = (page: number, pageSize: number, rowCount: number, known: number): boolean => rowCount < Math.min(pageSize, known - page * pageSize);
