import { decodeText } from './decoded-text.ts';

/** Shorter values are too common in ordinary text: masking them would hide facts and keep no secret. */
export const MIN_MASKED = 4;
/** Characters of base64 that are no accident in a picture of 20 MB (2^36 to 1 at each place); a value of five bytes has as many wherever it stands. */
const MIN_BASE64 = 6;
/** Values from this length on are looked for in the rarer forms, too: twice encoded, UTF-16, bytes one by one. */
const MIN_DEEP = 8;
/** A form of at least this many characters is met in parts as well: wrapped over lines, or cut at the end of a text. */
export const MIN_PART = 16;

/** A form that is looked for in parts. */
export interface WrappedForm {
  readonly text: string;
  /** its first characters that are no secret: scheme and host of a URL */
  readonly openLength: number;
}
export interface SecretForms {
  /** looked for as they are, each at least MIN_MASKED characters */
  readonly whole: readonly string[];
  readonly wrapped: readonly WrappedForm[];
}

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const asciiJson = (text: string): string => text.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
const upperEscapes = (text: string): string => text.replace(/\\u[0-9a-f]{4}/g, (c) => `\\u${c.slice(2).toUpperCase()}`);
const lowerPercent = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (c) => c.toLowerCase());
const urlSafe = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');

/** Base64 of the bytes wherever they stand in a longer text: for each of the three offsets the characters that depend on them alone. */
const certainCores = (bytes: Buffer): readonly string[] =>
  [0, 2, 3].map((start, offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64').replace(/=+$/, '');
    // the last character mixes in what follows, unless the bytes end on a group of three
    return whole.slice(start, (offset + bytes.length) % 3 === 0 ? whole.length : whole.length - 1);
  });

