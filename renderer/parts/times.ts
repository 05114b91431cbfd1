const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000], ['second', 1000]];

/** A formatter costs more than what it formats, and lists draw hundreds of times. */
const made = new Map<string, unknown>();
const once = <F>(key: string, make: () => F): F => {
  if (!made.has(key)) made.set(key, make());
  return made.get(key) as F;
};

/** The last moment a Date can hold (ECMA-262, 21.4.1.1); what comes from a restored file may lie beyond, and is shown as a dash. */
const LAST_TIME = 8.64e15;
const isTime = (at: number): boolean => Math.abs(at) <= LAST_TIME;
const NO_TIME = '–';

/** ISO 8601 in UTC, or undefined for what is no time. */
export const isoTime = (at: number): string | undefined => (isTime(at) ? new Date(at).toISOString() : undefined);

/** "4 minutes ago"; beyond a week the date. `language` is a BCP 47 tag, times are ms since epoch. */
export const relativeTime = (at: number, now: number, language: string): string => {
  if (!isTime(at)) return NO_TIME;
  const distance = at - now;
  if (Math.abs(distance) > 7 * 86_400_000) return once(`day ${language}`, () => new Intl.DateTimeFormat(language, { year: 'numeric', month: 'short', day: 'numeric' })).format(at);
  const format = once(`relative ${language}`, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
  for (const [unit, size] of UNITS) if (Math.abs(distance) >= size) return spaced(format.format(Math.trunc(distance / size), unit));
  return format.format(0, 'second');
};

/** 12,345 as the language writes it. */
export const wholeNumber = (language: string): ((value: number) => string) => once(`whole ${language}`, () => new Intl.NumberFormat(language).format);

/** Chinese sets a space between figures and characters, as all our words do; the library's do not. */
const spaced = (text: string): string => text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ');

/** Date and time to the second with the zone, in the user's own. */
export const exactTime = (at: number, language: string): string =>
  !isTime(at) ? NO_TIME : once(`exact ${language}`, () => new Intl.DateTimeFormat(language, { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' })).format(at);

/** The day alone, in the user's zone. */
export const dayOf = (at: number, language: string): string => (isTime(at) ? once(`medium ${language}`, () => new Intl.DateTimeFormat(language, { dateStyle: 'medium' })).format(at) : NO_TIME);

/** 14:31 in the user's zone. */
export const minuteOf = (at: number, language: string): string => (isTime(at) ? once(`minute ${language}`, () => new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })).format(at) : NO_TIME);

/** 14:31:02.114 in the user's zone. */
export const clockTime = (at: number): string => {
  if (!isTime(at)) return NO_TIME;
  const d = new Date(at);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}.${String(d.getMilliseconds()).padStart(3, '0')}`;
};

const SHORT = { en: { ms: 'ms', s: 's', min: 'min', h: 'h' }, zh: { ms: '毫秒', s: '秒', min: '分', h: '小时' } } as const;

/** 分 stands beside seconds; alone it would be a mark or a share */
const ALONE = { en: SHORT.en, zh: { ...SHORT.zh, min: '分钟' } } as const;

/** 4.2 ms, 42 ms, 0.21 s, 12.4 s, 3 min 20 s, 5 min: no zero behind a whole one. */
export const duration = (ms: number, language: string): string => {
  const tongue = language.startsWith('zh') ? 'zh' : 'en';
  const unit = (value: number, word: string, digits = 0): string => `${once(`number ${language} ${digits}`, () => new Intl.NumberFormat(language, { maximumFractionDigits: digits })).format(value)} ${word}`;
  const short = SHORT[tongue];
  if (ms < 0) return unit(0, short.s);
  if (ms < 100) return unit(ms, short.ms, ms < 10 ? 1 : 0);
  if (ms < 60_000) return unit(ms / 1000, short.s, ms < 10_000 ? 2 : 1);
  const [size, name, smaller] = ms < 3_600_000 ? ([60_000, 'min', 's'] as const) : ([3_600_000, 'h', 'min'] as const);
  const rest = Math.floor((ms % size) / (size / 60));
  const whole = Math.floor(ms / size);
  return rest === 0 ? unit(whole, ALONE[tongue][name]) : `${unit(whole, short[name])} ${unit(rest, short[smaller])}`;
};

/** 4:31 of what is left; never below 0:00. */
export const countdown = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
