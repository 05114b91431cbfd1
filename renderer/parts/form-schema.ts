import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import { escapeHidden } from './hidden-characters.ts';

/**
 * What the form library is shown of an input schema that fits a form (schema-fit.ts): structure, choices and defaults.
 * Constraints stay with the host, which judges by the original: a form that clamped or trimmed would change what is sent.
 * All words of the server have their hidden characters spelled out.
 */
export const formSchema = (schema: unknown): RJSFSchema => shown(schema, null) as RJSFSchema;

type Json = Record<string, unknown>;
const isObject = (v: unknown): v is Json => typeof v === 'object' && v !== null && !Array.isArray(v);
const LONG_NAMES = /^(content|contents|text|body|message|prompt|query|sql|code|script|description|data|html|markdown|newText|oldText|new_text|old_text)$/i;
const MAX_WORDS = 600;

const shown = (schema: unknown, name: string | null): Json => {
  const source = isObject(schema) ? schema : {};
  const out: Json = { type: source['type'] ?? (source['enum'] === undefined && source['const'] === undefined ? 'object' : choiceType(source)) };
  const title = typeof source['title'] === 'string' && name !== null && source['title'] !== name ? `${escapeHidden(source['title']).slice(0, 120)} (${escapeHidden(name)})` : name === null ? undefined : escapeHidden(name);
  if (title !== undefined) out['title'] = title;
  if (name !== null && typeof source['description'] === 'string') out['description'] = cut(escapeHidden(source['description']));
  for (const key of ['enum', 'const', 'default'] as const) if (source[key] !== undefined) out[key] = source[key];
  if (Array.isArray(source['required'])) out['required'] = source['required'].filter((r) => typeof r === 'string');
  if (isObject(source['properties'])) out['properties'] = Object.fromEntries(Object.entries(source['properties']).map(([key, value]) => [key, shown(value, key)]));
  if (isObject(source['items'])) out['items'] = shown(source['items'], null);
  if (out['type'] === 'object') out['additionalProperties'] = false;
  return out;
};

const cut = (text: string): string => (text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text);

const choiceType = (source: Json): string => {
  const one: unknown = source['const'] ?? (Array.isArray(source['enum']) ? source['enum'][0] : undefined);
  return typeof one === 'number' ? 'number' : typeof one === 'boolean' ? 'boolean' : 'string';
};

/** Texts that are likely long get room for several lines. */
export const formUi = (schema: unknown): UiSchema => {
  const ui: UiSchema = {};
  if (!isObject(schema)) return ui;
  if (isObject(schema['properties']))
    for (const [name, value] of Object.entries(schema['properties'])) {
      if (!isObject(value)) continue;
      const long = value['type'] === 'string' && value['enum'] === undefined && (LONG_NAMES.test(name) || (typeof value['maxLength'] === 'number' && value['maxLength'] > 200));
      ui[name] = long ? { 'ui:widget': 'textarea', 'ui:options': { minRows: 3, autosize: true, maxRows: 14 } } : formUi(value);
    }
  if (isObject(schema['items'])) ui['items'] = formUi(schema['items']);
  return ui;
};

export interface FieldError {
  /** JSON Pointer into the input */
  readonly pointer: string;
  readonly message: string;
}

/** Errors at their fields, in the shape the form library shows. An error whose place no field has stays at the root. */
export const errorTree = (errors: readonly FieldError[]): Record<string, unknown> => {
  const root: Json = {};
  for (const error of errors) {
    let at = root;
    for (const part of error.pointer.split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const next = Object.hasOwn(at, key) && isObject(at[key]) ? at[key] : {};
      Object.defineProperty(at, key, { value: next, enumerable: true, writable: true, configurable: true });
      at = next;
    }
    at['__errors'] = [...((at['__errors'] as string[] | undefined) ?? []), error.message];
  }
  return root;
};
