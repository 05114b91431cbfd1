import { jsonEqual } from '../json-equal.ts';
import { pointerToken } from '../json-walk.ts';
import { isObject, type SchemaObject } from '../schema-graph.ts';
import { freeValue } from './free-value.ts';
import type { RenderingContext } from './rendering-context.ts';
import { formsOf, plainlyApart, TooManyForms, typesOf, type Form } from './schema-forms.ts';
import { shownMembers } from './shown-members.ts';
import { shownPattern } from './shown-pattern.ts';
import { constraintWords, sayAlso } from './told-words.ts';
import { mergeUndo, undoOf, type Undo, type UndoMember } from './undo.ts';

/** A part that strict functions cannot say; the tool is then shown without them. */
export class NotStrict extends Error {
  readonly place: string;
  constructor(place: string) {
    super(place);
    this.place = place;
  }
}

export interface Rebuilt {
  readonly schema: SchemaObject;
  readonly undo: Undo | null;
  readonly acceptsNull: boolean;
}

const OF_TYPE: Readonly<Record<string, string>> = {
  properties: 'object', required: 'object', additionalProperties: 'object', patternProperties: 'object', propertyNames: 'object', minProperties: 'object', maxProperties: 'object', dependentRequired: 'object', dependentSchemas: 'object', unevaluatedProperties: 'object',
  items: 'array', prefixItems: 'array', minItems: 'array', maxItems: 'array', uniqueItems: 'array', contains: 'array', minContains: 'array', maxContains: 'array', unevaluatedItems: 'array',
  pattern: 'string', minLength: 'string', maxLength: 'string', minimum: 'number', maximum: 'number', exclusiveMinimum: 'number', exclusiveMaximum: 'number', multipleOf: 'number',
};
const typeOfValue = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const belongs = (keyword: string, type: string): boolean => !Object.hasOwn(OF_TYPE, keyword) || OF_TYPE[keyword] === type || (OF_TYPE[keyword] === 'number' && type === 'integer');
const literalsOf = (form: Form): readonly unknown[] | null => (Object.hasOwn(form, 'const') ? [form['const']] : Array.isArray(form['enum']) ? (form['enum'] as unknown[]) : null);

/** One form of each type; what has no type gets the one that its other keywords speak of, or none. */
const byType = (form: Form, at: string, context: RenderingContext): (Form & { readonly type?: string })[] => {
  let types = typesOf(form);
  const literals = literalsOf(form);
  if (!types && literals) types = [...new Set(literals.map(typeOfValue))];
  if (!types) {
    const spoken = [...new Set(Object.keys(form).flatMap((keyword) => (Object.hasOwn(OF_TYPE, keyword) ? [OF_TYPE[keyword]!] : [])))];
    if (spoken.length !== 1) return [form];
    types = spoken;
    context.step(at, 'same', 'type_added', 'types', spoken[0]);
  }
  return types.map((type) => {
    const mine: Form = {};
    for (const [keyword, value] of Object.entries(form)) {
      if (keyword === 'enum' || keyword === 'const') continue;
      if (belongs(keyword, type)) mine[keyword] = value;
      else if (types.length === 1) context.step(`${at}/${pointerToken(keyword)}`, 'mended', 'foreign_keyword', 'types', type);
    }
    const fitting = literals?.filter((value) => typeOfValue(value) === type || (type === 'integer' && Number.isInteger(value)));
    return { ...mine, ...(fitting ? { enum: fitting } : {}), type };
  }).filter((one) => !Array.isArray(one['enum']) || (one['enum'] as unknown[]).length > 0);
};

/** What the form says that the route does not read, in words. */
const tellRest = (form: Form, taken: ReadonlySet<string>, at: string, context: RenderingContext, words: string[]): void => {
  for (const [keyword, value] of Object.entries(form)) {
    if (taken.has(keyword)) continue;
    const said = constraintWords(keyword, value);
    if (said === null) continue;
    words.push(said);
    context.step(`${at}/${pointerToken(keyword)}`, 'told', 'constraint_told', 'keywords', keyword);
  }
};

