import type { Dialect } from './dialect.ts';

type Rule = (value: unknown, dialect: Dialect) => string | null;

const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const allStrings = (value: unknown): boolean => Array.isArray(value) && value.every((member) => typeof member === 'string');
const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value);

const rule = (fits: (value: unknown) => boolean, wanted: string): Rule => (value) => (fits(value) ? null : wanted);
const size = rule((v) => Number.isInteger(v) && (v as number) >= 0, 'must be a whole number from 0');
const number = rule((v) => typeof v === 'number' && Number.isFinite(v), 'must be a number');
const text = rule((v) => typeof v === 'string', 'must be text');
const flag = rule((v) => typeof v === 'boolean', 'must be true or false');
const schema = rule(isSchema, 'must be a schema');
const schemas = rule((v) => Array.isArray(v) && v.length > 0 && v.every(isSchema), 'must be a list of schemas');
const map = rule(isObject, 'must be an object');
const strings = rule(allStrings, 'must be a list of text');
const limit: Rule = (value, dialect) => (dialect === 'draft-04' ? flag : number)(value, dialect);
const items: Rule = (value, dialect) =>
  isSchema(value) || (dialect !== '2020-12' && Array.isArray(value) && value.every(isSchema)) ? null : `must be a schema${dialect === '2020-12' ? '' : ' or a list of schemas'}`;

/** What each evaluated keyword has to be (the dialects' meta-schemas, without their annotations). */
const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['type', rule((v) => (Array.isArray(v) ? v.length > 0 && v.every((t) => TYPES.has(t as string)) : TYPES.has(v as string)), 'must name types of JSON')],
  ['enum', rule((v) => Array.isArray(v), 'must be a list')],
  ['multipleOf', rule((v) => typeof v === 'number' && v > 0, 'must be a number above 0')],
  ['maximum', number], ['minimum', number], ['exclusiveMaximum', limit], ['exclusiveMinimum', limit],
  ['maxLength', size], ['minLength', size], ['maxItems', size], ['minItems', size], ['maxProperties', size], ['minProperties', size], ['maxContains', size], ['minContains', size],
  ['pattern', text], ['format', text], ['$ref', text], ['$dynamicRef', text], ['$recursiveRef', text], ['$id', text], ['$anchor', text], ['$dynamicAnchor', text],
  ['uniqueItems', flag],
  ['required', strings],
  ['properties', map], ['patternProperties', map], ['dependentSchemas', map], ['dependencies', map],
  ['dependentRequired', rule((v) => isObject(v) && Object.values(v).every(allStrings), 'must be lists of text by name')],
  ['items', items], ['prefixItems', schemas], ['allOf', schemas], ['anyOf', schemas], ['oneOf', schemas],
  ['additionalProperties', schema], ['additionalItems', schema], ['contains', schema], ['propertyNames', schema], ['not', schema], ['if', schema], ['then', schema], ['else', schema],
  ['unevaluatedItems', schema], ['unevaluatedProperties', schema],
]);

/** Keywords that a dialect does not know are annotations there, whatever they hold. */
const SINCE: ReadonlyMap<string, readonly Dialect[]> = new Map<string, readonly Dialect[]>([
  ['prefixItems', ['2020-12']],
  ['$dynamicRef', ['2020-12']],
  ['$dynamicAnchor', ['2020-12']],
  ['$recursiveRef', ['2019-09']],
]);

/** What is wrong with a keyword's own value, or null. */
export const keywordDefect = (keyword: string, value: unknown, dialect: Dialect): string | null => {
  if (SINCE.get(keyword)?.includes(dialect) === false) return null;
  return RULES.get(keyword)?.(value, dialect) ?? null;
};
