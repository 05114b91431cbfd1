import type { SchemaDefect } from '../../shared/capability.ts';
import { idKeyword, type Dialect } from './dialect.ts';
import { pointerToken } from './json-walk.ts';

export type SchemaObject = Record<string, unknown>;

export interface SchemaEdge {
  readonly keyword: string;
  readonly target: SchemaNode;
  /** the pointer of the keyword (for a reference: of the reference) */
  readonly pointer: string;
  /** false: the target judges a part of the value, so that going round ends with the data */
  readonly inPlace: boolean;
}

export interface SchemaNode {
  readonly pointer: string;
  readonly schema: SchemaObject;
  readonly base: string;
  readonly edges: SchemaEdge[];
  /** a reference points here */
  referenced: boolean;
}

const OUTSIDE = 'the reference leaves the document; nothing is fetched';
export type GraphFailure = { readonly pointer: string; readonly code: SchemaDefect; readonly reason: string };
export interface SchemaGraph {
  readonly nodes: readonly SchemaNode[];
  readonly failure: GraphFailure | null;
  readonly hasIds: boolean;
}

/** More subschemas than any tool seen so far has by a factor of ten; compiling is linear in them. */
export const MAX_SUBSCHEMAS = 1_500;
const ROOT = 'gantry-schema://document/';

const ONE = new Set(['additionalProperties', 'additionalItems', 'items', 'contains', 'propertyNames', 'not', 'if', 'then', 'else', 'unevaluatedItems', 'unevaluatedProperties']);
const MAP = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);
const LIST = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const IN_PLACE = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies']);
const CONTAINERS = new Set(['$defs', 'definitions']);
const META_SCHEMA = /^https?:\/\/json-schema\.org\/(?:draft\/20(?:20-12|19-09)|draft-0[467])\/schema$/;

export const isObject = (value: unknown): value is SchemaObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The direct subschemas of a schema object, with the pointer of each relative to it. */
export function* subschemas(schema: SchemaObject): Generator<{ readonly keyword: string; readonly path: string; readonly value: unknown }> {
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `/${pointerToken(keyword)}`;
    if (Array.isArray(value) ? LIST.has(keyword) : false) {
      for (const [i, member] of (value as unknown[]).entries()) yield { keyword, path: `${at}/${i}`, value: member };
    } else if (MAP.has(keyword) && isObject(value)) {
      for (const [name, member] of Object.entries(value)) if (!Array.isArray(member)) yield { keyword, path: `${at}/${pointerToken(name)}`, value: member };
    } else if (ONE.has(keyword) && !Array.isArray(value)) yield { keyword, path: at, value };
  }
}

const resolveUri = (reference: string, base: string): URL | null => {
  if (URL.canParse(reference, base)) return new URL(reference, base);
  return null;
};
const withoutFragment = (url: URL): string => {
  const copy = new URL(url.href);
  copy.hash = '';
  return copy.href.replace(/#$/, '');
};

/** What a JSON Pointer leads to; undefined where it leads nowhere. */
export const byPointer = (root: unknown, pointer: string): unknown => {
  let value = root;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as SchemaObject)[key];
  }
  return value;
};

/**
 * All subschemas of one document and what each leads to. References are resolved inside the document only: one that leaves it, or leads nowhere,
 * is the failure, with its place; nothing is ever fetched (S01).
 */
