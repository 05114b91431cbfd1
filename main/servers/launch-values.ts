/** Where a value of a configuration goes: into the environment or the arguments of a program, or into a header of each request. */
export type ValuePlace = 'env' | 'header' | 'arg';

export interface Misfit {
  /** completes "the value of X ..." or "X ..." */
  readonly what: string;
  readonly remedy: string;
}

/** RFC 9110 token for header names; POSIX-like names for environment variables, with what Windows has besides. */
const NAME = { env: /^[A-Za-z_][A-Za-z0-9_.()-]{0,254}$/, header: /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/ } as const;

/** The connection's own (RFC 9110 7.6.1, 8.6, 10.1.1): a request that sets them is not sent, or says something else of its body than is true. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

export const nameMisfit = (place: 'env' | 'header', name: string): Misfit | null => {
  if (!NAME[place].test(name)) {
    return place === 'env'
      ? { what: 'is not a name of an environment variable', remedy: 'Use letters, digits and underscores; begin with a letter.' }
      : { what: 'is not a name of a header', remedy: 'Use letters, digits and hyphens.' };
  }
  if (place === 'header' && OF_THE_CONNECTION.has(name.toLowerCase())) return { what: 'is a header of the connection itself and cannot be set', remedy: 'Remove it: the connection sets it by itself.' };
  return null;
};

/** RFC 9110 5.5: tab, visible characters and blanks, and the upper half of Latin-1. */
const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;
const OUTSIDE_LATIN_1 = /[^\x00-\xff]/;
/** One argument or `NAME=value` on Linux (MAX_ARG_STRLEN, with its NUL): more, and no program starts. */
const ONE_STRING_BYTES = 131_071;

/** What keeps a value from being passed on, or null. Says nothing of the value itself: it may be a secret. */
export const valueMisfit = (place: ValuePlace, text: string, name = '', platform: NodeJS.Platform = process.platform): Misfit | null => {
  if (place === 'header') {
    if (HEADER_TEXT.test(text)) return null;
    if (OUTSIDE_LATIN_1.test(text)) return { what: 'holds a character that no header can carry (outside Latin-1)', remedy: 'Use letters, digits and signs of ASCII; often a dash, a quotation mark or a blank was changed by a word processor, or an invisible character was pasted with it.' };
    return { what: 'holds a line break or another control character', remedy: 'Remove line breaks and control characters from the value.' };
  }
  // NUL ends a C string
  if (text.includes('\0')) return { what: 'holds a NUL character', remedy: 'Remove NUL characters from the value.' };
  const sizeBytes = Buffer.byteLength(text) + (place === 'env' ? Buffer.byteLength(name) + 1 : 0);
  if (platform === 'linux' && sizeBytes > ONE_STRING_BYTES) return { what: `is longer than a program can be given (${ONE_STRING_BYTES} bytes)`, remedy: 'Put it into a file, and give the program the path of the file.' };
  return null;
};

/** The first of two names that are one where names are compared: headers everywhere, variables on Windows. */
export const sameName = (place: 'env' | 'header', names: readonly string[], platform: NodeJS.Platform = process.platform): readonly [string, string] | null => {
  if (place === 'env' && platform !== 'win32') return null;
  const seen = new Map<string, string>();
  for (const name of names) {
    const before = seen.get(name.toLowerCase());
    if (before !== undefined) return [before, name];
    seen.set(name.toLowerCase(), name);
  }
  return null;
};
