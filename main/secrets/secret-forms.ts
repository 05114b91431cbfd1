/** Shorter values are too common in ordinary text: masking them would hide facts and keep no secret. */
export const MIN_MASKED = 4;

const asciiJson = (text: string, upper: boolean): string =>
  text.replace(/[\u007f-\uffff]/g, (c) => {
    const hex = c.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${upper ? hex.toUpperCase() : hex}`;
  });
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const lowerPercent = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (c) => c.toLowerCase());

/** Base64 of the value wherever it stands in a longer text: for each of the three offsets the characters that depend on the value alone. */
const base64Cores = (value: string): readonly string[] => {
  const bytes = Buffer.from(value, 'utf8');
  return [0, 2, 3].flatMap((start, offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64').replace(/=+$/, '');
    // the last character mixes in what follows, unless nothing does or the value ends on a group of three
    const end = (offset + bytes.length) % 3 === 0 ? whole.length : whole.length - 1;
    return [whole.slice(start), whole.slice(start, end)];
  });
};

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const html = (text: string): string => text.replace(/[&<>"']/g, (c) => HTML[c] ?? c);

/** Lines of this length in a value of many lines (a PEM key) are met one by one in logs. */
const LONG_LINE = 16;

/** The value; the token without its scheme (`Bearer abc` is configured as a header); long lines of a value that has several. */
const partsOf = (value: string): readonly string[] => {
  const token = /^(?:Bearer|Basic|Token|ApiKey|Digest)\s+(\S.*)$/i.exec(value)?.[1];
  const lines = value.split(/[\r\n]+/);
  return [value, ...(token === undefined ? [] : [token]), ...(lines.length > 1 ? lines.filter((line) => line.length >= LONG_LINE) : [])];
};

/**
 * The ways a value is met in text: as it is, in JSON (once, twice, ASCII only), percent-encoded (component, whole URL, form), in base64
 * (both alphabets, any alignment), in hex and in HTML.
 */
export const secretForms = (configured: string): readonly string[] => {
  const forms = new Set<string>();
  for (const value of partsOf(configured)) {
    if (value.length < MIN_MASKED) continue;
    const percent = encodeURIComponent(value);
    const strict = percent.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
    const urls = [percent, strict, encodeURI(value), strict.replaceAll('%20', '+')];
    const escaped = [json(value), asciiJson(json(value), false), asciiJson(json(value), true), json(value).replaceAll('/', '\\/')];
    const cores = base64Cores(value).flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')]);
    const hex = Buffer.from(value, 'utf8').toString('hex');
    for (const form of [value, ...escaped, ...escaped.map(json), ...urls, ...urls.map(lowerPercent), ...cores, hex, hex.toUpperCase(), html(value)]) {
      if (form.length >= MIN_MASKED) forms.add(form);
    }
  }
  return [...forms];
};
