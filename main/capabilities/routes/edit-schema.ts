import { pointerToken } from '../json-walk.ts';
import { isObject, type SchemaGraph, type SchemaObject } from '../schema-graph.ts';
import { flattenRoot } from './flatten-root.ts';
import { inlineReferences } from './inline-references.ts';
import { UNROLL_DEPTH } from './route-profile.ts';
import type { RenderingContext } from './rendering-context.ts';
import { shownMembers } from './shown-members.ts';
import { shownPattern } from './shown-pattern.ts';
import { LISTS, MAPS, ONES } from './subschema-keywords.ts';
import { constraintWords, sayAlso } from './told-words.ts';
import { undoOf, type Undo, type UndoMember } from './undo.ts';

const ROOT_ALTERNATIVES = ['allOf', 'anyOf', 'oneOf'] as const;

const editPattern = (schema: SchemaObject, at: string, context: RenderingContext): SchemaObject => {
  const { pattern, ...rest } = schema;
  if (typeof pattern !== 'string') return schema;
  const shown = context.profile.schema.patterns ? shownPattern(pattern) : null;
  if (shown?.ok) {
    if (shown.changed) context.step(`${at}/pattern`, 'same', shown.ranges ? 'pattern_ranges' : 'pattern_rewritten', 'patterns');
    return shown.changed ? { ...schema, pattern: shown.pattern } : schema;
  }
  context.step(`${at}/pattern`, 'told', 'pattern_told', 'patterns', shown?.reason);
  return { ...rest, description: sayAlso(rest['description'], [constraintWords('pattern', pattern)!]) };
};

/** Patterns that name members: one that has no common form is told, with what depends on it. */
const editPatternProperties = (schema: SchemaObject, at: string, context: RenderingContext): SchemaObject => {
  const byPattern = schema['patternProperties'];
  if (!isObject(byPattern)) return schema;
  const shown = Object.entries(byPattern).map(([source, member]) => ({ source, member, shown: context.profile.schema.patterns ? shownPattern(source) : null }));
  if (shown.every((one) => one.shown?.ok)) return { ...schema, patternProperties: Object.fromEntries(shown.map((one) => [one.shown?.ok ? one.shown.pattern : one.source, one.member])) };
  const { patternProperties: _told, additionalProperties, ...rest } = schema;
  context.step(`${at}/patternProperties`, 'told', 'pattern_told', 'patterns');
  return { ...rest, ...(additionalProperties === true ? { additionalProperties } : {}), description: sayAlso(rest['description'], [constraintWords('patternProperties', byPattern)!]) };
};

/** One subschema and all below it, changed only where the route asks for it. */
const edit = (value: unknown, at: string, context: RenderingContext, insideNot = false): unknown => {
  if (value === true || value === false) {
    if (at.endsWith('/additionalProperties') || at.endsWith('/unevaluatedProperties') || at.endsWith('/items') || at.endsWith('/unevaluatedItems')) return value;
    context.step(at, 'same', 'boolean_schema', 'types');
    return value ? {} : { not: {} };
  }
  if (!isObject(value)) return value;
  context.spend();
  let schema: SchemaObject = value;
  if (insideNot) schema = { ...schema };
  else schema = editPatternProperties(editPattern(schema, at, context), at, context);
  const out: SchemaObject = {};
  for (const [keyword, member] of Object.entries(schema)) {
    const below = `${at}/${pointerToken(keyword)}`;
    const inNot = insideNot || keyword === 'not' || keyword === 'if';
    if (ONES.has(keyword)) out[keyword] = edit(member, below, context, inNot);
    else if (keyword === 'oneOf' && Array.isArray(member)) Object.assign(out, editOneOf(member, below, context, inNot, schema['anyOf'] !== undefined));
    else if (LISTS.has(keyword) && Array.isArray(member)) out[keyword] = member.map((one, i) => edit(one, `${below}/${i}`, context, inNot));
    else if (MAPS.has(keyword) && isObject(member)) out[keyword] = Object.fromEntries(Object.entries(member).map(([name, one]) => [name, edit(one, `${below}/${pointerToken(name)}`, context, inNot)]));
    else out[keyword] = member;
  }
  const isArray = out['type'] === 'array' || (Array.isArray(out['type']) && (out['type'] as unknown[]).includes('array'));
  if (context.profile.schema.itemsNeeded && isArray && !insideNot && !isObject(out['items'])) {
    if (out['items'] === undefined || out['items'] === true) {
      context.step(at, 'same', 'items_added', 'items');
      out['items'] = {};
    } else {
      // `items: false` beside positions: nothing more than these
      context.step(`${at}/items`, 'same', 'items_added', 'items');
      out['items'] = {};
      if (Array.isArray(out['prefixItems'])) out['maxItems'] = Math.min(typeof out['maxItems'] === 'number' ? out['maxItems'] : Infinity, (out['prefixItems'] as unknown[]).length);
      else out['maxItems'] = 0;
    }
  }
  return out;
};

/** Where a branch was loosened, a value may now fit two of them: "exactly one" is told, too. */
const editOneOf = (members: readonly unknown[], at: string, context: RenderingContext, insideNot: boolean, besideAnyOf: boolean): SchemaObject => {
  const told = context.toldCount;
  const edited = members.map((one, i) => edit(one, `${at}/${i}`, context, insideNot));
  if (context.toldCount === told) return { oneOf: edited };
  context.step(at, 'told', 'exactly_one_told', 'patterns');
  return besideAnyOf ? { allOf: [{ anyOf: edited }] } : { anyOf: edited };
};

