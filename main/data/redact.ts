import { hostname, homedir, userInfo } from 'node:os';

/** What tells who and where somebody is, beside secrets. */
export interface Identity {
  readonly dataDir: string;
  readonly home: string;
  readonly user: string;
  readonly host: string;
}

/** Of the account that this process runs as. */
export const ownIdentity = (dataDir: string): Identity => {
  let user = '';
  try {
    user = userInfo().username;
  } catch {
    // an account without an entry has no name to hide
  }
  return { dataDir, home: homedir(), user, host: hostname() };
};

/** A shorter word would stand in ordinary text. */
const SHORTEST_NAME = 3;

const quoted = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** A path as it may be written: as it is, in JSON, with the other separator, percent-encoded. */
const spellings = (path: string): readonly string[] => [...new Set([path, JSON.stringify(path).slice(1, -1), path.replaceAll('\\', '/'), encodeURI(path.toWellFormed()), encodeURIComponent(path.toWellFormed())])];

/** Home folders of any account, as the three systems name them. */
const ANY_HOME = /((?:\/home|\/Users|[A-Za-z]:(?:\\{1,2}|\/)Users)(?:\\{1,2}|\/))[^\\/\s"'<>|:]+/g;

/** An address with its credentials, path and query; only its scheme is told. */
const ADDRESS = /\b([a-z][a-z0-9+.-]{1,20}):\/\/(?!\[)[^\s"'<>\\]+/gi;

/** A value that somebody configured; a shorter one would stand in ordinary text. */
const SHORTEST_VALUE = 8;

/**
 * Replaces the data folder, home folders, the account's and the computer's name, addresses, and the texts in `configured`, longest first. Case is not
 * looked at: some systems do not either.
 */
export const redactor = ({ dataDir, home, user, host }: Identity, configured: readonly string[] = []): ((text: string) => string) => {
  const places: (readonly [string, string])[] = [...spellings(dataDir).map((one) => [one, '[data folder]'] as const), ...(home.length > 1 ? spellings(home).map((one) => [one, '[home]'] as const) : [])];
  for (const value of new Set(configured)) if (value.length >= SHORTEST_VALUE) places.push(...spellings(value).map((one) => [one, '[value]'] as const));
  const replacements = places.toSorted(([a], [b]) => b.length - a.length).map(([text, by]) => [new RegExp(quoted(text), 'gi'), by] as const);
  const names = [[user, '[user]'], [host, '[computer]']] as const;
  for (const [name, by] of names) if (name.length >= SHORTEST_NAME) replacements.push([new RegExp(String.raw`(?<![\p{L}\p{N}])${quoted(name)}(?![\p{L}\p{N}])`, 'giu'), by]);
  return (text) => replacements.reduce((out, [pattern, by]) => out.replaceAll(pattern, by), text).replaceAll(ADDRESS, '$1://[address]').replaceAll(ANY_HOME, '[home]');
};

/** A value of a call's input, and a word of a person's reason; a shorter one would stand in ordinary text. */
const SHORTEST_TYPED = 4;

/** The texts in a JSON value with their lines and the parts of what looks like a path: a server may repeat a part alone. */
export const typedTexts = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value, ...value.split(/\r?\n/), ...(/[\\/]/.test(value) ? value.split(/[\\/\r\n]+/) : [])].filter((text) => text.trim().length >= SHORTEST_TYPED);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(typedTexts) : [];
};

/** Takes typed texts of at least `shortest` characters out of texts that may repeat them, longest first, in any case and spelling. Only what `all` holds is looked for in each. */
export const typedHider = (typed: Iterable<string>, all: string, shortest: number = SHORTEST_TYPED): ((text: string) => string) => {
  const lower = all.toLowerCase();
  const found = [...new Set(typed)].filter((one) => one.length >= shortest).flatMap(spellings).filter((one) => lower.includes(one.toLowerCase()));
  const patterns = [...new Set(found)].toSorted((a, b) => b.length - a.length).map((one) => new RegExp(quoted(one), 'gi'));
  return (text) => patterns.reduce((out, pattern) => out.replaceAll(pattern, '[value]'), text);
};

/** Every text of a JSON value, names of members too. */
export const redactValue = (value: unknown, redact: (text: string) => string): unknown => {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((one) => redactValue(one, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [redact(name), redactValue(member, redact)]));
};