const rebuildText = (form: Form, at: string, context: RenderingContext, words: string[]): { readonly schema: SchemaObject; readonly taken: Set<string> } => {
  const { keywords, formats } = context.profile.schema;
  const schema: SchemaObject = {};
  const taken = new Set<string>();
  if (typeof form['format'] === 'string' && formats.has(form['format'])) {
    schema['format'] = form['format'];
    taken.add('format');
  }
  if (typeof form['pattern'] === 'string' && keywords !== 'all' && keywords.has('pattern')) {
    const shown = shownPattern(form['pattern']);
    if (shown.ok) {
      schema['pattern'] = shown.pattern;
      taken.add('pattern');
      if (shown.changed) context.step(`${at}/pattern`, 'same', shown.ranges ? 'pattern_ranges' : 'pattern_rewritten', 'patterns');
    }
  }
  if (typeof form['pattern'] === 'string' && !taken.has('pattern')) {
    words.push(constraintWords('pattern', form['pattern'])!);
    context.step(`${at}/pattern`, 'told', 'pattern_told', 'patterns');
    taken.add('pattern');
  }
  return { schema, taken };
};

const rebuildObject = (form: Form, at: string, context: RenderingContext, words: string[], isRoot: boolean): { readonly schema: SchemaObject; readonly undo: Undo | null; readonly taken: Set<string> } => {
  const { closed } = context.profile.schema;
  const properties = isObject(form['properties']) ? form['properties'] : {};
  const required = Array.isArray(form['required']) ? (form['required'] as string[]) : [];
  const taken = new Set(['properties', 'required']);
  if (closed && (form['additionalProperties'] !== false) && !(isRoot && form['additionalProperties'] === undefined) && (Object.keys(properties).length === 0 || isObject(form['additionalProperties']) || form['additionalProperties'] === true)) throw new NotStrict(at);
  if (closed && form['patternProperties'] !== undefined) throw new NotStrict(`${at}/patternProperties`);
  const shown: [string, unknown][] = [];
  const members = new Map<string, UndoMember>();
  for (const { shownName, name } of shownMembers(Object.keys(properties), isRoot, at, context)) {
    const inner = rebuild(properties[name], `${at}/properties/${pointerToken(name)}`, context);
    const optional = closed && !required.includes(name);
    shown.push([shownName, optional && !inner.acceptsNull ? alsoNull(inner.schema) : inner.schema]);
    if (optional) context.step(`${at}/properties/${pointerToken(name)}`, 'same', 'optional_as_nullable', 'strict');
    members.set(shownName, { name, nullIsAbsent: !optional ? false : inner.acceptsNull ? 'at_last' : 'always', undo: inner.undo });
  }
  const shownName = new Map([...members].map(([key, member]) => [member.name, key]));
  const unknown = required.filter((name) => !shownName.has(name));
  for (const name of unknown) {
    context.step(`${at}/required`, 'mended', 'unknown_required', 'required', name);
    words.push(`The server also requires ${JSON.stringify(name)}, which it does not describe.`);
  }
  const needed = closed ? shown.map(([name]) => name) : required.flatMap((name) => shownName.get(name) ?? []);
  if (form['additionalProperties'] === false && !closed) {
    taken.add('additionalProperties');
    context.step(`${at}/additionalProperties`, 'told', 'closed_told', 'keywords');
    if (shown.length > 0) words.push('No other members.');
  }
  if (closed || form['additionalProperties'] === true) taken.add('additionalProperties');
  return {
    schema: { ...(shown.length > 0 || isRoot || closed ? { properties: Object.fromEntries(shown) } : {}), ...(needed.length > 0 ? { required: needed } : {}), ...(closed ? { additionalProperties: false } : {}) },
    undo: undoOf({ members }),
    taken,
  };
};

const rebuildArray = (form: Form, at: string, context: RenderingContext): { readonly schema: SchemaObject; readonly undo: Undo | null; readonly taken: Set<string> } => {
  const positions = Array.isArray(form['prefixItems']) ? (form['prefixItems'] as unknown[]) : [];
  const rest = form['items'];
  const items = positions.length === 0 ? rest : { anyOf: [...positions, ...(isObject(rest) ? [rest] : [])] };
  if (items === undefined) context.step(at, 'same', 'items_added', 'items');
  const inner = rebuild(items ?? {}, `${at}/items`, context);
  return { schema: { items: inner.schema }, undo: undoOf({ items: inner.undo }), taken: new Set(['items']) };
};

