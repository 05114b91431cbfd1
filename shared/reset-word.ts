/** The word that a person types before a reset, in the language of the window. */
export const RESET_WORD = { en: 'RESET', zh: '重置' } as const;
/** Any of them is taken, whatever the language. */
export const RESET_WORDS = [RESET_WORD.en, RESET_WORD.zh] as const;
