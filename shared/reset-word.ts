/** The word that a person types before a reset; the same in every language. */
export const RESET_WORD = 'RESET';
