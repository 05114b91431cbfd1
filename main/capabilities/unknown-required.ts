import { pointerToken } from './json-walk.ts';
import { isObject, schemaGraph, type SchemaGraph, type SchemaNode } from './schema-graph.ts';

const BRANCHES = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not', 'dependentSchemas', 'dependencies']);

/** Schemas that judge the same value as another one: a name they require may be declared there. */
const branchesOf = (graph: SchemaGraph): ReadonlySet<SchemaNode> => {
  const found = new Set<SchemaNode>();
  const queue = graph.nodes.flatMap((node) => node.edges.filter((edge) => BRANCHES.has(edge.keyword)).map((edge) => edge.target));
  for (let node = queue.pop(); node; node = queue.pop()) {
    if (found.has(node)) continue;
    found.add(node);
    for (const edge of node.edges) if (edge.inPlace) queue.push(edge.target);
  }
  return found;
};

interface UnknownRequired {
  readonly node: SchemaNode;
  readonly pointer: string;
  readonly name: string;
}

/**
 * A required name that no member has: the object describes its members, and this one is not among them. Listed where the schema stands alone; where it
 * has alternatives, patterns of names or a schema for further members, the name may be meant.
 */
const unknownRequired = (graph: SchemaGraph): readonly UnknownRequired[] => {
  const branches = branchesOf(graph);
  return graph.nodes.flatMap((node) => {
    const { required, properties, patternProperties, additionalProperties } = node.schema;
    if (!Array.isArray(required) || !isObject(properties) || Object.keys(properties).length === 0 || patternProperties !== undefined || isObject(additionalProperties)) return [];
    if (branches.has(node) || node.edges.some((edge) => edge.inPlace)) return [];
    return (required as unknown[]).flatMap((name, i) => (typeof name === 'string' && !Object.hasOwn(properties, name) ? [{ node, pointer: `${node.pointer}/required/${i}`, name }] : []));
  });
};

/** The mending rule for it: the name is not insisted on, and the server judges for itself. */
export const dropUnknownRequired = (graph: SchemaGraph): void => {
  for (const { node, name } of unknownRequired(graph)) node.schema['required'] = (node.schema['required'] as unknown[]).filter((one) => one !== name);
};

/** Whether any object in it requires what it has not, read without its meaning: few do, and only these are read as schemas. */
const mayRequireUnknown = (root: object): boolean => {
  const stack: object[] = [root];
  for (let value = stack.pop(); value; value = stack.pop()) {
    const { required, properties } = value as { readonly required?: unknown; readonly properties?: unknown };
    if (Array.isArray(required) && isObject(properties) && required.some((name) => typeof name === 'string' && !Object.hasOwn(properties, name))) return true;
    for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) stack.push(member as object);
  }
  return false;
};

/** The same of an input schema as information for a reader, with the places. */
export const unknownRequiredPlaces = (schema: object): readonly { readonly place: string; readonly name: string }[] =>
  (mayRequireUnknown(schema) ? unknownRequired(schemaGraph(schema, '2020-12')) : []).map(({ pointer, name }) => ({ place: `/inputSchema${pointer}`, name: pointerToken(name) }));
