/** One variable of a URI template: `explode` is `*`, `prefix` the number of characters of `:n` (RFC 6570, 2.4). */
export interface TemplateVariable {
  readonly name: string;
  readonly explode: boolean;
  readonly prefix: number | null;
}

type Operator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';
type Part = { readonly literal: string } | { readonly operator: Operator; readonly variables: readonly TemplateVariable[] };

/** A URI template that was read. `optional` may be left out without another path: those of the forms ?, & and #. */
export interface UriTemplate {
  readonly parts: readonly Part[];
  /** in order, each once */
  readonly variables: readonly (TemplateVariable & { readonly optional: boolean })[];
}

/** What a variable may hold: a text, a list, or names with texts. Absent is undefined (RFC 6570, 3.2.1). */
export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>>;

const MOST_VARIABLES = 64;
const LONGEST_TEMPLATE = 8_192;
const VARIABLE = /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*)(?:(\*)|:([1-9][0-9]{0,3}))?$/;

/** RFC 6570, levels 1 to 4. The answer is a sentence where it is no template: no expression of it can be expanded then. */
export const readUriTemplate = (text: string): UriTemplate | string => {
  if (text.length > LONGEST_TEMPLATE) return `the template has more than ${LONGEST_TEMPLATE} characters`;
  const parts: Part[] = [];
  const variables = new Map<string, TemplateVariable & { optional: boolean }>();
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('{', at);
    const literal = text.slice(at, open < 0 ? text.length : open);
    if (literal.includes('}')) return `a closing brace without an opening one at ${at + literal.indexOf('}')}`;
    if (literal !== '') parts.push({ literal });
    if (open < 0) break;
    const close = text.indexOf('}', open);
    if (close < 0) return `an opening brace without a closing one at ${open}`;
    const expression = text.slice(open + 1, close);
    const operator = /^[+#./;?&]/.test(expression) ? (expression[0] as Operator) : '';
    const read: TemplateVariable[] = [];
    for (const spec of expression.slice(operator.length).split(',')) {
      const found = VARIABLE.exec(spec);
      if (found === null) return `an expression that RFC 6570 does not know at ${open}: {${expression.slice(0, 60)}}`;
      const variable = { name: found[1]!, explode: found[2] !== undefined, prefix: found[3] === undefined ? null : Number(found[3]) };
      read.push(variable);
      const optional = operator === '?' || operator === '&' || operator === '#';
      const known = variables.get(variable.name);
      variables.set(variable.name, known === undefined ? { ...variable, optional } : { ...known, explode: known.explode || variable.explode, optional: known.optional && optional });
      if (variables.size > MOST_VARIABLES) return `more than ${MOST_VARIABLES} variables`;
    }
    parts.push({ operator, variables: read });
    at = close + 1;
  }
  return { parts, variables: [...variables.values()] };
};

/** RFC 6570, appendix A: what each operator begins with, separates by, and whether it names its variables and keeps reserved characters. */
const FORMS: Readonly<Record<Operator, { readonly first: string; readonly separator: string; readonly named: boolean; readonly ifEmpty: string; readonly reserved: boolean }>> = {
  '': { first: '', separator: ',', named: false, ifEmpty: '', reserved: false },
  '+': { first: '', separator: ',', named: false, ifEmpty: '', reserved: true },
  '#': { first: '#', separator: ',', named: false, ifEmpty: '', reserved: true },
  '.': { first: '.', separator: '.', named: false, ifEmpty: '', reserved: false },
  '/': { first: '/', separator: '/', named: false, ifEmpty: '', reserved: false },
  ';': { first: ';', separator: ';', named: true, ifEmpty: '', reserved: false },
  '?': { first: '?', separator: '&', named: true, ifEmpty: '=', reserved: false },
  '&': { first: '&', separator: '&', named: true, ifEmpty: '=', reserved: false },
};

const percent = (text: string): string => encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
/** Reserved and unreserved characters and what is percent-encoded already stay as they are. */
const keepingReserved = (text: string): string => text.split(/(%[0-9A-Fa-f]{2}|[:/?#[\]@!$&'()*+,;=]+)/).map((piece, i) => (i % 2 === 1 ? piece : percent(piece))).join('');

const expandOne = (variable: TemplateVariable, value: TemplateValue, { named, ifEmpty, reserved, separator }: (typeof FORMS)[Operator]): string | null => {
  const encode = reserved ? keepingReserved : percent;
  const withName = (text: string): string => (named ? (text === '' ? `${variable.name}${ifEmpty}` : `${variable.name}=${text}`) : text);
  if (typeof value === 'string') return withName(encode(variable.prefix === null ? value : [...value.slice(0, 2 * variable.prefix)].slice(0, variable.prefix).join('')));
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    return variable.explode ? value.map((one: string) => withName(encode(one))).join(separator) : withName(value.map(encode).join(','));
  }
  const pairs = Object.entries(value as Readonly<Record<string, string>>);
  if (pairs.length === 0) return null;
  if (!variable.explode) return withName(pairs.flatMap(([key, text]) => [encode(key), encode(text)]).join(','));
  return pairs.map(([key, text]) => (named && text === '' ? `${encode(key)}${ifEmpty}` : `${encode(key)}=${encode(text)}`)).join(separator);
};

/** Ends with the variable that makes it longer than `most`. */
const expandPart = (part: Part, values: Readonly<Record<string, TemplateValue | undefined>>, most: number): string => {
  if ('literal' in part) return keepingReserved(part.literal);
  const form = FORMS[part.operator];
  let expanded = '';
  let before = form.first;
  for (const variable of part.variables) {
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
    const text = value === undefined ? null : expandOne(variable, value, form);
    if (text === null) continue;
    expanded += before + text;
    before = form.separator;
    if (expanded.length > most) break;
  }
  return expanded;
};

/**
 * The URI that the template gives with these values (RFC 6570, 3), null where it has more than `most` characters: one that names a variable a thousand times is not
 * expanded beyond that. A URI is a name for its own server: nothing here looks at what it leads to.
 */
export const expandUriTemplate = (template: UriTemplate, values: Readonly<Record<string, TemplateValue | undefined>>, most: number): string | null => {
  let uri = '';
  for (const part of template.parts) {
    uri += expandPart(part, values, most);
    if (uri.length > most) return null;
  }
  return uri;
};
