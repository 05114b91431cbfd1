import type { Launch } from '../../shared/server.ts';

/** What stands where a value of the configuration stood; has no character that JSON quotes. */
export const CONCEALED = '[its configuration]';

/** Of arguments, only what tells of this machine or is long enough to be nothing else: `stdio` and `--port` are words of every error. */
const LONG_ARGUMENT = 12;
/** Values of variables and headers; `true`, `1` and `en` are words of their own. */
const LONG_VALUE = 8;
const SHORTEST_PLACE = 4;
const isPlace = (text: string): boolean => text.length >= SHORTEST_PLACE && /[\\/]/.test(text);

const argumentWords = (argument: string): readonly string[] => {
  const value = /^--?[\w-]+=(.+)$/s.exec(argument)?.[1];
  return [argument, ...(value === undefined ? [] : [value])].filter((text) => isPlace(text) || text.length >= LONG_ARGUMENT);
};

const valuesOf = (values: Extract<Launch, { kind: 'http' }>['headers']): readonly string[] => Object.values(values).flatMap((value) => ('plain' in value && (value.plain.length >= LONG_VALUE || isPlace(value.plain)) ? [value.plain] : []));

/** An address as it was entered, as it is dialled, its origin, and its host where that names a port. */
const addressWords = (address: string): readonly string[] => {
  const url = URL.parse(address);
  return url === null ? [address] : [address, url.href, url.href.replace(/\/$/, ''), url.origin, ...(url.port === '' ? [] : [url.host])];
};

/** A path as it is left where stacks and paths were taken out of an error before. */
const shortened = (text: string): readonly string[] => (isPlace(text) && !text.includes('://') ? [`[path]/${text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)}`] : []);

/** Text that a placeholder stands in is another one at the server. */
const isWhole = (text: string): boolean => !text.includes('${');

/** Exact values of a server's configuration that its own words may repeat: command, arguments, folders, address, values of variables and headers. Sealed ones are masked before, wherever they stand. */
export const launchWords = (launch: Launch): readonly string[] =>
  (launch.kind === 'http'
    ? [...addressWords(launch.url), ...valuesOf(launch.headers)]
    : [...[launch.command, launch.cwd, launch.home].filter(isPlace), ...launch.args.flatMap((argument) => (typeof argument === 'string' ? argumentWords(argument) : [])), ...valuesOf(launch.env)]
  )
    .filter(isWhole)
    .flatMap((word) => [word, ...shortened(word)]);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** `text`: words, or a line of JSON. A value is replaced where it stands whole, the longest first. */
export const concealLaunch = (text: string, launch: Launch | null): string => {
  if (launch === null) return text;
  const words = new Set(launchWords(launch).flatMap((word) => [word, JSON.stringify(word).slice(1, -1)]).filter((word) => text.includes(word)));
  if (words.size === 0) return text;
  const longestFirst = [...words].toSorted((a, b) => b.length - a.length);
  return text.replace(new RegExp(`(?<![A-Za-z0-9_-])(?:${longestFirst.map(escaped).join('|')})(?![A-Za-z0-9_-])`, 'g'), CONCEALED);
};
