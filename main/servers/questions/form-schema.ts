import { isObject } from '../../../shared/is-object.ts';
import type { QuestionField } from '../../../shared/question.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { formPattern, judgeContent } from './form-content.ts';
import { refusal, type Refusal } from './refusal.ts';
import { asksForSecret } from './secret-like.ts';

/** What a form may hold: more than a person fills in. */
const FORM_LIMITS = { fields: 60, choices: 500, nameChars: 200, titleChars: 300, descriptionChars: 2_000, patternChars: 1_000, /** instructions of all its patterns */ patternSize: 8_000, schemaBytes: 128 * 1024 } as const;

type Schema = Readonly<Record<string, unknown>>;
type Judged<T> = Result<T, string>;

const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);
const ROOT_MEMBERS: ReadonlySet<string> = new Set(['$schema', 'type', 'properties', 'required', 'additionalProperties', 'title', 'description']);
/** By the revisions 2025-11-25 and 2026-07-28; `enumNames` is the older way to name choices. What annotates only is let through and shown nowhere. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'format', 'pattern', 'enum', 'enumNames', 'oneOf', 'const'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
};
const COMMON = ['type', 'title', 'description', 'default', 'examples', '$comment'];

const bounded = (value: unknown, chars: number): string | undefined => (typeof value === 'string' ? value.toWellFormed().slice(0, chars) : undefined);
const numbers = <K extends string>(schema: Schema, names: readonly K[]): Judged<{ [N in K]?: number }> => {
  const wrong = names.find((name) => schema[name] !== undefined && !(typeof schema[name] === 'number' && Number.isFinite(schema[name])));
  if (wrong !== undefined) return err(`${wrong} is no number`);
  return ok(Object.fromEntries(names.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]])) as { [N in K]?: number });
};

type Choices = Extract<QuestionField, { type: 'choice' }>['choices'];

/** A list of constants, plain (`enum`, with `enumNames` or without) or titled (`oneOf` or `anyOf` of `const`); null where it is neither. */
const choicesOf = (schema: Schema, titled: unknown): Judged<Choices | null> => {
  const plain = schema['enum'];
  if (plain === undefined && titled === undefined) return ok(null);
  if (plain !== undefined && titled !== undefined) return err('choices are given twice');
  const names = schema['enumNames'];
  const list: unknown = plain ?? titled;
  if (!Array.isArray(list) || list.length === 0 || list.length > FORM_LIMITS.choices) return err(`choices are no list of 1 to ${FORM_LIMITS.choices}`);
  const choices = list.map((one: unknown, at) => {
    const value = plain === undefined && isObject(one) ? one['const'] : one;
    const title = plain === undefined && isObject(one) ? one['title'] : Array.isArray(names) ? (names as unknown[])[at] : undefined;
    return { value, title: bounded(title, FORM_LIMITS.titleChars) ?? bounded(value, FORM_LIMITS.titleChars) };
  });
  if (!choices.every((one): one is { value: string; title: string } => typeof one.value === 'string' && one.value.isWellFormed())) return err('a choice is no text');
  if (new Set(choices.map(({ value }) => value)).size !== choices.length) return err('a choice stands there twice');
  return ok(choices);
};

const textField = (base: Base, schema: Schema): Judged<QuestionField> => {
  const choices = choicesOf(schema, schema['oneOf']);
  if (!choices.ok) return choices;
  if (choices.value !== null) return ok({ ...base, type: 'choice', choices: [...choices.value] });
  const limits = numbers(schema, ['minLength', 'maxLength']);
  if (!limits.ok) return limits;
  const { format } = schema;
  if (format !== undefined && !FORMATS.has(format)) return err(`the format ${JSON.stringify(format)} is not one of a form`);
  const { pattern } = schema;
  if (pattern !== undefined && (typeof pattern !== 'string' || pattern.length > FORM_LIMITS.patternChars || !formPattern(pattern).ok)) return err('its pattern cannot be judged');
  return ok({ ...base, type: 'string', ...limits.value, ...(pattern === undefined ? {} : { pattern }), ...(format === undefined ? {} : { format: format as 'email' }) });
};

