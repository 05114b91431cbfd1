import { fault, type Fault } from '../../../shared/fault.ts';
import type { QuestionField } from '../../../shared/question.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { linearPattern, type LinearPatternResult } from '../../capabilities/linear-pattern.ts';
import { fitsFormat } from '../../../shared/form-formats.ts';

type Content = Readonly<Record<string, unknown>>;

const LONGEST_VALUE = 100_000;
const pointerOf = (name: string): string => `/content/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Defaults of fields that were left out (SEP-1034). A field that was emptied by its person is absent and has none: then it is given as null. */
export const withDefaults = (fields: readonly QuestionField[], given: Content): Content => {
  const defaults = fields.filter((field) => field.default !== undefined && !Object.hasOwn(given, field.name)).map((field) => [field.name, field.default] as const);
  const kept = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries([...defaults, ...kept]);
};

/** Time of judging is in proportion to the text and to the pattern's program: together they stay below what a window would notice. */
const LONGEST_PATTERNED = 2_000;
const COMPILED = 100;
const compiled = new Map<string, LinearPatternResult>();

/** By an engine whose time is linear in the text. Compiled once for a form and its answer. */
export const formPattern = (source: string): LinearPatternResult => {
  const made = compiled.get(source) ?? linearPattern(source);
  compiled.set(source, made);
  if (compiled.size > COMPILED) compiled.delete(compiled.keys().next().value!);
  return made;
};
const matches = (source: string, text: string): boolean => {
  const made = formPattern(source);
  return made.ok && made.pattern.test(text);
};

/** What is wrong with a value, in words; null when it fits. Lengths count Unicode code points, as JSON Schema does. */
const misfit = (field: QuestionField, value: unknown): string | null => {
  if (field.type === 'boolean') return typeof value === 'boolean' ? null : 'is not true or false';
  if (field.type === 'number' || field.type === 'integer') {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'is not a number';
    if (field.type === 'integer' && !Number.isInteger(value)) return 'is not a whole number';
    if (field.minimum !== undefined && value < field.minimum) return `is below ${field.minimum}`;
    return field.maximum !== undefined && value > field.maximum ? `is above ${field.maximum}` : null;
  }
  if (field.type === 'choices') {
    if (!Array.isArray(value) || new Set(value).size !== value.length) return 'is not a list of different choices';
    if (!value.every((one) => field.choices.some((choice) => choice.value === one))) return 'holds what is not offered';
    if (field.minItems !== undefined && value.length < field.minItems) return `needs at least ${field.minItems} choices`;
    return field.maxItems !== undefined && value.length > field.maxItems ? `takes at most ${field.maxItems} choices` : null;
  }
  if (typeof value !== 'string' || !value.isWellFormed() || value.length > LONGEST_VALUE) return 'is not a text';
  if (field.type === 'choice') return field.choices.some((choice) => choice.value === value) ? null : 'is not one of the choices';
  const length = [...value].length;
  if (field.minLength !== undefined && length < field.minLength) return `needs at least ${field.minLength} characters`;
  if (field.maxLength !== undefined && length > field.maxLength) return `takes at most ${field.maxLength} characters`;
  if (field.pattern !== undefined && value.length > LONGEST_PATTERNED) return `takes at most ${LONGEST_PATTERNED} characters, because it has to have a form`;
  if (field.pattern !== undefined && !matches(field.pattern, value)) return `does not have the form ${field.pattern.slice(0, 200)}`;
  return field.format === undefined || fitsFormat(field.format, value) ? null : `is not a value of the form ${field.format}`;
};

/** A person's answer to a form, with its defaults, judged by the form before it leaves. Error: invalid_input with the pointer of the first misfit. */
export const judgeContent = ({ fields }: { readonly fields: readonly QuestionField[] }, given: Content): Result<Content, Fault> => {
  const refuse = (name: string, what: string): Result<never, Fault> => err(fault('invalid_input', `${JSON.stringify(name.slice(0, 100))} ${what}.`, { field: pointerOf(name), remedy: 'Change this field, or decline the question.' }));
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) return refuse(unknown, 'is no field of this form');
  const content = withDefaults(fields, given);
  for (const field of fields) {
    if (!Object.hasOwn(content, field.name)) {
      if (field.required) return refuse(field.name, 'is required');
      continue;
    }
    const what = misfit(field, content[field.name]);
    if (what !== null) return refuse(field.name, what);
  }
  return ok(content);
};