/** A pattern inside `not` or `if` cannot be told: where one has no common form, the whole condition is. */
const tellHiddenPatterns = (schema: SchemaObject, context: RenderingContext): SchemaObject => {
  const hasOdd = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(hasOdd);
    if (!isObject(value)) return false;
    if (typeof value['pattern'] === 'string' && !(context.profile.schema.patterns && shownPattern(value['pattern']).ok)) return true;
    return Object.values(value).some(hasOdd);
  };
  const walk = (value: unknown, at: string): unknown => {
    if (Array.isArray(value)) return value.map((one, i) => walk(one, `${at}/${i}`));
    if (!isObject(value)) return value;
    let out: SchemaObject = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, ['enum', 'const', 'default', 'examples', 'required'].includes(key) ? one : walk(one, `${at}/${pointerToken(key)}`)]));
    const told = ['not', 'if'].filter((keyword) => isObject(out[keyword]) && hasOdd(out[keyword]));
    for (const keyword of told) {
      const parts = keyword === 'if' ? ['if', 'then', 'else'] : ['not'];
      const said = Object.fromEntries(parts.filter((part) => out[part] !== undefined).map((part) => [part, out[part]]));
      out = Object.fromEntries(Object.entries(out).filter(([key]) => !parts.includes(key)));
      context.step(`${at}/${keyword}`, 'told', 'pattern_told', 'patterns');
      out['description'] = sayAlso(out['description'], [`Must also satisfy the JSON Schema ${JSON.stringify(said).slice(0, 600)}.`]);
    }
    return out;
  };
  return walk(schema, '') as SchemaObject;
};

const editRoot = (schema: SchemaObject, context: RenderingContext): { readonly schema: SchemaObject; readonly undo: Undo | null } => {
  const { notAtRoot, propertiesAtRoot } = context.profile.schema;
  const words: string[] = [];
  let root: SchemaObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (!notAtRoot.includes(keyword)) root[keyword] = value;
    else {
      context.step(`/${pointerToken(keyword)}`, 'told', 'constraint_told', 'root', keyword);
      words.push(constraintWords(keyword, value)!);
    }
  }
  if (root['type'] !== 'object') {
    context.step('', 'same', 'root_type_added', 'root');
    root = { ...root, type: 'object' };
  }
  if (propertiesAtRoot && !isObject(root['properties'])) {
    context.step('', 'same', 'properties_added', 'root');
    root = { ...root, properties: {} };
  }
  if (words.length > 0) root = { ...root, description: sayAlso(root['description'], words) };
  if (!isObject(root['properties'])) return { schema: root, undo: null };
  const properties = root['properties'];
  const members = new Map<string, UndoMember>();
  const names = shownMembers(Object.keys(properties), true, '', context);
  if (names.every(({ name, shownName }) => name === shownName)) return { schema: root, undo: null };
  for (const { name, shownName } of names) members.set(shownName, { name, nullIsAbsent: false, undo: null });
  const shownOf = new Map(names.map(({ name, shownName }) => [name, shownName]));
  return {
    schema: { ...root, properties: Object.fromEntries(names.map(({ name, shownName }) => [shownName, properties[name]])), ...(Array.isArray(root['required']) ? { required: (root['required'] as string[]).map((name) => shownOf.get(name) ?? name) } : {}) },
    undo: undoOf({ members }),
  };
};

/** References that every reader resolves by their text alone. */
const plainReferences = (graph: SchemaGraph): boolean =>
  !graph.hasIds && graph.nodes.every((node) => ['$dynamicRef', '$recursiveRef'].every((keyword) => node.schema[keyword] === undefined) && (typeof node.schema['$ref'] !== 'string' || /^#(?:\/|$)/.test(node.schema['$ref'])));

/** The server's schema but for what the route does not read. */
export const editSchema = (stated: SchemaObject, graph: SchemaGraph, context: RenderingContext, depth = UNROLL_DEPTH): { readonly schema: SchemaObject; readonly undo: Undo | null } => {
  const alternatives = ROOT_ALTERNATIVES.some((keyword) => Array.isArray(stated[keyword]));
  const refers = graph.nodes.some((node) => node.referenced);
  // a root that is taken apart has no places left that references could point to
  const renames = refers && shownMembers(isObject(stated['properties']) ? Object.keys(stated['properties']) : [], true, '', context).some(({ name, shownName }) => name !== shownName);
  const inlined = refers && (alternatives || renames || stated['$ref'] !== undefined || !plainReferences(graph)) ? inlineReferences(stated, graph, depth, context) : stated;
  const flat = alternatives || ROOT_ALTERNATIVES.some((keyword) => Array.isArray(inlined[keyword])) ? flattenRoot(inlined, context) : inlined;
  const clean = { ...flat };
  // a name of its own means nothing beside other tools, and two alike are refused by some readers
  if (graph.hasIds) delete clean['$id'];
  return editRoot(edit(tellHiddenPatterns(clean, context), '', context) as SchemaObject, context);
};