/** A list of values as a route says it: some know only lists of texts, and none of them an empty text. */
const rebuildList = (type: string, values: readonly unknown[], at: string, context: RenderingContext, words: string[]): { readonly schema: SchemaObject; readonly texts?: Map<string, unknown> } => {
  if (context.profile.schema.listsOf === 'values' && type !== 'object' && type !== 'array') return { schema: { type, enum: values } };
  if (type === 'boolean' && values.length === 2) {
    context.step(`${at}/enum`, 'same', 'list_of_both', 'lists');
    return { schema: { type } };
  }
  const plain = type === 'string' || type === 'integer' || type === 'number';
  if (!plain || values.includes('')) {
    context.step(`${at}/enum`, 'told', 'list_told', 'lists');
    words.push(constraintWords('enum', values)!);
    return { schema: { type } };
  }
  if (type === 'string') return { schema: { type, enum: values } };
  context.step(`${at}/enum`, 'same', 'list_as_text', 'lists');
  return { schema: { type: 'string', enum: values.map((value) => JSON.stringify(value)) }, texts: new Map(values.map((value) => [JSON.stringify(value), value])) };
};

const rebuildForm = (form: Form & { readonly type?: string }, at: string, context: RenderingContext, isRoot: boolean): { readonly schema: SchemaObject; readonly undo: Undo | null } => {
  context.spend();
  const { keywords } = context.profile.schema;
  const words: string[] = [];
  const { type } = form;
  if (type === undefined) {
    if (context.profile.schema.closed) throw new NotStrict(at);
    tellRest(form, new Set(['description']), at, context, words);
    context.step(at, 'told', 'any_value', 'types');
    return { schema: freeValue(context, sayAlso(form['description'], ['Any JSON value.', ...words])), undo: null };
  }
  const taken = new Set(['type', 'description', 'enum']);
  let schema: SchemaObject = { type };
  let undo: Undo | null = null;
  const literals = Array.isArray(form['enum']) ? (form['enum'] as unknown[]) : null;
  if (literals) {
    const list = rebuildList(type, literals, at, context, words);
    schema = list.schema;
    undo = undoOf(list.texts ? { texts: list.texts } : {});
  }
  const parts = type === 'object' ? rebuildObject(form, at, context, words, isRoot) : type === 'array' ? rebuildArray(form, at, context) : type === 'string' ? { ...rebuildText(form, at, context, words), undo: null } : null;
  if (parts) {
    schema = { ...schema, ...parts.schema };
    undo = undo ?? parts.undo;
  }
  for (const keyword of parts?.taken ?? []) taken.add(keyword);
  // a list in place of the type says it all
  if (schema['type'] === type && !schema['enum']) {
    for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems']) {
      if (keywords === 'all' || !keywords.has(keyword) || !Object.hasOwn(form, keyword)) continue;
      schema[keyword] = form[keyword];
      taken.add(keyword);
    }
    if ((type === 'integer' || type === 'number') && typeof form['format'] === 'string' && context.profile.schema.formats.has(form['format'])) {
      schema['format'] = form['format'];
      taken.add('format');
    }
  }
  tellRest(form, taken, at, context, words);
  const description = sayAlso(form['description'], words);
  return { schema: description === '' ? schema : { ...schema, description }, undo };
};

const alsoNull = (schema: SchemaObject): SchemaObject => {
  if (Array.isArray(schema['anyOf'])) return { ...schema, anyOf: [...(schema['anyOf'] as unknown[]), { type: 'null' }] };
  if (Array.isArray(schema['enum'])) return { ...schema, type: [schema['type'], 'null'], enum: [...(schema['enum'] as unknown[]), null] };
  return { ...schema, type: [schema['type'], 'null'] };
};

const withNull = (schema: SchemaObject, at: string, context: RenderingContext): SchemaObject => {
  const { nullAs } = context.profile.schema;
  if (nullAs === 'type_list') return alsoNull(schema);
  context.step(at, 'same', 'nullable', 'null');
  if (nullAs === 'alternative') {
    const { description, ...rest } = schema;
    const branches = Array.isArray(rest['anyOf']) ? [...(rest['anyOf'] as SchemaObject[])] : [schema];
    return { anyOf: [...branches, { type: 'null' }], ...(Array.isArray(rest['anyOf']) && description !== undefined ? { description } : {}) };
  }
  if (!Array.isArray(schema['anyOf'])) return { ...schema, nullable: true };
  const [first, ...others] = schema['anyOf'] as SchemaObject[];
  return { ...schema, anyOf: [{ ...first, nullable: true }, ...others] };
};

/** Several shapes of one type that are lists of texts are one list. */
const asOneList = (shapes: readonly SchemaObject[]): SchemaObject | null => {
  if (shapes.length < 2 || !shapes.every((shape) => shape['type'] === shapes[0]!['type'] && Array.isArray(shape['enum']))) return null;
  const values = [...new Set(shapes.flatMap((shape) => shape['enum'] as unknown[]))];
  const description = [...new Set(shapes.flatMap((shape) => (typeof shape['description'] === 'string' ? [shape['description']] : [])))].join(' ');
  return { type: shapes[0]!['type'], enum: values, ...(description === '' ? {} : { description }) };
};

