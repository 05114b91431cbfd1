import type { SchemaDefect } from '../../shared/capability.ts';
import { STEP_KEYWORD } from './ajv-engine.ts';
import type { SchemaGraph, SchemaNode } from './schema-graph.ts';
import type { Dialect } from './dialect.ts';
import { keywordDefect } from './keyword-rules.ts';
import { linearPattern } from './linear-pattern.ts';
import { pointerToken } from './json-walk.ts';

export interface Place {
  readonly pointer: string;
  readonly code: SchemaDefect;
  readonly reason: string;
}

const SCHEMA_MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies']);

/** Keywords whose meaning depends on another one beside them: they cannot be judged without it. */
const DEPENDENTS: Readonly<Record<string, readonly string[]>> = {
  properties: ['additionalProperties'],
  patternProperties: ['additionalProperties'],
  items: ['additionalItems'],
  prefixItems: ['items'],
  if: ['then', 'else'],
  contains: ['minContains', 'maxContains'],
};
/** A subschema that has become more permissive may turn these from true to false: they cannot stand on one. */
const NON_MONOTONE = ['not', 'if', 'oneOf', 'contains'] as const;

/** Takes keywords that cannot be evaluated out of a working copy of a schema, so that what is left never refuses a value the original accepts. */
export class DefectRemoval {
  readonly places: Place[] = [];
  readonly #tainted = new Set<SchemaNode>();
  readonly #graph: SchemaGraph;
  #unevaluatedGone = false;
  constructor(graph: SchemaGraph) {
    this.#graph = graph;
  }

  #drop(node: SchemaNode, keyword: string, code: SchemaDefect, reason: string): void {
    if (!Object.hasOwn(node.schema, keyword)) return;
    delete node.schema[keyword];
    this.places.push({ pointer: `${node.pointer}/${pointerToken(keyword)}`, code, reason });
    this.#tainted.add(node);
    if (keyword !== 'pattern' && keyword !== 'format') this.#unevaluatedGone = true;
    for (const dependent of DEPENDENTS[keyword] ?? []) this.#drop(node, dependent, 'rests_on_unjudged', `depends on ${keyword}, which is not evaluated`);
  }

  /** Patterns that no linear engine takes (S03, S06). */
  patterns(): void {
    for (const node of this.#graph.nodes) {
      const pattern = node.schema['pattern'];
      if (typeof pattern === 'string') {
        const linear = linearPattern(pattern);
        if (!linear.ok) this.#drop(node, 'pattern', 'pattern', linear.reason);
      }
      const byPattern = node.schema['patternProperties'];
      if (typeof byPattern !== 'object' || byPattern === null || Array.isArray(byPattern)) continue;
      for (const source of Object.keys(byPattern)) {
        const linear = linearPattern(source);
        if (linear.ok) continue;
        delete (byPattern as Record<string, unknown>)[source];
        this.places.push({ pointer: `${node.pointer}/patternProperties/${pointerToken(source)}`, code: 'pattern', reason: linear.reason });
        this.#tainted.add(node);
        this.#unevaluatedGone = true;
        this.#drop(node, 'additionalProperties', 'rests_on_unjudged', 'depends on a pattern which is not evaluated');
      }
    }
  }

  /** A member that is no schema at all, such as `properties: {a: "string"}`: that one accepts anything, its neighbours stay. */
  #loosenMembers(node: SchemaNode, keyword: string, members: Record<string, unknown>): void {
    for (const [name, member] of Object.entries(members)) {
      const isSchema = typeof member === 'boolean' || (typeof member === 'object' && member !== null && !Array.isArray(member));
      if (isSchema || (keyword === 'dependencies' && Array.isArray(member))) continue;
      Object.defineProperty(members, name, { value: true, enumerable: true, writable: true, configurable: true });
      this.places.push({ pointer: `${node.pointer}/${keyword}/${pointerToken(name)}`, code: 'not_a_schema', reason: 'not a JSON Schema: neither an object nor a boolean' });
      this.#tainted.add(node);
    }
  }

  /** Keywords that the dialect does not allow so, such as `required: true` in a property. */
  invalidKeywords(dialect: Dialect): void {
    for (const node of this.#graph.nodes) {
      for (const [keyword, value] of Object.entries(node.schema)) {
        const defect = keywordDefect(keyword, value, dialect);
        if (defect !== null) this.#drop(node, keyword, 'invalid_keyword', `not valid in this dialect: ${defect}`);
        else if (SCHEMA_MAPS.has(keyword)) this.#loosenMembers(node, keyword, value as Record<string, unknown>);
      }
    }
  }

  /** Whatever rests on something taken out goes too. */
  consequences(): void {
    let grew = this.#tainted.size > 0;
    while (grew) {
      grew = false;
      for (const node of this.#graph.nodes) {
        if (!this.#tainted.has(node) && node.edges.some((edge) => this.#tainted.has(edge.target))) {
          this.#tainted.add(node);
          grew = true;
        }
      }
    }
    for (const node of this.#graph.nodes) {
      for (const keyword of NON_MONOTONE) {
        const unsure = node.edges.some((edge) => edge.keyword === keyword && this.#tainted.has(edge.target));
        if (!unsure) continue;
        if (keyword !== 'contains') this.#drop(node, keyword, 'rests_on_unjudged', 'rests on a keyword which is not evaluated');
        else this.#drop(node, 'maxContains', 'rests_on_unjudged', 'rests on a keyword which is not evaluated');
      }
    }
    if (!this.#unevaluatedGone) return;
    for (const node of this.#graph.nodes) {
      for (const keyword of ['unevaluatedProperties', 'unevaluatedItems']) this.#drop(node, keyword, 'rests_on_unjudged', 'rests on a keyword which is not evaluated');
    }
  }
}

const types = (schema: Readonly<Record<string, unknown>>): readonly unknown[] => {
  const type = schema['type'];
  return type === undefined ? [] : Array.isArray(type) ? type : [type];
};

/** What Ajv would take for more than JSON Schema says, or trip over; none of it is a rule of the dialects. */
export const neutralizeExtensions = (graph: SchemaGraph, marksSteps: boolean): void => {
  for (const { schema, referenced } of graph.nodes) {
    delete schema['$async'];
    delete schema['$schema'];
    delete schema['$data'];
    delete schema[STEP_KEYWORD];
    if (typeof schema['nullable'] !== 'boolean' || types(schema).length === 0 || types(schema).includes('null')) delete schema['nullable'];
    if (marksSteps && referenced) schema[STEP_KEYWORD] = true;
  }
};
