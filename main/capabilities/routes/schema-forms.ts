import { jsonEqual } from '../json-equal.ts';
import { isObject, type SchemaObject } from '../schema-graph.ts';

/** A schema without alternatives: keywords side by side. */
export type Form = SchemaObject;

/** More alternatives than this are told in words. */
const MAX_FORMS = 24;
export class TooManyForms extends Error {}

export const typesOf = (schema: SchemaObject): readonly string[] | null => {
  const type = schema['type'];
  return typeof type === 'string' ? [type] : Array.isArray(type) ? (type as string[]) : null;
};

const intersectTypes = (a: readonly string[], b: readonly string[]): string[] => {
  const fits = (type: string, others: readonly string[]): boolean => others.includes(type) || (type === 'integer' && others.includes('number'));
  return [...new Set([...a.filter((type) => fits(type, b)), ...b.filter((type) => fits(type, a))])];
};

const LARGER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains']);
const SMALLER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains']);
const FIRST = new Set(['title', 'description', 'default', 'examples', 'format', '$schema', '$id', '$comment', 'deprecated', 'readOnly', 'writeOnly', 'example']);
const BOTH = new Set(['items', 'additionalProperties', 'propertyNames', 'contains', 'unevaluatedProperties', 'unevaluatedItems']);

/** Both at once; null when nothing can satisfy both. `extra` gathers what has no place beside its like. */
const merge = (a: Form, b: Form): Form | null => {
  const out: Form = { ...a };
  for (const [keyword, value] of Object.entries(b)) {
    const mine = out[keyword];
    if (!Object.hasOwn(out, keyword) || jsonEqual(mine, value)) {
      out[keyword] = value;
      continue;
    }
    if (keyword === 'type') {
      const types = intersectTypes(typesOf(out)!, typesOf(b)!);
      if (types.length === 0) return null;
      out['type'] = types.length === 1 ? types[0]! : types;
    } else if (keyword === 'properties' && isObject(mine) && isObject(value)) {
      out['properties'] = Object.fromEntries([...Object.entries(mine).map(([name, schema]): [string, unknown] => [name, Object.hasOwn(value, name) && !jsonEqual(schema, value[name]) ? { allOf: [schema, value[name]] } : schema]), ...Object.entries(value).filter(([name]) => !Object.hasOwn(mine, name))]);
    } else if (keyword === 'required' && Array.isArray(mine) && Array.isArray(value)) out['required'] = [...new Set([...(mine as string[]), ...(value as string[])])];
    else if (keyword === 'enum' && Array.isArray(mine) && Array.isArray(value)) {
      const both = mine.filter((one) => value.some((other) => jsonEqual(one, other)));
      if (both.length === 0) return null;
      out['enum'] = both;
    } else if (keyword === 'const') return null;
    else if (LARGER.has(keyword)) out[keyword] = Math.max(mine as number, value as number);
    else if (SMALLER.has(keyword)) out[keyword] = Math.min(mine as number, value as number);
    else if (BOTH.has(keyword)) out[keyword] = { allOf: [mine, value] };
    else if (keyword === 'uniqueItems') out[keyword] = true;
    else if (!FIRST.has(keyword)) out['not'] = out['not'] === undefined ? { not: { [keyword]: value } } : { anyOf: [out['not'], { not: { [keyword]: value } }] };
  }
  return out;
};

const product = (left: readonly Form[], right: readonly Form[]): Form[] => {
  if (left.length * right.length > MAX_FORMS * 4) throw new TooManyForms();
  const out: Form[] = [];
  for (const a of left) for (const b of right) {
    const both = merge(a, b);
    if (both) out.push(both);
  }
  return out;
};

/**
 * The alternatives of a schema without references: allOf, anyOf and oneOf resolved into forms of which a value satisfies at least one. `onMerge` hears of
 * each keyword that was resolved. Throws TooManyForms.
 */
export const formsOf = (schema: unknown, onMerge: (keyword: 'allOf' | 'anyOf' | 'oneOf') => void): Form[] => {
  if (schema === false) return [];
  if (!isObject(schema)) return [{}];
  const { allOf, anyOf, oneOf, ...base } = schema;
  let forms: Form[] = [base];
  if (Array.isArray(allOf)) {
    onMerge('allOf');
    for (const member of allOf) forms = product(forms, formsOf(member, onMerge));
  }
  for (const [keyword, members] of [['anyOf', anyOf], ['oneOf', oneOf]] as const) {
    if (!Array.isArray(members)) continue;
    onMerge(keyword);
    forms = product(forms, members.flatMap((member) => formsOf(member, onMerge)));
  }
  if (forms.length > MAX_FORMS) throw new TooManyForms();
  return forms;
};

/** Whether two of the forms could hold for one value; what is plainly apart needs no word about "exactly one". */
export const plainlyApart = (forms: readonly Form[]): boolean =>
  forms.every((a, i) =>
    forms.slice(i + 1).every((b) => {
      const [ta, tb] = [typesOf(a), typesOf(b)];
      if (ta && tb && intersectTypes(ta, tb).length === 0) return true;
      const lists = [a, b].map((form) => (Object.hasOwn(form, 'const') ? [form['const']] : form['enum']));
      if (Array.isArray(lists[0]) && Array.isArray(lists[1])) return !(lists[0] as unknown[]).some((one) => (lists[1] as unknown[]).some((other) => jsonEqual(one, other)));
      const [pa, pb] = [a['properties'], b['properties']];
      if (!isObject(pa) || !isObject(pb)) return false;
      return Object.keys(pa).some((name) => {
        const [x, y] = [pa[name], pb[name]];
        return isObject(x) && isObject(y) && (Object.hasOwn(x, 'const') || Object.hasOwn(x, 'enum')) && (Object.hasOwn(y, 'const') || Object.hasOwn(y, 'enum')) && Array.isArray(a['required']) && (a['required'] as unknown[]).includes(name) && plainlyApart([x, y]);
      });
    }),
  );
