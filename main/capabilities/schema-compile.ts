import type { SchemaDefect, SchemaState } from '../../shared/capability.ts';
import type { AjvEngine, ValidateFunction } from './ajv-engine.ts';
import { declaredDialect, UNDECLARED_DIALECTS, type Dialect } from './dialect.ts';
import { carryProtoNames } from './proto-names.ts';
import { DefectRemoval, neutralizeExtensions, type Place } from './schema-defects.ts';
import { dropUnknownRequired } from './unknown-required.ts';
import { findEndlessReference, isObject, schemaGraph, type SchemaGraph, type SchemaObject } from './schema-graph.ts';

/** `input`: a missing root type means object (design section 6). `output`: as declared. */
export type SchemaUse = 'input' | 'output';

export type CompiledSchema =
  | { readonly state: Exclude<SchemaState['state'], 'excluded'>; readonly places: readonly Place[]; readonly dialect: Dialect; readonly validate: ValidateFunction }
  | { readonly state: 'excluded'; readonly pointer: string; readonly code: SchemaDefect; readonly reason: string };

const excluded = (pointer: string, code: SchemaDefect, reason: string): CompiledSchema => ({ state: 'excluded', pointer, code, reason });

interface Prepared {
  readonly dialect: Dialect;
  readonly copy: SchemaObject;
  readonly graph: SchemaGraph;
  readonly places: readonly Place[];
}

/** A working copy in one dialect, without what cannot be evaluated. The original is never touched. */
const prepare = (schema: SchemaObject, dialect: Dialect): Prepared => {
  const copy = JSON.parse(JSON.stringify(schema)) as SchemaObject;
  const graph = schemaGraph(copy, dialect);
  if (graph.failure) return { dialect, copy, graph, places: [] };
  const nested = graph.nodes.filter((node) => node.pointer !== '' && ![dialect, 'undeclared'].includes(declaredDialect(node.schema)));
  neutralizeExtensions(graph, false);
  const defects = new DefectRemoval(graph);
  for (const node of nested) defects.places.push({ pointer: `${node.pointer}/$schema`, code: 'other_dialect', reason: 'a part declares another dialect; it is judged in that of the whole' });
  defects.patterns();
  defects.invalidKeywords(dialect);
  defects.consequences();
  return { dialect, copy, graph, places: defects.places };
};

const bestDialect = (schema: SchemaObject, declared: Dialect | 'undeclared'): Prepared => {
  if (declared !== 'undeclared') return prepare(schema, declared);
  const first = prepare(schema, UNDECLARED_DIALECTS[0]!);
  if (first.places.length === 0 && !first.graph.failure) return first;
  for (const dialect of UNDECLARED_DIALECTS.slice(1)) {
    const other = prepare(schema, dialect);
    if (!other.graph.failure && (first.graph.failure || other.places.length < first.places.length)) return other;
  }
  return first;
};

/** Judges a schema and makes its validator. Pure but for the engine; linear in the number of subschemas, which is bounded. */
export const compileSchema = (schema: unknown, use: SchemaUse, engine: AjvEngine): CompiledSchema => {
  if (typeof schema === 'boolean') return { state: 'checked', places: [], dialect: '2020-12', validate: engine.compile('2020-12', schema ? {} : { not: {} }, false) };
  if (!isObject(schema)) return excluded('', 'not_a_schema', 'not a JSON Schema: neither an object nor a boolean');
  const declared = declaredDialect(schema);
  if (declared === 'unknown') return excluded('/$schema', 'unknown_dialect', 'an unknown schema dialect');
  const { dialect, copy, graph, places } = bestDialect(schema, declared);
  if (graph.failure) return excluded(graph.failure.pointer, graph.failure.code, graph.failure.reason);
  const endless = findEndlessReference(graph);
  if (endless) return excluded(endless.pointer, endless.code, endless.reason);
  if (use === 'input') {
    const type = copy['type'];
    if (type === undefined && copy['$ref'] === undefined) copy['type'] = 'object';
    else if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) return excluded('/type', 'not_for_objects', 'arguments are an object, which this type forbids');
  }
  if (use === 'input') dropUnknownRequired(graph);
  neutralizeExtensions(graph, true);
  carryProtoNames(graph);
  try {
    const validate = engine.compile(dialect, copy, graph.hasIds);
    return { state: places.length > 0 ? 'partly_checked' : 'checked', places, dialect, validate };
  } catch (error) {
    return excluded('', 'not_compiled', `the schema cannot be compiled: ${error instanceof Error ? error.message : String(error)}`);
  }
};
