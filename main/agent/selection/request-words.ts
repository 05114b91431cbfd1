import { chunksOf, stemOf, STOP } from './words.ts';

/** Texts are read so far. */
const READ_CHARS = 4_000;

/** Stems of what a request says, each with the word as it was written. Chinese goes by its runs of two characters. */
export const requestWords = (text: string): ReadonlyMap<string, string> => {
  const words = new Map<string, string>();
  for (const { word, parts, han } of chunksOf(text.slice(0, READ_CHARS))) {
    const pieces = han ? [...word].slice(0, -1).map((character, at) => character + [...word][at + 1]!) : (parts ?? [word]);
    for (const piece of pieces) if (!STOP.has(piece) && (han || piece.length > 2)) words.set(stemOf(piece), piece);
  }
  return words;
};
