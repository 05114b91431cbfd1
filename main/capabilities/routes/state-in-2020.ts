import { declaredDialect, ignoresRefSiblings, type Dialect } from '../dialect.ts';
import { keywordDefect } from '../keyword-rules.ts';
import { pointerToken } from '../json-walk.ts';
import { isObject, schemaGraph, type SchemaGraph, type SchemaObject } from '../schema-graph.ts';
import type { RenderingContext } from './rendering-context.ts';

/** Draft 4 to 7 spellings that 2020-12 has other words for. True when anything changed. */
const restate = (schema: SchemaObject, dialect: Dialect): boolean => {
  let changed = false;
  for (const [exclusive, limit] of [['exclusiveMinimum', 'minimum'], ['exclusiveMaximum', 'maximum']] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    if (schema[exclusive] === true && typeof schema[limit] === 'number') {
      schema[exclusive] = schema[limit];
      delete schema[limit];
    } else delete schema[exclusive];
    changed = true;
  }
  if (Array.isArray(schema['items'])) {
    schema['prefixItems'] = schema['items'];
    if (schema['additionalItems'] === undefined) delete schema['items'];
    else schema['items'] = schema['additionalItems'];
    if ((schema['prefixItems'] as unknown[]).length === 0) delete schema['prefixItems'];
    changed = true;
  }
  if (Object.hasOwn(schema, 'additionalItems')) {
    delete schema['additionalItems'];
    changed = true;
  }
  if (isObject(schema['dependencies'])) {
    const entries = Object.entries(schema['dependencies']);
    const names = entries.filter(([, value]) => Array.isArray(value));
    const schemas = entries.filter(([, value]) => !Array.isArray(value));
    if (names.length > 0) schema['dependentRequired'] = Object.fromEntries(names);
    if (schemas.length > 0) schema['dependentSchemas'] = Object.fromEntries(schemas);
    delete schema['dependencies'];
    changed = true;
  }
  if (dialect === 'draft-04' && typeof schema['id'] === 'string') {
    delete schema['id'];
    changed = true;
  }
  return changed;
};

/** Before 2019-09 what stands beside a reference does not count; people write descriptions there all the same, and they are kept. */
const dropIgnored = (schema: SchemaObject): void => {
  if (typeof schema['$ref'] !== 'string') return;
  for (const keyword of Object.keys(schema)) if (!['$ref', 'description', 'title', 'default', '$defs', 'definitions', '$schema', '$id', 'id'].includes(keyword)) delete schema[keyword];
};

export type Stated = { readonly ok: true; readonly schema: SchemaObject; readonly graph: SchemaGraph } | { readonly ok: false; readonly place: string; readonly reason: string };

/**
 * A working copy in the words of 2020-12, which is what providers read, without keywords that no dialect allows so. The original is never touched.
 */
export const stateIn2020 = (original: unknown, context: RenderingContext): Stated => {
  const declared = declaredDialect(original);
  if (declared === 'unknown') return { ok: false, place: '/$schema', reason: 'an unknown schema dialect' };
  const schema = isObject(original) ? (JSON.parse(JSON.stringify(original)) as SchemaObject) : {};
  const dialect: Dialect = declared === 'undeclared' ? '2020-12' : declared;
  const graph = schemaGraph(schema, dialect);
  if (graph.failure) return { ok: false, place: graph.failure.pointer, reason: graph.failure.reason };
  let changed = false;
  for (const node of graph.nodes) {
    if (ignoresRefSiblings(dialect)) dropIgnored(node.schema);
    if (restate(node.schema, dialect)) {
      changed = true;
      context.step(node.pointer, 'same', 'stated_in_2020_12', 'keywords', dialect === '2020-12' ? undefined : dialect);
    }
    for (const [keyword, value] of Object.entries(node.schema)) {
      if (keywordDefect(keyword, value, '2020-12') === null) continue;
      delete node.schema[keyword];
      context.step(`${node.pointer}/${pointerToken(keyword)}`, 'mended', 'invalid_keyword', 'keywords', keyword);
    }
  }
  if (changed || dialect === 'draft-04' || dialect === 'draft-06') {
    if (Object.hasOwn(schema, '$schema')) context.step('/$schema', 'same', 'stated_in_2020_12', 'keywords', dialect);
    delete schema['$schema'];
  }
  return { ok: true, schema, graph };
};
