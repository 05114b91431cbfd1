import type { Fault } from '../../shared/fault.ts';

/** A fault of one code may have several causes, each with its own way out; where one is known, its words stand in the place of the remedy. */
export const becauseOf = ({ code, details }: Pick<Fault, 'details'> & { readonly code: string }, exists: (key: string) => boolean): string | null =>
  ['cause', 'state', 'why', 'kind'].map((name) => `code.${code}.because.${String(details?.[name])}`).find(exists) ?? null;