/** A schema without references, made anew from what the route reads. Throws RenderingTooLarge, NotStrict. */
export const rebuild = (original: unknown, at: string, context: RenderingContext, isRoot = false): Rebuilt => {
  const merged = new Set<string>();
  let forms: Form[];
  const outer = isObject(original) ? original : {};
  const toldWhole: string[] = [];
  try {
    forms = formsOf(original, (keyword) => merged.add(keyword));
  } catch (error) {
    if (!(error instanceof TooManyForms)) throw error;
    const { allOf, anyOf, oneOf, ...base } = outer;
    for (const [keyword, value] of Object.entries({ allOf, anyOf, oneOf })) if (value !== undefined) toldWhole.push(constraintWords(keyword, value)!);
    context.step(at, 'told', 'alternatives_told', 'alternatives');
    forms = [base];
  }
  if (original === true || original === false) context.step(at, 'same', 'boolean_schema', 'types');
  if (original === false) return { schema: { ...freeValue(context, 'Not to be given.') }, undo: null, acceptsNull: false };
  const typed = forms.flatMap((form) => byType(form, at, context));
  const acceptsNull = typed.some((form) => form.type === 'null' || form.type === undefined);
  const shapes = typed.filter((form) => form.type !== 'null').map((form) => rebuildForm(form, at, context, isRoot));
  if (merged.has('allOf')) context.step(`${at}/allOf`, 'same', 'all_of_merged', 'alternatives');
  if (merged.has('oneOf') && !plainlyApart(typed)) {
    context.step(`${at}/oneOf`, 'told', 'exactly_one_told', 'alternatives');
    toldWhole.push('Exactly one of the forms.');
  }
  const { schema, undo } = joined(shapes, at, context, toldWhole);
  if (!acceptsNull || typed.every((form) => form.type === undefined)) return { schema, undo, acceptsNull };
  return { schema: withNull(schema, at, context), undo, acceptsNull };
};

const toldNumbers = (schema: SchemaObject, values: readonly unknown[], at: string, context: RenderingContext): { readonly schema: SchemaObject; readonly undo: null } => {
  context.step(`${at}/enum`, 'told', 'list_told', 'lists');
  return { schema: { type: values.every(Number.isInteger) ? 'integer' : 'number', description: sayAlso(schema['description'], [constraintWords('enum', values)!]) }, undo: null };
};

const joined = (shapes: readonly { readonly schema: SchemaObject; readonly undo: Undo | null }[], at: string, context: RenderingContext, words: readonly string[]): { readonly schema: SchemaObject; readonly undo: Undo | null } => {
  const say = (schema: SchemaObject): SchemaObject => (words.length === 0 ? schema : { ...schema, description: sayAlso(schema['description'], words) });
  if (shapes.length === 0) return { schema: say({ type: 'string', description: 'Must be null.' }), undo: null };
  // a text that stands for a number could also be meant as a text where texts are free: there the numbers are told
  const freeText = shapes.some((shape) => shape.schema['type'] === 'string' && !shape.schema['enum']);
  const plain = freeText ? shapes.map((shape) => (shape.undo?.texts ? toldNumbers(shape.schema, [...shape.undo.texts.values()], at, context) : shape)) : shapes;
  const distinct = plain.filter((shape, i) => plain.findIndex((other) => jsonEqual(other.schema, shape.schema)) === i);
  if (distinct.length === 1) return { schema: say(distinct[0]!.schema), undo: distinct[0]!.undo };
  const undo = mergeUndo(distinct);
  const oneList = asOneList(distinct.map((shape) => shape.schema));
  if (oneList) {
    context.step(at, 'same', 'literals_as_list', 'lists');
    return { schema: say(oneList), undo };
  }
  context.step(at, 'same', 'alternatives_merged', 'alternatives', String(distinct.length));
  if (!context.profile.schema.alternatives) {
    context.step(at, 'told', 'alternatives_told', 'alternatives');
    return { schema: { ...distinct[0]!.schema, description: sayAlso(distinct[0]!.schema['description'], [...words, `Also allowed: ${distinct.slice(1).map((shape) => JSON.stringify(shape.schema)).join(' or ')}.`]) }, undo };
  }
  // the alternatives stand alone: what is said goes into the first of them
  const [first, ...others] = distinct.map((shape) => shape.schema);
  return { schema: { anyOf: [say(first!), ...others] }, undo };
};