/** The same, and where nothing follows the bytes the last character, too; both alphabets. */
const base64Of = (bytes: Buffer): readonly string[] => {
  const ends = [0, 2, 3].map((start, offset) => Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64').replace(/=+$/, '').slice(start));
  const cores = [...certainCores(bytes), ...ends].filter((core) => core.length >= MIN_BASE64);
  return [...cores, ...cores.map(urlSafe)];
};

const ENTITIES: readonly Readonly<Record<string, string>>[] = [
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' },
  { '&': '&#38;', '<': '&#60;', '>': '&#62;', '"': '&#34;', "'": '&#39;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '/': '&#x2F;', '`': '&#x60;', '=': '&#x3D;' },
];
const entities = (text: string): readonly string[] => ENTITIES.map((names) => text.replace(/[&<>"'/`=]/g, (c) => names[c] ?? c));

const percents = (value: string): readonly string[] => {
  const strict = encodeURIComponent(value).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return [encodeURIComponent(value), strict, encodeURI(value), strict.replaceAll('%20', '+')];
};

const escapes = (value: string): readonly string[] => {
  const once = [json(value), asciiJson(json(value)), upperEscapes(asciiJson(json(value))), json(value).replaceAll('/', '\\/')];
  return [...once, ...once.map(json)];
};

const bothCases = (hex: string): readonly string[] => [hex, hex.toUpperCase()];

/** As dumps and debuggers write bytes: `73:6b`, `73 6b`, `73-6b`, `\x73\x6b`, `%73%6b`, `0x73, 0x6b`, `115, 107`, and in pairs (`736b 2f6c`). */
const byteLists = (bytes: Buffer): readonly string[] => {
  const pairs = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const numbers = [...bytes].map(String);
  const inHex = [pairs, pairs.map((pair) => pair.toUpperCase())].flatMap((hex) => [hex.join(':'), hex.join(' '), hex.join('-'), `\\x${hex.join('\\x')}`, `%${hex.join('%')}`, `0x${hex.join(',0x')}`, `0x${hex.join(', 0x')}`]);
  const grouped = [0, 1].flatMap((odd) => bothCases(pairs.map((pair, i) => (i > 0 && i % 2 === odd ? ` ${pair}` : pair)).join('')));
  return [...inHex, ...grouped, numbers.join(','), numbers.join(', ')];
};

/** As a JSON number is written after it was read: rounded, without zeros that say nothing. */
const asNumber = (value: string): readonly string[] => (/^[+-]?\d+(?:\.\d+)?$/.test(value) && Number.isFinite(Number(value)) ? [String(Math.abs(Number(value)))] : []);

/** What a value reads as that has escapes of its own; a text is searched with its escapes read. A space is a plus in forms. */
const readForms = (value: string): readonly string[] => {
  const once = decodeText(value)?.text;
  const twice = once === undefined ? undefined : decodeText(once)?.text;
  return [value, once ?? value, twice ?? value].flatMap((text) => (text.includes(' ') ? [text, text.replaceAll(' ', '+')] : [text]));
};

const eachCharacter = (value: string): readonly string[] => {
  const units = [...value].map((c) => c.codePointAt(0)!);
  const escaped = value.replace(/[^]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [escaped, upperEscapes(escaped), units.map((c) => `&#${c};`).join(''), units.map((c) => `&#x${c.toString(16)};`).join(''), units.map((c) => `&#x${c.toString(16).toUpperCase()};`).join('')];
};

/** What a program that takes UTF-16 for bytes shows, and UTF-16 in base64 (a PowerShell command) and hex. */
const utf16 = (value: string): readonly string[] => {
  const little = Buffer.from(value, 'utf16le');
  const big = Buffer.from(little).swap16();
  const bytes = [...base64Of(little), ...base64Of(big), ...bothCases(little.toString('hex')), ...bothCases(big.toString('hex'))];
  return /^[\x20-\x7e]+$/.test(value) ? [...bytes, [...value].join('\0'), [...value].map(json).join('\\u0000'), [...value].map(json).map(json).join('\\\\u0000')] : bytes;
};

const deepForms = (value: string, bytes: Buffer, base64: readonly string[]): readonly string[] => {
  const twice = percents(value).map(encodeURIComponent);
  const inner = certainCores(bytes);
  const again = [...inner, ...inner.map(urlSafe)].flatMap((core) => certainCores(Buffer.from(core, 'latin1')));
  const inUrl = base64.map(encodeURIComponent);
  const quoted = json(value) === value ? [] : base64Of(Buffer.from(json(value), 'utf8'));
  return [...twice, ...twice.map((text) => text.replace(/%25[0-9A-F]{2}/g, (c) => c.toLowerCase())), ...again, ...again.map(urlSafe), ...inUrl, ...inUrl.map(lowerPercent), ...base64.map((core) => core.replaceAll('/', '\\/')), ...quoted, ...byteLists(bytes), ...eachCharacter(value), ...utf16(value)];
};

/** Scheme and host of a URL without a user's name: they stand in ordinary messages. */
const openLength = (value: string): number => /^[a-z][\w+.-]*:\/\/[^\s/?#@]*(?=[/?#]|$)/i.exec(value)?.[0].length ?? 0;

/** The token without its scheme (`Bearer abc` is configured as a header); long lines of a value that has several (a PEM key), which logs show one by one. */
const piecesOf = (value: string): readonly string[] => {
  const token = /^(?:Bearer|Basic|Token|ApiKey|Digest)\s+(\S.*)$/i.exec(value)?.[1];
  const lines = value.split(/[\r\n]+/);
  return [...(token === undefined ? [] : [token]), ...(lines.length > 1 ? lines.filter((line) => line.length >= MIN_PART) : [])];
};

/**
 * The ways a value is met in text (docs/spec/secrets.md lists them with their limits): as it is, in JSON, percent-encoded, in base64 at any
 * offset, in hex and other lists of bytes, in HTML, as UTF-16; and which of them are looked for in parts.
 */
export const secretForms = (configured: string): SecretForms => {
  const steps = formSteps(configured);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

/** The same in steps of one piece of the value each: a PEM key has fifty. */
export function* formSteps(configured: string): Generator<void, SecretForms, void> {
  const whole = new Set<string>();
  const wrapped = new Map<string, WrappedForm>();
  for (const value of [configured, ...piecesOf(configured)]) {
    if (value.length < MIN_MASKED) continue;
    const bytes = Buffer.from(value, 'utf8');
    const base64 = base64Of(bytes);
    const urls = percents(value);
    const hex = bothCases(bytes.toString('hex'));
    const deep = value.length >= MIN_DEEP ? deepForms(value, bytes, base64) : [];
    for (const form of [...readForms(value), ...asNumber(value), ...escapes(value), ...urls, ...urls.map(lowerPercent), ...base64, ...hex, ...entities(value), ...deep]) if (form.length >= MIN_MASKED) whole.add(form);
    for (const text of [value, json(value), ...certainCores(bytes), ...certainCores(bytes).map(urlSafe), ...hex]) {
      if (text.length >= MIN_PART && !wrapped.has(text)) wrapped.set(text, { text, openLength: text === value ? openLength(value) : 0 });
    }
    yield;
  }
  return { whole: [...whole], wrapped: [...wrapped.values()] };
}
