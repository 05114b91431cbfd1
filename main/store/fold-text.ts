import type BetterSqlite3 from 'better-sqlite3';

/**
 * A text as it is looked for: whatever its case, the form of its characters (NFKC: full width as half width, one code point as two) and the accents of Latin, Greek and
 * Cyrillic letters. Letters of other scripts keep their marks, which make them another letter there. In a time that grows with its length.
 */
export const foldText = (text: string): string => text.normalize('NFKD').replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u0300-\u036f]+/gu, '$1').normalize('NFKC').toLowerCase();

/** SQLite's own LIKE and lower() know A to Z alone. Most texts are ASCII, which needs no more. */
export const addFoldText = (db: BetterSqlite3.Database): void => {
  // eslint-disable-next-line no-control-regex
  db.function('fold_text', { deterministic: true }, (text: unknown) => (typeof text !== 'string' ? text : /^[\u0000-\u007f]*$/.test(text) ? text.toLowerCase() : foldText(text)));
};
