import { pointerToken } from '../json-walk.ts';
import { isObject, type SchemaGraph, type SchemaObject } from '../schema-graph.ts';
import type { RenderingContext } from './rendering-context.ts';
import { LISTS, MAPS, ONES } from './subschema-keywords.ts';

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

/** What a level beyond the last one shown is: of the same kind, anything in it, said in words. */
const beyond = (target: SchemaObject): SchemaObject => {
  const type = typeof target['type'] === 'string' ? target['type'] : 'object';
  return { type, description: 'Deeper levels have the same form as the levels above.', ...(type === 'array' ? { items: {} } : {}) };
};

/**
 * The schema without references: each target in its place, one that contains itself to `depth` levels. `graph` is of the very objects of `root`.
 */
export const inlineReferences = (root: SchemaObject, graph: SchemaGraph, depth: number, context: RenderingContext): SchemaObject => {
  const targetOf = new Map(graph.nodes.map((node) => [node.schema, node.edges.find((edge) => (REFERENCES as readonly string[]).includes(edge.keyword))?.target.schema]));

  const copy = (schema: unknown, at: string, open: readonly SchemaObject[]): unknown => {
    if (!isObject(schema)) return schema;
    context.spend();
    const rest: SchemaObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      const below = `${at}/${pointerToken(keyword)}`;
      if (keyword === '$defs' || keyword === 'definitions' || (REFERENCES as readonly string[]).includes(keyword)) continue;
      if (LISTS.has(keyword) && Array.isArray(value)) rest[keyword] = value.map((member, i) => copy(member, `${below}/${i}`, open));
      else if (MAPS.has(keyword) && isObject(value)) rest[keyword] = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member, `${below}/${pointerToken(name)}`, open)]));
      else if (ONES.has(keyword)) rest[keyword] = copy(value, below, open);
      else rest[keyword] = value;
    }
    const target = targetOf.get(schema);
    if (!target) return rest;
    const levels = open.filter((one) => one === target).length;
    if (levels >= depth) {
      context.step(at, 'told', 'recursion_unrolled', 'references', String(depth));
      return { ...beyond(target), ...(typeof rest['description'] === 'string' ? { description: `${rest['description']} Deeper levels have the same form as the levels above.` } : {}) };
    }
    const inlined = copy(target, at, [...open, target]);
    context.step(at, 'same', 'references_inlined', 'references');
    if (!isObject(inlined) || Object.keys(rest).length === 0) return inlined;
    const clash = Object.keys(rest).some((keyword) => Object.hasOwn(inlined, keyword) && !['description', 'title', 'default'].includes(keyword));
    return clash ? { ...rest, allOf: [...(Array.isArray(rest['allOf']) ? rest['allOf'] : []), inlined] } : { ...inlined, ...rest };
  };

  return copy(root, '', [root]) as SchemaObject;
};
