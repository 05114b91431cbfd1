const MAX_JSON_CHARS = 600;

const short = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > MAX_JSON_CHARS ? `${text.slice(0, MAX_JSON_CHARS)}... (shortened)` : text;
};
const listed = (values: readonly unknown[]): string => {
  const shown = values.slice(0, 60).map((value) => JSON.stringify(value));
  return `${shown.join(', ')}${values.length > shown.length ? ` and ${values.length - shown.length} more` : ''}`;
};

const SENTENCES: Readonly<Record<string, (value: unknown) => string>> = {
  minLength: (n) => `At least ${String(n)} characters.`,
  maxLength: (n) => `At most ${String(n)} characters.`,
  pattern: (p) => `Must match the regular expression ${String(p)} .`,
  format: (f) => `Format: ${String(f)}.`,
  default: (v) => `Default: ${short(v)}.`,
  minimum: (n) => `At least ${String(n)}.`,
  maximum: (n) => `At most ${String(n)}.`,
  exclusiveMinimum: (n) => `Greater than ${String(n)}.`,
  exclusiveMaximum: (n) => `Less than ${String(n)}.`,
  multipleOf: (n) => `A multiple of ${String(n)}.`,
  minItems: (n) => `At least ${String(n)} items.`,
  maxItems: (n) => `At most ${String(n)} items.`,
  uniqueItems: () => 'No item twice.',
  minProperties: (n) => `At least ${String(n)} members.`,
  maxProperties: (n) => `At most ${String(n)} members.`,
  enum: (values) => `Allowed values: ${listed(values as unknown[])}.`,
  const: (value) => `Must be ${short(value)}.`,
  examples: (values) => `Examples: ${listed(Array.isArray(values) ? values : [values])}.`,
};

/** Keywords that constrain nothing; of these only a default and examples are worth words. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['title', '$comment', 'readOnly', 'writeOnly', 'deprecated', 'contentMediaType', 'contentEncoding', '$schema', '$id', 'id', '$anchor', '$dynamicAnchor', '$defs', 'definitions', 'nullable', 'example', '$vocabulary']);

/** A constraint in words, for a model; null where there is nothing to say. What has no sentence of its own is given as JSON Schema. */
export const constraintWords = (keyword: string, value: unknown): string | null => {
  if (ANNOTATIONS.has(keyword) || keyword.startsWith('x-')) return null;
  if (keyword === 'uniqueItems' && value !== true) return null;
  const sentence = Object.hasOwn(SENTENCES, keyword) ? SENTENCES[keyword]! : null;
  return sentence ? sentence(value) : `Must also satisfy the JSON Schema ${short({ [keyword]: value })}.`;
};

export const sayAlso = (description: unknown, words: readonly string[]): string => [...(typeof description === 'string' && description.trim() !== '' ? [description.trim()] : []), ...words].join(' ');
