/** UTF-16 units of the whole, of one value and of a name. */
const WHOLE = 120;
const VALUE = 48;
const NAME = 30;
const HEAD = 20;
/** A longer input is not read for it. */
export const LONGEST_TOLD = 20_000;

/** In one line; what is long keeps its end, where paths and addresses differ. */
const short = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return (line.length <= most ? line : `${line.slice(0, most <= NAME ? most - 1 : HEAD)}…${most <= NAME ? '' : line.slice(HEAD + 1 - most)}`).toWellFormed();
};

const wordOf = (value: unknown): string | null => {
  if (typeof value === 'string') return value.trim() === '' ? null : short(value, VALUE);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) && value.length > 0 && value.length <= 3 && value.every((one) => typeof one === 'string') ? short(value.join(', '), VALUE) : null;
};

/**
 * A few words of a call's frozen input that tell it from another of the same tool: its short values first, each with its name. Untrusted text, at most 120
 * characters of it; empty where nothing can be told in a line.
 */
export const tellingArguments = (frozenInput: string | null): string => {
  if (frozenInput === null || frozenInput.length > LONGEST_TOLD) return '';
  try {
    const input: unknown = JSON.parse(frozenInput);
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return '';
    const told = Object.entries(input).flatMap(([name, value]) => {
      const word = wordOf(value);
      return word === null ? [] : [{ text: `${short(name, NAME)}: ${word}`, isText: typeof value === 'string', length: typeof value === 'string' ? value.length : 0 }];
    });
    // what is chosen among few (numbers, flags) tells less than words
    const best = told.toSorted((a, b) => Number(b.isText) - Number(a.isText) || a.length - b.length);
    let whole = '';
    for (const { text } of best) if (whole.length + text.length + 2 <= WHOLE) whole += `${whole === '' ? '' : ', '}${text}`;
    return whole;
  } catch {
    return '';
  }
};