export const schemaGraph = (root: unknown, dialect: Dialect): SchemaGraph => {
  const nodes: SchemaNode[] = [];
  const byObject = new Map<object, SchemaNode>();
  const resources = new Map<string, { readonly value: unknown; readonly pointer: string }>([[ROOT, { value: root, pointer: '' }]]);
  const anchors = new Map<string, SchemaNode>();
  const dynamicAnchors = new Map<string, SchemaNode[]>();
  const id = idKeyword(dialect);
  let hasIds = false;
  let failure: GraphFailure | null = null;

  const add = (schema: SchemaObject, pointer: string, parentBase: string): SchemaNode => {
    const known = byObject.get(schema);
    if (known) return known;
    const own = schema[id];
    let base = parentBase;
    if (typeof own === 'string') {
      hasIds = true;
      const url = resolveUri(own, parentBase);
      if (url && own.startsWith('#')) base = parentBase;
      else if (url) {
        base = withoutFragment(url);
        resources.set(base, { value: schema, pointer });
      }
    }
    const node: SchemaNode = { pointer, schema, base, edges: [], referenced: false };
    byObject.set(schema, node);
    nodes.push(node);
    if (typeof own === 'string' && own.startsWith('#')) anchors.set(`${base}${own}`, node);
    for (const keyword of ['$anchor', '$dynamicAnchor'] as const) {
      const name = schema[keyword];
      if (typeof name !== 'string') continue;
      anchors.set(`${base}#${name}`, node);
      if (keyword === '$dynamicAnchor') dynamicAnchors.set(name, [...(dynamicAnchors.get(name) ?? []), node]);
    }
    return node;
  };

  const resolve = (reference: string, node: SchemaNode): SchemaNode | 'leaf' | string => {
    const url = resolveUri(reference, node.base);
    if (!url) return 'the reference is not a URI';
    const document = withoutFragment(url);
    const resource = resources.get(document);
    if (!resource) return META_SCHEMA.test(document) && document.includes(dialect) ? 'leaf' : OUTSIDE;
    let fragment: string;
    try {
      fragment = decodeURIComponent(url.hash.slice(1));
    } catch {
      return 'the reference is not a URI';
    }
    if (fragment !== '' && !fragment.startsWith('/')) return anchors.get(`${document}#${fragment}`) ?? 'the reference leads nowhere';
    const target = fragment === '' ? resource.value : byPointer(resource.value, fragment);
    if (typeof target === 'boolean') return 'leaf';
    if (!isObject(target)) return 'the reference leads nowhere';
    return byObject.get(target) ?? add(target, `${resource.pointer}${fragment}`, node.base);
  };

  const walkChildren = (from: number): void => {
    for (let i = from; i < nodes.length && !failure; i += 1) {
      const node = nodes[i]!;
      if (nodes.length > MAX_SUBSCHEMAS) failure = { pointer: node.pointer, code: 'too_large', reason: `more than ${MAX_SUBSCHEMAS} subschemas` };
      for (const child of subschemas(node.schema)) {
        if (!isObject(child.value)) continue;
        const target = add(child.value, `${node.pointer}${child.path}`, node.base);
        if (!CONTAINERS.has(child.keyword)) node.edges.push({ keyword: child.keyword, target, pointer: `${node.pointer}${child.path}`, inPlace: IN_PLACE.has(child.keyword) });
      }
    }
  };

  if (isObject(root)) add(root, '', ROOT);
  let walked = 0;
  let referred = 0;
  // references may lead to places that no keyword reaches, so both walks go on until neither finds more
  while (!failure && (walked < nodes.length || referred < nodes.length)) {
    walkChildren(walked);
    walked = nodes.length;
    for (; referred < walked && !failure; referred += 1) {
      const node = nodes[referred]!;
      for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef'] as const) {
        const reference = node.schema[keyword];
        if (typeof reference !== 'string') continue;
        const pointer = `${node.pointer}/${keyword}`;
        const target = resolve(reference, node);
        if (typeof target === 'string' && target !== 'leaf') {
          failure = { pointer, code: target === OUTSIDE ? 'reference_outside' : 'reference_broken', reason: target };
          break;
        }
        const dynamic = keyword === '$dynamicRef' ? (dynamicAnchors.get(reference.replace(/^.*#/, '')) ?? []) : [];
        for (const to of new Set(target === 'leaf' ? dynamic : [target as SchemaNode, ...dynamic])) {
          to.referenced = true;
          node.edges.push({ keyword, target: to, pointer, inPlace: true });
        }
      }
    }
  }
  return { nodes, failure, hasIds };
};

/** The place of a reference that comes back to where it started without having gone into the data (S02), or null. */
export const findEndlessReference = (graph: SchemaGraph): GraphFailure | null => {
  const done = new Set<SchemaNode>();
  const open = new Set<SchemaNode>();
  const visit = (node: SchemaNode): GraphFailure | null => {
    if (done.has(node)) return null;
    open.add(node);
    for (const edge of node.edges) {
      if (!edge.inPlace) continue;
      if (open.has(edge.target)) return { pointer: edge.pointer, code: 'reference_endless', reason: 'the reference recurs without consuming data' };
      const found = visit(edge.target);
      if (found) return found;
    }
    open.delete(node);
    done.add(node);
    return null;
  };
  for (const node of graph.nodes) {
    const found = visit(node);
    if (found) return found;
  }
  return null;
};
