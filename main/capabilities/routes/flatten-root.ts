import { jsonEqual } from '../json-equal.ts';
import { isObject, type SchemaObject } from '../schema-graph.ts';
import type { RenderingContext } from './rendering-context.ts';
import { formsOf, plainlyApart, typesOf, type Form } from './schema-forms.ts';
import { sayAlso } from './told-words.ts';

const namesOf = (form: Form): string[] => (isObject(form['properties']) ? Object.keys(form['properties']) : []);
const requiredOf = (form: Form): string[] => (Array.isArray(form['required']) ? (form['required'] as string[]) : []);

const formWords = (form: Form): string => {
  const properties = isObject(form['properties']) ? form['properties'] : {};
  const required = requiredOf(form);
  const word = (name: string): string => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isObject(member) && Object.hasOwn(member, 'const') ? `${name} = ${JSON.stringify(member['const'])}` : name;
  };
  if (required.length > 0) return `with ${required.map(word).join(' and ')}`;
  const names = namesOf(form);
  return names.length === 0 ? 'without any of them' : `any of ${names.join(', ')}`;
};

const isFixed = (schema: unknown): boolean => isObject(schema) && (Object.hasOwn(schema, 'const') || Object.hasOwn(schema, 'enum'));

/**
 * Alternatives at the root as one object that holds the members of all of them, which choice there is said in words: the arguments keep the server's own
 * shape, and the original judges the choice. A wrapper around them would be nearer to the letter and would have every argument unwrapped again.
 */
export const flattenRoot = (root: SchemaObject, context: RenderingContext): SchemaObject => {
  if (!['allOf', 'anyOf', 'oneOf'].some((keyword) => Array.isArray(root[keyword]))) return root;
  const kinds = new Set<string>();
  const forms = formsOf(root, (keyword) => kinds.add(keyword)).filter((form) => typesOf(form)?.includes('object') ?? true);
  if (forms.length === 0) return { type: 'object', properties: {} };
  if (kinds.has('allOf')) context.step('/allOf', 'same', 'all_of_merged', 'root');
  if (forms.length === 1) context.step('', 'same', 'alternatives_merged', 'root', '1');
  if (forms.length === 1) return { ...forms[0], type: 'object' };
  context.step('', 'told', 'root_alternatives', 'root', String(forms.length));

  const members = new Map<string, unknown[]>();
  for (const form of forms) {
    for (const [name, schema] of Object.entries(isObject(form['properties']) ? form['properties'] : {})) {
      const known = members.get(name) ?? [];
      if (!known.some((one) => jsonEqual(one, schema))) known.push(schema);
      members.set(name, known);
    }
  }
  const properties = Object.fromEntries([...members].map(([name, schemas]) => [name, schemas.length === 1 ? schemas[0] : schemas.every(isFixed) ? literals(schemas as SchemaObject[]) : { anyOf: schemas }]));
  const required = requiredOf(forms[0]!).filter((name) => forms.every((form) => requiredOf(form).includes(name)));
  // what all forms say beside their members holds for the whole; `additionalProperties` speaks of the members of its own form
  const shared = Object.fromEntries(Object.entries(forms[0]!).filter(([keyword, value]) => !['type', 'properties', 'required', 'additionalProperties', 'unevaluatedProperties'].includes(keyword) && forms.every((form) => Object.hasOwn(form, keyword) && jsonEqual(form[keyword], value))));
  const closed = forms.every((form) => form['additionalProperties'] === false);
  const exactly = kinds.has('oneOf') && !plainlyApart(forms);
  if (exactly) context.step('/oneOf', 'told', 'exactly_one_told', 'root');
  const words = `${exactly ? 'Exactly one' : kinds.has('oneOf') ? 'One' : 'At least one'} of these forms: ${[...new Set(forms.map(formWords))].map((one, i) => `(${i + 1}) ${one}`).join('; ')}.`;
  return { ...shared, type: 'object', properties, ...(required.length > 0 ? { required } : {}), ...(closed ? { additionalProperties: false } : {}), description: sayAlso(shared['description'], [words]) };
};

const literals = (schemas: readonly SchemaObject[]): SchemaObject => {
  const values: unknown[] = [];
  for (const schema of schemas) for (const value of Object.hasOwn(schema, 'const') ? [schema['const']] : (schema['enum'] as unknown[])) if (!values.some((one) => jsonEqual(one, value))) values.push(value);
  const { const: _const, enum: _enum, ...rest } = schemas[0]!;
  return { ...rest, enum: values };
};