const listField = (base: Base, schema: Schema): Judged<QuestionField> => {
  const { items } = schema;
  if (!isObject(items)) return err('its items are no choices');
  const unknown = Object.keys(items).find((name) => !['type', 'enum', 'enumNames', 'anyOf', 'oneOf'].includes(name));
  if (unknown !== undefined || (items['type'] !== undefined && items['type'] !== 'string')) return err('its items are no choices');
  const choices = choicesOf(items, items['anyOf'] ?? items['oneOf']);
  if (!choices.ok) return choices;
  if (choices.value === null) return err('its items are no choices');
  const limits = numbers(schema, ['minItems', 'maxItems']);
  return limits.ok ? ok({ ...base, type: 'choices', choices: [...choices.value], ...limits.value }) : limits;
};

type Base = Pick<QuestionField, 'name' | 'title' | 'description' | 'required' | 'secretLike'>;

const fieldOf = (name: string, schema: unknown, required: boolean): Judged<QuestionField> => {
  if (!isObject(schema)) return err('is no schema');
  const { type } = schema;
  const allowed = typeof type === 'string' && Object.hasOwn(MEMBERS, type) ? MEMBERS[type] : undefined;
  if (allowed === undefined) return err(`its type ${JSON.stringify(type) ?? 'is missing and'} is not one of a form`);
  const unknown = Object.keys(schema).find((member) => !allowed.includes(member) && !COMMON.includes(member));
  if (unknown !== undefined) return err(`${JSON.stringify(unknown.slice(0, 60))} is not part of a form`);
  const title = bounded(schema['title'], FORM_LIMITS.titleChars);
  const description = bounded(schema['description'], FORM_LIMITS.descriptionChars);
  const base: Base = { name, ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }), required, secretLike: asksForSecret(type, [name, title, description]) };
  let made: Judged<QuestionField>;
  if (type === 'string') made = textField(base, schema);
  else if (type === 'array') made = listField(base, schema);
  else if (type === 'boolean') made = ok({ ...base, type });
  else {
    const limits = numbers(schema, ['minimum', 'maximum']);
    made = limits.ok ? ok({ ...base, type: type as 'number', ...limits.value }) : limits;
  }
  if (!made.ok || schema['default'] === undefined) return made;
  const { default: given } = schema;
  const fits = judgeContent({ fields: [made.value] }, { [name]: given });
  return fits.ok && given !== null ? ok({ ...made.value, default: given } as QuestionField) : err('its default does not fit it');
};

const patternSize = (field: QuestionField): number => {
  const made = field.type === 'string' && field.pattern !== undefined ? formPattern(field.pattern) : null;
  return made?.ok ? made.pattern.size : 0;
};

/**
 * The fields of a form by its `requestedSchema`: one flat object of texts, numbers, yes or no, and choices (elicitation, 2025-11-25 and 2026-07-28). Anything else is not
 * half shown: it is refused with the place and the reason.
 */
export const formFields = (schema: unknown): Result<readonly QuestionField[], Refusal> => {
  const refuse = (why: string): Result<never, Refusal> => err(refusal('bad_schema', `The form that it asks for cannot be shown: ${why}.`));
  if (!isObject(schema)) return refuse('requestedSchema is no object');
  if (JSON.stringify(schema).length > FORM_LIMITS.schemaBytes) return refuse('it is too large');
  if (schema['type'] !== 'object' || !isObject(schema['properties'])) return refuse('it is no object with properties');
  const unknown = Object.keys(schema).find((member) => !ROOT_MEMBERS.has(member));
  if (unknown !== undefined) return refuse(`${JSON.stringify(unknown.slice(0, 60))} is not part of a form`);
  const { properties, required = [] } = schema;
  const names = Object.keys(properties);
  if (names.length > FORM_LIMITS.fields) return refuse(`it has more than ${FORM_LIMITS.fields} fields`);
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string' && Object.hasOwn(properties, name))) return refuse('it requires what it has no field for');
  const fields: QuestionField[] = [];
  let patterns = 0;
  for (const name of names) {
    if (name === '__proto__' || name === '' || name.length > FORM_LIMITS.nameChars || !name.isWellFormed()) return refuse('a field has a name that cannot be used');
    const field = fieldOf(name, properties[name], required.includes(name));
    if (!field.ok) return refuse(`the field ${JSON.stringify(name)}: ${field.error}`);
    fields.push(field.value);
    patterns += patternSize(field.value);
    if (patterns > FORM_LIMITS.patternSize) return refuse('its patterns expand too far');
  }
  return ok(fields);
};
