/** Longer than that of the secret store: a file can be guessed at for as long as somebody likes. */
export const SHORTEST_BACKUP_PASSPHRASE = 12;
const FEWEST_DIFFERENT = 6;

/** Why a passphrase is too weak for a file, or null. */
export const weakness = (passphrase: string): 'short' | 'few_characters' | 'digits_only' | null => {
  const characters = [...passphrase.normalize('NFC')];
  if (characters.length < SHORTEST_BACKUP_PASSPHRASE) return 'short';
  if (new Set(characters).size < FEWEST_DIFFERENT) return 'few_characters';
  return /^[\d\s.-]+$/.test(passphrase) ? 'digits_only' : null;
};
