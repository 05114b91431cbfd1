import { z } from 'zod';

const CountRow = z.object({ n: z.number() });

/** The `n` of `SELECT count(*) AS n ...`. */
export const countIn = (row: unknown): number => CountRow.parse(row).n;
